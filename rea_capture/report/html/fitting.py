"""What of a text is in the file, where not all fits: by counts of bytes, and what is left out is counted.

Everybody gets what he needs of a budget that is enough for all. Of one that is not, those who need little get
it, and the others share alike what is then left.

Below: ``contracts``, ``escaping``, ``wording``. Above: ``contents``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from rea_capture.contracts.explanation import (
    AnyExplanation,
    ElementChanges,
    EventsExplanation,
    Hunk,
    NoExplanation,
    PixelExplanation,
    Region,
    TextDiff,
    TextExplanation,
    ValueExplanation,
)
from rea_capture.report.html.escaping import json_bytes
from rea_capture.wording import shortened

MAX_TEXT_BYTES: Final = 4 * 1024 * 1024
"""All explanations and events, as they are in the file. A person reads less than a tenth of it; a browser
reads it in a few hundredths of a second."""

MAX_EXPLANATION_BYTES: Final = 2560 * 1024
"""All explanations, which come before events: they are what a reader came for."""

MAX_FOLD_BYTES: Final = 512 * 1024
"""All lines around the differences of texts."""

MAX_SUMMARY_CHARACTERS: Final = 1_000
"""Of an explanation that does not fit. No summary that the program writes is as long."""

MAX_CAPTURED_CHARACTERS: Final = 128 * 1024
"""Of one text: a console line, say. The file says how many more there are."""


def shares(needs: Sequence[int], budget: int) -> list[int]:
    """How much each may have of ``budget``, in the order of ``needs``; never more than it needs."""
    given = [0] * len(needs)
    for left, position in zip(
        range(len(needs), 0, -1), sorted(range(len(needs)), key=lambda at: (needs[at], at)), strict=True
    ):
        given[position] = min(needs[position], budget // left)
        budget -= given[position]
    return given


def fitted(explanation: AnyExplanation, max_bytes: int) -> AnyExplanation:
    """``explanation``, of which half is left out, again and again, until it is no larger than ``max_bytes``.

    Where all has been left out, a long summary is cut. What is then left may be larger still, never by much,
    and says what changed.
    """
    while len(json_bytes(explanation)) > max_bytes:
        smaller = _halved(explanation)
        if smaller == explanation:
            return replace(explanation, summary=shortened(explanation.summary, MAX_SUMMARY_CHARACTERS))
        explanation = smaller
    return explanation


def _halved(explanation: AnyExplanation) -> AnyExplanation:
    """The same where there is nothing that could be left out."""
    match explanation:
        case TextExplanation(diff=diff, elements=elements):
            return replace(explanation, diff=_half_diff(diff), elements=_half_elements(elements))
        case ValueExplanation():
            kept, omitted = _half(explanation.changes)
            return replace(explanation, changes=kept, omitted=explanation.omitted + omitted)
        case EventsExplanation():
            return _half_events(explanation)
        case PixelExplanation(regions=regions):
            return replace(explanation, regions=_larger_half(regions))
        case NoExplanation():
            return explanation


def _half(items: Sequence[Any]) -> tuple[tuple[Any, ...], int]:
    kept = tuple(items[: len(items) // 2])
    return kept, len(items) - len(kept)


def _larger_half(regions: Sequence[Region]) -> tuple[Region, ...]:
    """Those with the most changed pixels, in their own order."""
    by_size = sorted(range(len(regions)), key=lambda at: (-regions[at].changed_pixels, at))
    return tuple(regions[at] for at in sorted(by_size[: len(regions) // 2]))


def _half_diff(diff: TextDiff) -> TextDiff:
    """The first half of the hunks, and of the lines where there is one hunk."""
    if len(diff.hunks) == 1:
        hunks = _half_hunk(diff.hunks[0])
    else:
        hunks, _ = _half(diff.hunks)
    return replace(
        diff,
        hunks=hunks,
        omitted_hunks=diff.omitted_hunks + len(diff.hunks) - len(hunks),
        omitted_lines=diff.omitted_lines + _changed_lines(diff.hunks) - _changed_lines(hunks),
    )


def _half_hunk(hunk: Hunk) -> tuple[Hunk, ...]:
    """The hunk of the first half of its lines; none where nothing of these changed."""
    lines, _ = _half(hunk.lines)
    kept = replace(
        hunk,
        after_count=sum(line.change != "removed" for line in lines),
        before_count=sum(line.change != "added" for line in lines),
        lines=lines,
    )
    return (kept,) if _changed_lines((kept,)) else ()


def _changed_lines(hunks: Sequence[Hunk]) -> int:
    return sum(line.change != "context" for hunk in hunks for line in hunk.lines)


def _half_elements(elements: ElementChanges | None) -> ElementChanges | None:
    if elements is None:
        return None
    kept, omitted = _half(elements.items)
    return replace(elements, items=kept, omitted=elements.omitted + omitted)


def _half_events(explanation: EventsExplanation) -> EventsExplanation:
    network = explanation.network
    kept, omitted = _half(network.items)
    return replace(
        explanation,
        families=tuple(replace(one, diff=_half_diff(one.diff)) for one in explanation.families),
        network=replace(network, items=kept, omitted=network.omitted + omitted),
    )


def fitting_rows(
    rows: Sequence[dict[str, Any]], ranks: Sequence[int], max_bytes: int
) -> list[dict[str, Any]]:
    """The rows of lowest rank that fit, in their own order; of one rank, those that come first.

    A row that is too large for what is left is passed over: it hides no other.
    """
    kept: set[int] = set()
    for position in sorted(range(len(rows)), key=lambda at: (ranks[at], at)):
        size = len(json_bytes(rows[position])) + 1
        if size <= max_bytes:
            max_bytes -= size
            kept.add(position)
    return [row for position, row in enumerate(rows) if position in kept]
