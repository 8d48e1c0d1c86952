"""Frames over two pipes, one JSON-RPC message a line.

The library's own pipes have no bound for a line, wait for standard input even when the server is told to end,
and say nothing about a line that is no message. These read and write in threads that nobody has to wait for,
and know each other: whichever the client closes, the other ends too.

Below: ``mcp``, ``frame``, ``pipe_writer``. Above: ``serve``.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from rea_capture.evidence.descriptors import read_some
from rea_capture.mcp_server.frame import Frame
from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES, MAX_SENDING_S
from rea_capture.mcp_server.pipe_writer import PipeWriter

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]

_CHUNK_BYTES: Final = 64 * 1024
_LINES_AHEAD: Final = 2
"""Lines that are read before the server takes them."""


@asynccontextmanager
async def pipes(stdin: int, stdout: int, ending: asyncio.Event) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The streams of a connection over the descriptors ``stdin`` and ``stdout``.

    The incoming one ends when the client has closed either, and when ``ending`` is set; the block ends the
    outgoing one. From then on each message has :data:`MAX_SENDING_S` to be taken.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    writer = PipeWriter(stdout, on_gone=ending.set)
    calls = _Calls()

    async def receive() -> None:
        async with to_server, anyio.create_task_group() as reading:
            reading.start_soon(_cancel_after, ending, reading.cancel_scope)
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                async for line in _lines(stdin):
                    message = _message_in(line, calls)
                    if isinstance(message, types.JSONRPCError):
                        writer.offer(_written(message))  # input goes on, whether or not the client reads
                    elif message is not None:
                        assert line is not None
                        metadata = ServerMessageMetadata(request_context=Frame(line))
                        await to_server.send(SessionMessage(message, metadata))
            reading.cancel_scope.cancel()
        writer.hurry(MAX_SENDING_S)

    async def send() -> None:
        async with from_server:
            async for message in from_server:
                calls.answered(message.message)
                if not await writer.write(_written(message.message)):
                    break
        ending.set()  # the client has gone, or all is said

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive)
            tasks.start_soon(send)
            yield incoming, outgoing
            ending.set()
    finally:
        writer.hurry(MAX_SENDING_S)
        with anyio.move_on_after(MAX_SENDING_S, shield=True):
            await writer.close()


async def _cancel_after(event: asyncio.Event, scope: anyio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


class _Calls:
    """The ids of the requests that are under way."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def begun(self, request_id: str | int) -> bool:
        """Whether no other is under way; the library holds ``7`` and ``"7"`` for the same."""
        if str(request_id) in self._ids:
            return False
        self._ids.add(str(request_id))
        return True

    def answered(self, message: types.JSONRPCMessage) -> None:
        """What ``message`` answers is over."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._ids.discard(str(message.id))

    def given_up(self, message: types.JSONRPCNotification) -> None:
        """What ``message`` cancels is not answered any more."""
        if message.method == "notifications/cancelled":
            self._ids.discard(str((message.params or {}).get("requestId")))


def _message_in(line: bytes | None, calls: _Calls) -> types.JSONRPCMessage | None:
    """The message in ``line``, or the answer that there is none; nothing where none is due."""
    if line is None:
        message = f"a message is longer than {MAX_MESSAGE_BYTES:,} bytes (MAX_MESSAGE_BYTES)"
        return _error(None, types.INVALID_REQUEST, message)
    if not line.strip():
        return None
    try:
        received = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        received = _not_understood(line)
    else:
        if isinstance(received, types.JSONRPCError):  # an answer, from a client that was asked nothing
            return None
        if _CONSTANT.search(line):
            received = _call_with_constants(line) or received
        if isinstance(received, types.JSONRPCNotification):
            if "id" in json.loads(line):  # the library overlooks an id that is none
                return _error(None, types.INVALID_REQUEST, "an id has to be a string or an integer")
            calls.given_up(received)
    if isinstance(received, types.JSONRPCRequest) and not calls.begun(received.id):
        return _error(None, types.INVALID_REQUEST, "a request with this id is under way; ids are used once")
    return received


_CONSTANT: Final = re.compile(rb"NaN|Infinity")
"""What the library takes for numbers in one place and refuses without a word in another."""


def _call_with_constants(line: bytes) -> types.JSONRPCRequest | None:
    """The call in ``line`` if its arguments have a constant that is no JSON."""
    found: list[str] = []
    value = json.loads(line, parse_constant=found.append)
    return _call_to_refuse(value) if found else None


def _not_understood(line: bytes) -> types.JSONRPCMessage:
    """The call in ``line`` that a tool refuses in its words, or the answer that ``line`` is no message."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, types.PARSE_ERROR, "a line is not JSON; each message is one line of JSON")
    call = _call_to_refuse(value)
    if call is not None:
        return call
    request_id = value.get("id") if isinstance(value, dict) else None
    message = "a line is JSON, but no JSON-RPC 2.0 message"
    return _error(request_id if _is_id(request_id) else None, types.INVALID_REQUEST, message)


def _call_to_refuse(value: Any) -> types.JSONRPCRequest | None:
    """The call in ``value``, where only its arguments are such that the library does not read them.

    It is passed on without them: a tool reads what was sent, and says what is wrong with it.
    """
    params = value.get("params") if isinstance(value, dict) else None
    if not isinstance(params, dict) or not isinstance(params.get("arguments"), dict):
        return None
    try:
        without = {**value, "params": {**params, "arguments": {}}}
        beside = json.dumps(without, ensure_ascii=False, allow_nan=False)
        request = types.JSONRPCRequest.model_validate_json(beside.encode())
    except (ValueError, RecursionError):
        return None
    return request if request.method == "tools/call" else None


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _error(request_id: str | int | None, code: int, message: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error)


def _written(message: types.JSONRPCMessage) -> bytes:
    """``message`` as a line."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except (PydanticSerializationError, UnicodeEncodeError):
        request_id = message.id if isinstance(message, types.JSONRPCResponse) else None
        return _written(_error(request_id, types.INTERNAL_ERROR, "the answer cannot be written as JSON"))


async def _lines(descriptor: int) -> AsyncIterator[bytes | None]:
    """The lines that come from ``descriptor``, without their ends; None for one that is too long."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[tuple[bytes | None] | None] = asyncio.Queue()
    room = threading.Semaphore(_LINES_AHEAD)

    def put(item: tuple[bytes | None] | None) -> None:
        room.acquire()
        loop.call_soon_threadsafe(lines.put_nowait, item)

    def read() -> None:
        with suppress(RuntimeError):  # the loop has ended
            for line in _split(descriptor):
                put((line,))
            put(None)

    # A daemon: it may wait for input that never comes, which must not keep the process.
    threading.Thread(target=read, name="rea-stdin", daemon=True).start()
    while (item := await lines.get()) is not None:
        room.release()
        yield item[0]


def _split(descriptor: int) -> Iterator[bytes | None]:
    kept = bytearray()
    too_long = False
    while chunk := _read(descriptor):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            whole = too_long or len(kept) + len(end) > MAX_MESSAGE_BYTES
            yield None if whole else bytes(kept + end)
            kept.clear()
            too_long = False
        too_long = too_long or len(kept) + len(rest) > MAX_MESSAGE_BYTES
        if too_long:
            kept.clear()
        else:
            kept += rest
    if kept:
        yield bytes(kept)


def _read(descriptor: int) -> bytes:
    try:
        return read_some(descriptor, _CHUNK_BYTES)
    except OSError:  # a terminal that has gone
        return b""
