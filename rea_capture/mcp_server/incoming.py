"""What the bytes of a message are taken for: one rule, whichever way they came.

The library overlooks what is wrong with a message in some places and refuses it without a word in others. So
it gets messages that it reads as they are meant; each other is answered, and a call whose arguments it would
not read is handed on without them, for the tool to say what is wrong.

Below: ``mcp_types``, ``apart``. Above: ``stdio``, ``http_requests``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types
from pydantic import ValidationError

from rea_capture.mcp_server.apart import without_arguments
from rea_capture.mcp_server.limits import MAX_CALL_VALUES, MAX_WHOLE_BYTES


@dataclass(frozen=True, slots=True)
class Received:
    """A message, and the bytes that the library may read of it: those that came, or those of the call without
    its arguments.
    """

    message: types.JSONRPCMessage
    data: bytes


def received(data: bytes) -> Received | types.JSONRPCError:
    """What ``data`` is taken for; an error is the answer to what is no message."""
    apart = without_arguments(data) if len(data) > MAX_WHOLE_BYTES else None
    if apart is not None:
        taken = _received(apart)
        if isinstance(taken, Received) and _is_call(taken.message):
            return taken
    return _received(data)


def error(request_id: str | int | None, code: int, message: str) -> types.JSONRPCError:
    """An answer that says what is wrong with a message."""
    return types.JSONRPCError(jsonrpc="2.0", id=request_id, error=types.ErrorData(code=code, message=message))


class Calls:
    """The ids of the requests of one client that are under way."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def begun(self, message: types.JSONRPCMessage) -> types.JSONRPCError | None:
        """The answer to a request with the id of another; the library holds ``7`` and ``"7"`` for one."""
        if not isinstance(message, types.JSONRPCRequest):
            return None
        if str(message.id) in self._ids:
            sentence = "a request with this id is under way; ids are used once"
            return error(None, types.INVALID_REQUEST, sentence)
        self._ids.add(str(message.id))
        return None

    def over(self, request_id: Any) -> None:
        """The request of this id has been answered, or is not to be."""
        self._ids.discard(str(request_id))

    def __len__(self) -> int:
        return len(self._ids)


def _is_call(message: types.JSONRPCMessage) -> bool:
    return isinstance(message, types.JSONRPCRequest) and message.method == "tools/call"


def _received(data: bytes) -> Received | types.JSONRPCError:
    if _too_many_values(data):
        sentence = f"a message has more than {MAX_CALL_VALUES:,} values (MAX_CALL_VALUES)"
        return error(None, types.INVALID_REQUEST, sentence)
    try:
        message = types.jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValidationError:
        return _not_understood(data)
    if _CONSTANT.search(data) and (call := _call_with_constants(data)) is not None:
        return call
    if isinstance(message, types.JSONRPCNotification) and "id" in json.loads(data):
        return error(None, types.INVALID_REQUEST, "an id has to be a string or an integer")
    return Received(message, data)


def _too_many_values(data: bytes) -> bool:
    if len(data) <= MAX_CALL_VALUES:
        return False
    from rea_capture.contracts.json_text import has_more_values  # noqa: PLC0415 - of hardly any message

    return has_more_values(data, MAX_CALL_VALUES)


_CONSTANT: Final = re.compile(rb"NaN|Infinity")
"""What the library takes for numbers in one place and refuses without a word in another."""


def _call_with_constants(data: bytes) -> Received | None:
    """The call in ``data`` if its arguments have a constant that is no JSON."""
    found: list[str] = []
    value = json.loads(data, parse_constant=found.append)
    return _call_to_refuse(value) if found else None


def _not_understood(data: bytes) -> Received | types.JSONRPCError:
    """The call in ``data`` that a tool refuses in its words, or the answer that ``data`` is no message."""
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return error(None, types.PARSE_ERROR, "a message is not JSON; over pipes, each is one line of JSON")
    call = _call_to_refuse(value)
    if call is not None:
        return call
    request_id = value.get("id") if isinstance(value, dict) else None
    known = request_id if _is_id(request_id) else None
    return error(known, types.INVALID_REQUEST, "a message is JSON, but no JSON-RPC 2.0 message")


def _call_to_refuse(value: Any) -> Received | None:
    """The call in ``value``, where only its arguments are such that the library does not read them.

    It is passed on without them: a tool reads what was sent, and says what is wrong with it.
    """
    params = value.get("params") if isinstance(value, dict) else None
    if not isinstance(params, dict) or not isinstance(params.get("arguments"), dict):
        return None
    try:
        without = {**value, "params": {**params, "arguments": {}}}
        beside = json.dumps(without, ensure_ascii=False, allow_nan=False).encode()
        message = types.JSONRPCRequest.model_validate_json(beside)
    except (ValueError, RecursionError):
        return None
    return Received(message, beside) if _is_call(message) else None


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, int) and not isinstance(value, bool)
