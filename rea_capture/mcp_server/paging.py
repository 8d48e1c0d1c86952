"""Parts of a large document: what a JSON Pointer names, as JSON text, a page at a time.

Below: ``canonical``. Above: ``tools``, ``resources``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal

import orjson

from rea_capture.canonical import canonical_bytes
from rea_capture.contracts.json_text import pointer_of
from rea_capture.errors import Fault, InputError
from rea_capture.mcp_server.limits import MAX_MEMBERS
from rea_capture.mcp_server.messages import Member, Page
from rea_capture.wording import listed, shortened

JsonType = Literal["object", "array", "string", "number", "boolean", "null"]

_INDEX: Final = re.compile("0|[1-9][0-9]{0,15}")
"""Of an array: none has more members than so many digits can count."""

_MAX_NAMES: Final = 20
_MAX_NAME_CHARACTERS: Final = 80


class NoSuchPartError(Exception):
    """A pointer names nothing; what it does, to be said of whatever the pointer came in."""


def page_of(data: bytes, evidence_id: str, pointer: str, offset: int, length: int) -> Page:
    """Characters ``offset`` to ``offset + length`` of the JSON text of what ``pointer`` names in ``data``.

    Raises :class:`InputError` with a pointer into the arguments.
    """
    try:
        value = part_of(data, pointer)
    except NoSuchPartError as error:
        raise _wrong("/pointer", str(error)) from None
    text = text_of(value)
    if offset > len(text):
        raise _wrong("/offset", f"must be at most {len(text)}, the length of this part")
    end = min(offset + length, len(text))
    whole = offset == 0 and end == len(text)
    return Page(
        characters=len(text),
        evidence_id=evidence_id,
        members=() if whole else tuple(_members(value, pointer)),
        members_omitted=0 if whole else max(0, _count(value) - MAX_MEMBERS),
        next_offset=None if end == len(text) else end,
        offset=offset,
        pointer=pointer,
        text=text[offset:end],
        type=type_of(value),
    )


def part_of(data: bytes, pointer: str) -> Any:
    """What ``pointer`` (RFC 6901) names in the document ``data``. Raises :class:`NoSuchPartError`."""
    value = orjson.loads(data)
    if pointer and not pointer.startswith("/"):
        raise NoSuchPartError("must be empty or begin with /")
    seen: list[str] = []
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        value = _member(value, name, seen)
        seen.append(name)
    return value


def text_of(value: Any) -> str:
    """The canonical JSON text of ``value``."""
    return canonical_bytes(value).decode()


def type_of(value: Any) -> JsonType:
    """What JSON calls the kind of ``value``."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, str):
        return "string"
    return "null" if value is None else "number"


def _member(value: Any, name: str, above: list[str]) -> Any:
    if isinstance(value, dict) and name in value:
        return value[name]
    if isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
        return value[int(name)]
    where = shortened(pointer_of(above), _MAX_NAME_CHARACTERS) or "the top"
    has = (
        f"it has {listed(value, _MAX_NAMES)}"
        if isinstance(value, dict)
        else f"it is an array of {len(value)}"
        if isinstance(value, list)
        else f"it is a {type_of(value)}"
    )
    raise NoSuchPartError(
        f"names {shortened(name, _MAX_NAME_CHARACTERS)!r} at {where}, which is not there: {has}"
    )


def _wrong(argument: str, message: str) -> InputError:
    fault = Fault(argument, message)
    return InputError(f"the call is not valid: {fault}", [fault])


def _count(value: Any) -> int:
    return len(value) if isinstance(value, dict | list) else 0


def _members(value: Any, pointer: str) -> Iterator[Member]:
    if not isinstance(value, dict | list):
        return
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, child in list(items)[:MAX_MEMBERS]:
        yield Member(
            characters=len(text_of(child)), pointer=pointer + pointer_of((name,)), type=type_of(child)
        )
