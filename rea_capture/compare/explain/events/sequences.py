"""The events of a step that are of no transaction: by family, a line each, in the order they came.

A family differs exactly where its events do, in the form that is compared (``compare.event_digest``). Where
the lines that people read do not show the difference, the lines are that form itself.

Below: ``bounds``, ``lines``, ``compare.event_digest``, ``visible``. Above: ``transactions``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import orjson

from rea_capture.compare.event_digest import event_bytes
from rea_capture.compare.explain.bounds import Bounds
from rea_capture.compare.explain.text.common_runs import DEFAULT_STEPS
from rea_capture.compare.explain.text.lines import line_diff
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.events import FAMILY_OF_KIND, AnyEvent
from rea_capture.contracts.explanation import FamilyDiff, TextDiff
from rea_capture.contracts.selection import EventFamily
from rea_capture.visible import visible

_ESCAPED: Final = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
"""Before what is unseen becomes an escape, so that no text looks like an escape that is none."""

_Lines = dict[EventFamily, list[bytes]]


def family_diffs(
    before: tuple[Iterable[AnyEvent], Replacements],
    after: tuple[Iterable[AnyEvent], Replacements],
    bounds: Bounds,
) -> tuple[tuple[FamilyDiff, ...], bool]:
    """The families that differ, sorted, and whether none does and only the order between them differs.

    Raises :class:`SpentError`.
    """
    (ones, mine), (others, theirs) = _in_order(*before), _in_order(*after)
    found = tuple(
        FamilyDiff(diff=_diff(mine.get(family, []), theirs.get(family, []), bounds), family=family)
        for family in sorted({*mine, *theirs})
        if mine.get(family) != theirs.get(family)
    )
    return found, not found and ones != others


def _in_order(events: Iterable[AnyEvent], rules: Replacements) -> tuple[list[bytes], _Lines]:
    """The compared form of each event: all of them, and by family."""
    every: list[bytes] = []
    families: _Lines = {}
    for event in events:
        data = event_bytes(event, rules)
        every.append(data)
        families.setdefault(FAMILY_OF_KIND[event.kind], []).append(data)
    return every, families


def _diff(before: list[bytes], after: list[bytes], bounds: Bounds) -> TextDiff:
    with bounds.some("steps", DEFAULT_STEPS) as steps:
        return line_diff(*_lines(before, after), steps)


def _lines(before: list[bytes], after: list[bytes]) -> tuple[list[str], list[str]]:
    ones, others = [rendered(data) for data in before], [rendered(data) for data in after]
    if ones == others:
        return [f"{data.decode()}\n" for data in before], [f"{data.decode()}\n" for data in after]
    return ones, others


def rendered(data: bytes) -> str:
    """One line, with its end, for the event of which ``data`` is the compared form."""
    event = orjson.loads(data)
    head = _HEADS.get(event["kind"], _named)(event)
    url = event.get("url")
    at = f" ({url['url']})" if url is not None else ""
    return f"{visible((head + at).translate(_ESCAPED))}\n"


def _console(event: Mapping[str, Any]) -> str:
    return f"{event['level']}: {event['text']}"


def _page_error(event: Mapping[str, Any]) -> str:
    stack = event["stack"]
    return f"error: {event['message']}" + (f" | {stack}" if stack else "")


def _frame(event: Mapping[str, Any]) -> str:
    direction = "sent" if event["kind"].endswith("sent") else "received"
    text = event["payload_text"]
    size = f"{event['payload_bytes']} bytes, {event['payload_type']}{', cut' if event['truncated'] else ''}"
    return f"{direction}: [{size}]" + ("" if text is None else f" {text}")


def _download(event: Mapping[str, Any]) -> str:
    return f"cancelled: {event['suggested_filename']}"


def _named(event: Mapping[str, Any]) -> str:
    name = event.get("name")
    return f"{event['kind']} '{name}'" if name else str(event["kind"])


_HEADS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "console": _console,
    "page-error": _page_error,
    "websocket-frame-sent": _frame,
    "websocket-frame-received": _frame,
    "download-cancelled": _download,
}
