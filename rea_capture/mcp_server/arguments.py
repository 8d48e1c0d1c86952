"""The arguments of a call, from the very bytes that were sent.

The protocol library reads a message too, by its own rules: keys that come twice, numbers that are none. What
a tool gets is therefore read again here, as strictly as the command line reads a file, and is refused with
pointers into the arguments.

Below: the contracts. Above: ``tools``, and ``server``, which has the bytes from ``frame``.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar

from rea_capture.contracts.json_text import duplicate_key_faults, has_more_values, plain_json
from rea_capture.contracts.reading import refuse_large_scenario, summary, validated
from rea_capture.errors import Fault, InputError
from rea_capture.mcp_server.catalogue import CAPTURE
from rea_capture.mcp_server.limits import MAX_CALL_BYTES, MAX_CALL_VALUES
from rea_capture.mcp_server.refusals import TooLargeError

T = TypeVar("T")

_ARGUMENTS: Final = "/params/arguments"
_BESIDE_VALUES: Final = 1_000
"""What a message may hold beside its arguments, before it counts."""


def arguments_of(raw: bytes | None, given: dict[str, Any] | None, tool: str) -> dict[str, Any]:
    """The arguments of a call of ``tool``: those in ``raw``, or ``given`` where there is no raw message.

    Raises :class:`TooLargeError`, and :class:`InputError` for what is ambiguous and for too large a scenario.
    """
    size = len(raw) if raw is not None else len(json_bytes(given or {}))
    if size > MAX_CALL_BYTES:
        raise TooLargeError.of(tool, size)
    if raw is None:
        return given or {}
    if tool == CAPTURE:
        refuse_large_scenario(raw, beside=_BESIDE_VALUES)
    elif has_more_values(raw, MAX_CALL_VALUES):
        raise TooLargeError.in_values(tool)
    message = plain_json(raw, what="call")
    faults = [_in_arguments(fault) for fault in duplicate_key_faults(message)]
    if faults:
        raise InputError(summary("call", faults), faults)
    return message["params"].get("arguments") or {}


def _in_arguments(fault: Fault) -> Fault:
    """``fault``, of the message, as one of the arguments; one beside them is of the call as a whole."""
    inside, _, pointer = fault.pointer.partition(_ARGUMENTS)
    if not inside and pointer.startswith("/"):
        return Fault(pointer, fault.message)
    return Fault("", f"{fault.message}: {fault.pointer} of the message")


def json_bytes(value: Any) -> bytes:
    """``value`` as JSON, numbers as they were written. Raises :class:`InputError` for what is no JSON."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        fault = Fault("", f"is not a JSON value: {error}")
        raise InputError(f"the call is not valid: {fault}", [fault]) from None


def read_arguments(arguments: dict[str, Any], model: type[T]) -> T:
    """``arguments`` as ``model``. Raises :class:`InputError` with every fault."""
    read: T = validated(json_bytes(arguments), arguments, model, what="call")
    return read
