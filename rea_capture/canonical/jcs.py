"""JSON values to the bytes of RFC 8785, the JSON Canonicalization Scheme.

``rfc8785`` is the reference. ``orjson`` with sorted keys gives the same bytes about thirty times
faster, but only for values it can be proved for: it sorts keys by UTF-8 and not by UTF-16 code
units (section 3.2.3) and writes numbers its own way (section 3.2.2.3). So the fast path is taken
for values whose keys are ASCII and whose numbers are safe integers, and a property test holds the
two together.

Below: rfc8785, orjson. Above: ``digest``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import orjson

from rea_capture.errors import Fault, InputError
from rea_capture.limits import MAX_SAFE_INTEGER

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def canonical_bytes(value: Json) -> bytes:
    """The RFC 8785 form of ``value``.

    Raises :class:`InputError` for what that form cannot express: integers outside the safe range,
    NaN and infinities, lone surrogates, keys that are not strings.
    """
    if _orjson_agrees(value):
        try:
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        except (orjson.JSONEncodeError, RecursionError):
            pass  # a lone surrogate, or too deep for orjson: let the reference decide
    return _reference_bytes(value)


def record_bytes(value: Any) -> bytes:
    """The RFC 8785 form of a value that is known to be one orjson writes as the reference would.

    ``value`` is a record (:func:`rea_capture.contracts.base.record`), or dicts, lists, tuples, text, None,
    booleans and numbers, with records anywhere inside. The caller answers for two things, which nobody
    checks here: every key is ASCII text, so that sorting by UTF-8 is sorting by UTF-16 code units
    (RFC 8785 section 3.2.3), and every number is a safe integer. ``OPT_SORT_KEYS`` sorts dicts and leaves
    records alone, whose fields are declared in ascending order. The one number that may not be whole,
    ``device_scale_factor``, is a float only then and within its bounds
    (:mod:`rea_capture.contracts.recorded_environment`): there both write the shortest digits that read back
    as the same number, without an exponent (section 3.2.2.3).

    Raises ``TypeError`` for text with a lone surrogate and for what is not JSON.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _orjson_agrees(value: Json) -> bool:
    pending: list[Any] = [value]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is str or kind is bool or item is None:
            continue
        if kind is int:
            if not -MAX_SAFE_INTEGER <= item <= MAX_SAFE_INTEGER:
                return False
        elif kind is dict:
            if not all(type(key) is str and key.isascii() for key in item):
                return False
            pending.extend(item.values())
        elif kind is list or kind is tuple:
            pending.extend(item)
        else:
            return False
    return True


def _reference_bytes(value: Json) -> bytes:
    import rfc8785  # noqa: PLC0415 - the slow path only

    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        message = f"this value has no canonical JSON form: {error}"
        raise InputError(message, [Fault("", message)]) from error
