"""JSON text to plain values, refusing what strict readers disagree about.

Below: the standard library. Above: ``reading`` and the evidence room.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn

from rea_capture.errors import Fault, InputError
from rea_capture.limits import MAX_JSON_DEPTH

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
    (codecs.BOM_UTF8, "UTF-8 with a byte order mark"),
)


class _ObjectWithDuplicates(dict[str, Any]):
    duplicates: tuple[str, ...] = ()


def pointer_of(path: Iterable[str | int]) -> str:
    """``path`` as a JSON Pointer (RFC 6901 section 3)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def plain_json(data: bytes, *, what: str) -> Any:
    """The value of ``data``. Raises :class:`InputError`, naming ``what``, for anything ambiguous.

    Refused: other encodings, byte order marks, NaN and infinities, nesting beyond
    ``MAX_JSON_DEPTH``, an empty text. Duplicate keys are left for :func:`duplicate_key_faults`, so
    that they are reported beside the other faults.
    """
    text = _decoded(data, what)
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError:
        _refuse(what, f"nesting is deeper than {MAX_JSON_DEPTH} levels")
    except json.JSONDecodeError as error:
        _refuse(what, f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}")
    except ValueError as error:
        _refuse(what, f"not JSON: {error}")
    if any(len(path) > MAX_JSON_DEPTH for path, _ in _walk(value)):
        _refuse(what, f"nesting is deeper than {MAX_JSON_DEPTH} levels")
    return value


def duplicate_key_faults(value: Any) -> list[Fault]:
    """A fault for each key that appeared more than once in an object of ``plain_json``'s ``value``."""
    return [
        Fault(pointer_of((*path, key)), "this key appears more than once in its object")
        for path, item in _walk(value)
        if isinstance(item, _ObjectWithDuplicates)
        for key in item.duplicates
    ]


def value_count(value: Any) -> int:
    """How many values the containers of ``plain_json``'s ``value`` hold, at every level."""
    return sum(len(item) for _, item in _walk(value))


def _decoded(data: bytes, what: str) -> str:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            _refuse(what, f"it is {name}; write it as UTF-8 without a byte order mark")
    if b"\x00" in data[:4]:
        _refuse(what, "it looks like UTF-16 or UTF-32; write it as UTF-8 without a byte order mark")
    if not data.strip():
        _refuse(what, "it is empty")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse(what, f"it is not UTF-8 (byte {error.start})")


def _refuse(what: str, message: str) -> NoReturn:
    raise InputError(f"the {what} is not valid: {message}", [Fault("", message)]) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    marked = _ObjectWithDuplicates(plain)
    unseen = set(plain)
    duplicates = []
    for key, _ in pairs:
        if key in unseen:
            unseen.remove(key)
        else:
            duplicates.append(key)
    marked.duplicates = tuple(duplicates)
    return marked


def _walk(value: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every container of ``value`` with its path; one level beyond ``MAX_JSON_DEPTH`` is the last."""
    pending: list[tuple[tuple[str | int, ...], Any]] = []
    if isinstance(value, dict | list):
        pending.append(((), value))
    while pending:
        path, item = pending.pop()
        yield path, item
        if len(path) <= MAX_JSON_DEPTH:
            children = item.items() if isinstance(item, dict) else enumerate(item)
            pending.extend(((*path, key), child) for key, child in children if isinstance(child, dict | list))
