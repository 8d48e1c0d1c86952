"""What a reference to a tab may name: an earlier operation that gives the tab it asks for.

Below: ``errors``, ``wording``. Above: ``rules``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rea_capture.contracts.runtime.base import MAX_ID_CHARACTERS
from rea_capture.errors import Fault
from rea_capture.wording import shortened

GIVEN_BY: Final = {"selectedTab": "selectTab", "popup": "waitPopup", "listedTab": "listTabs"}
"""Which operation gives which result."""

_Operations = list[tuple[int, dict[str, Any]]]


def reference_faults(operations: _Operations) -> Iterator[Fault]:
    """A fault for each reference that cannot be what it says, whatever the pages do."""
    known = dict(operations)
    places: dict[str, int] = {}
    for index, operation in operations:
        if isinstance(operation.get("id"), str):
            places.setdefault(operation["id"], index)
    count = max(known, default=-1) + 1
    for index, operation in operations:
        for pointer, reference in _references(index, operation):
            target = reference.get("operation")
            if isinstance(target, dict) and reference.get("source") == "operation":
                yield from _about(index, pointer, reference, target, known, places, count)


def _references(index: int, operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The references of an operation, each with its pointer."""
    request = operation.get("request")
    found = [(f"/operations/{index}/tab", operation.get("tab"))]
    if isinstance(request, dict):
        found += [(f"/operations/{index}/request/{name}", request.get(name)) for name in ("tab", "opener")]
    yield from ((pointer, each) for pointer, each in found if isinstance(each, dict))


def _about(
    index: int,
    pointer: str,
    reference: dict[str, Any],
    target: dict[str, Any],
    known: dict[int, dict[str, Any]],
    places: dict[str, int],
    count: int,
) -> Iterator[Fault]:
    name, place = target.get("id"), target.get("index")
    if isinstance(name, str):
        at = f"{pointer}/operation/id"
        if name not in places:
            yield Fault(at, f"no operation has the id {shortened(name, MAX_ID_CHARACTERS)!r}")
            return
        place = places[name]
    elif isinstance(place, int) and not isinstance(place, bool):
        at = f"{pointer}/operation/index"
        if place >= count:
            yield Fault(at, f"there is no operation {place}; the last one is {count - 1}")
        if not 0 <= place < count:  # below 0, it has a fault of its own
            return
    else:
        return
    if place >= index:
        named = "to itself" if place == index else f"forward, to /operations/{place}"
        yield Fault(at, f"refers {named}; only an earlier operation has a result")
    elif place in known:
        yield from _about_result(pointer, reference, place, known[place])


def _about_result(
    pointer: str, reference: dict[str, Any], place: int, target: dict[str, Any]
) -> Iterator[Fault]:
    result, op = reference.get("result"), target.get("op")
    needed = GIVEN_BY.get(result) if isinstance(result, str) else None
    if needed is None:
        return
    if op != needed:
        yield Fault(
            f"{pointer}/result", f"{needed} gives a {result}; /operations/{place} is another operation"
        )
        return
    listed, has_index = result == "listedTab", reference.get("index") is not None
    if has_index and not listed:
        yield Fault(f"{pointer}/index", f"only a listedTab has an index; a {result} is one tab")
    request = target.get("request")
    selects = isinstance(request, dict) and request.get("select") is not None
    if listed and not has_index and not selects:
        yield Fault(
            pointer, f"which of the tabs is meant? Give an index, or a select to /operations/{place}/request"
        )
