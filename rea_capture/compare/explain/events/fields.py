"""In which fields of which events two network transactions differ.

Events of one kind are compared with each other, in the form that is compared (``compare.event_digest``). A
list of names and the values of headers differ name by name, content by its digest and size. A URL or a type
is repeated by each event of a transaction and told once. The status is told beside the fields.

Below: ``step_events``, ``compare.event_digest``. Above: ``transactions``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

import orjson

from rea_capture.canonical import canonical_bytes
from rea_capture.compare.event_digest import event_bytes
from rea_capture.compare.explain.events.step_events import StepTransaction
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.events import EventKind, NetworkContentEvent
from rea_capture.contracts.explanation import FieldChange
from rea_capture.wording import shortened

MAX_VALUE_CHARACTERS: Final = 200
"""Of a JSON text before and after: most URLs and headers whole, the start of anything else."""

_ABSENT: Final = object()
_ORDER: Final[tuple[tuple[EventKind, str], ...]] = (
    ("request", ""),
    ("network-content", "request."),
    ("response", ""),
    ("network-content", "response."),
    ("request-finished", ""),
    ("request-failed", ""),
    ("request-unfinished", ""),
)
"""Kinds of events in the order they are told; content says before the name of a field of which it is."""

_REPEATED: Final = frozenset({"url", "method", "resource_type", "failure"})
"""Fields that each event of a transaction has."""

_Sides = tuple[str, Any, Any]
_Told = tuple[str, str, str | None, str | None]


def field_changes(
    before: StepTransaction, after: StepTransaction, before_rules: Replacements, after_rules: Replacements
) -> tuple[FieldChange, ...]:
    """Every field that differs, in the order of events. Empty where only what led to them differs."""
    ones, others = _events(before, before_rules), _events(after, after_rules)
    statuses = (before.status, after.status)
    told: dict[_Told, None] = {}
    repeated: set[tuple[str, str | None, str | None]] = set()
    for kind, part in _ORDER:
        for one, other in zip_longest(ones.get((kind, part), ()), others.get((kind, part), ())):
            for name, mine, theirs in _differences(one, other):
                if name == "status" and (mine, theirs) == statuses:
                    continue
                values = (name, _shown(mine), _shown(theirs))
                if name not in _REPEATED or values not in repeated:
                    told[kind, part + name, *values[1:]] = None
                repeated.add(values)
    return tuple(
        FieldChange(after=theirs, before=mine, event=kind, field=name) for kind, name, mine, theirs in told
    )


def _events(
    transaction: StepTransaction, rules: Replacements
) -> dict[tuple[EventKind, str], list[dict[str, Any]]]:
    found: dict[tuple[EventKind, str], list[dict[str, Any]]] = {}
    for event in transaction.events:
        part = f"{event.phase}." if isinstance(event, NetworkContentEvent) else ""
        found.setdefault((event.kind, part), []).append(orjson.loads(event_bytes(event, rules)))
    for events in found.values():
        events.sort(key=canonical_bytes)  # several of one kind are compared in any order
    return found


def _differences(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Iterator[_Sides]:
    if before is None or after is None:
        yield from _only(before, after)
        return
    for name in sorted({*before, *after}):
        one, other = before.get(name, _ABSENT), after.get(name, _ABSENT)
        if one == other:
            continue
        if name == "header_names":
            yield from _names(name, one, other)
        elif name in {"headers", "body", "url"} and isinstance(one, dict) and isinstance(other, dict):
            yield from _PARTS[name](one, other)
        else:
            yield name, one, other


def _only(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Iterator[_Sides]:
    """An event that only one side has: that it is there, and what it says of an outcome."""
    for name in ("kind", "failure", "reason"):
        one, other = ((side or {}).get(name) for side in (before, after))
        if one is not None or other is not None:
            yield name, _ABSENT if before is None else one, _ABSENT if after is None else other


def _names(name: str, before: list[str], after: list[str]) -> Iterator[_Sides]:
    one, other = Counter(before), Counter(after)
    if one == other:
        yield name, before, after
        return
    yield from ((name, gone, _ABSENT) for gone in sorted((one - other).elements()))
    yield from ((name, _ABSENT, come) for come in sorted((other - one).elements()))


def _headers(before: dict[str, Any], after: dict[str, Any]) -> Iterator[_Sides]:
    if "items" not in before or "items" not in after:
        yield "headers", before, after
        return
    one, other = _by_name(before["items"]), _by_name(after["items"])
    if one == other:
        yield "headers", [item["name"] for item in before["items"]], [item["name"] for item in after["items"]]
        return
    for name in sorted({*one, *other}):
        if one.get(name) != other.get(name):
            mine, theirs = _values(one.get(name)), _values(other.get(name))
            alike = mine == theirs  # they differ in what was taken out of them
            yield f"headers.{name}", one.get(name) if alike else mine, other.get(name) if alike else theirs


def _by_name(items: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        found.setdefault(item["name"], []).append(item)
    return found


def _values(items: list[dict[str, Any]] | None) -> Any:
    """The value of a header, of several a list; of credentials that they were taken out."""
    if items is None:
        return _ABSENT
    values = ["[redacted]" if item["value"] is None else item["value"] for item in items]
    return values[0] if len(values) == 1 else values


def _body(before: dict[str, Any], after: dict[str, Any]) -> Iterator[_Sides]:
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    for name in names:
        if name != "content" or names == ["content"]:  # its digest speaks for it
            yield f"body.{name}", before.get(name, _ABSENT), after.get(name, _ABSENT)


def _url(before: dict[str, Any], after: dict[str, Any]) -> Iterator[_Sides]:
    if before["url"] != after["url"]:
        yield "url", before["url"], after["url"]
        return
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield f"url.{name}", before.get(name, _ABSENT), after.get(name, _ABSENT)


_PARTS: Final = {"headers": _headers, "body": _body, "url": _url}


def _shown(value: Any) -> str | None:
    if value is _ABSENT:
        return None
    return shortened(canonical_bytes(value).decode("utf-8"), MAX_VALUE_CHARACTERS)
