"""JSON text to plain values, refusing what strict readers disagree about.

Below: ``wording``. Above: ``reading`` and the evidence room.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NoReturn

from rea_capture.errors import Fault, InputError
from rea_capture.limits import MAX_FAULTS, MAX_JSON_DEPTH
from rea_capture.wording import subject

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
    (codecs.BOM_UTF8, "UTF-8 with a byte order mark"),
)

_SCAN_BYTES: Final = 256 * 1024
_BLANKS: Final = b" \t\r\n"


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
    if sum(1 for _ in _levels(value)) > MAX_JSON_DEPTH + 1:
        _refuse(what, f"nesting is deeper than {MAX_JSON_DEPTH} levels")
    return value


def duplicate_key_faults(value: Any) -> list[Fault]:
    """A fault for each key that appeared more than once in an object of ``plain_json``'s ``value``.

    Those beyond ``MAX_FAULTS`` are counted in one more.
    """
    total = sum(
        len(item.duplicates)
        for level in _levels(value)
        for item in level
        if isinstance(item, _ObjectWithDuplicates)
    )
    if not total:
        return []
    all_of_them = (
        Fault(pointer_of((*path, key)), "this key appears more than once in its object")
        for path, item in _walk(value)
        if isinstance(item, _ObjectWithDuplicates)
        for key in item.duplicates
    )
    faults = list(islice(all_of_them, MAX_FAULTS))
    if total > MAX_FAULTS:
        more = (
            f"has {total - MAX_FAULTS:,} more keys that appear more than once in their objects (MAX_FAULTS)"
        )
        faults.append(Fault("", more))
    return faults


def crowded_object_faults(value: Any, most: int) -> list[Fault]:
    """A fault for each object of ``plain_json``'s ``value`` that has more than ``most`` members."""
    if all(len(item) <= most for level in _levels(value) for item in level if isinstance(item, dict)):
        return []
    return [
        Fault(pointer_of(path), f"has {len(item):,} fields, most of them unknown; remove those")
        for path, item in _walk(value)
        if isinstance(item, dict) and len(item) > most
    ]


def value_count(value: Any) -> int:
    """How many values the containers of ``plain_json``'s ``value`` hold, at every level."""
    return sum(len(item) for level in _levels(value) for item in level)


def has_more_values(data: bytes, limit: int) -> bool:
    """Whether the JSON text ``data`` has more than ``limit`` values in its containers.

    It is known without reading the text, which may take a hundred times its size. Of what is no JSON the
    answer may be either.
    """
    if data.count(b",") + data.count(b"[") + data.count(b"{") <= limit:
        return False  # each value comes after one of them
    count, before, inside = 0, b"", False
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    for start in range(0, len(plain), _SCAN_BYTES):
        pieces = plain[start : start + _SCAN_BYTES].split(b'"')
        # What is outside of strings, each string as one mark.
        text = before + b'"'.join(pieces[inside::2]).translate(None, _BLANKS)
        count += text.count(b",") + text.count(b"[") + text.count(b"{")
        count -= text.count(b"[]") + text.count(b"{}") + before.count(b"[") + before.count(b"{")
        if count - text.endswith((b"[", b"{")) > limit:  # the last may turn out to be empty
            return True
        inside ^= len(pieces) % 2 == 0
        before = b'"' if inside else text[-1:].translate(None, b",")
    return False


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
    raise InputError(f"{subject(what)} is not valid: {message}", [Fault("", message)]) from None


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


def _levels(value: Any) -> Iterator[Sequence[Any]]:
    """The containers of ``value``, those of one depth at a time; one level beyond ``MAX_JSON_DEPTH`` is the
    last.
    """
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_JSON_DEPTH + 2):
        if not level:
            return
        yield level
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, (dict, list))
        ]
