"""Frames over two pipes, one JSON-RPC message a line.

The library's own pipes have no bound for a line, wait for standard input even when the server is told to end,
and say nothing about a line that is no message. These read and write in threads that nobody has to wait for.

Below: ``mcp``, ``frame``. Above: ``serve``.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from queue import SimpleQueue
from typing import Any, Final

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from rea_capture.mcp_server.frame import Frame
from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES, MAX_SENDING_S

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]

_CHUNK_BYTES: Final = 64 * 1024
_LINES_AHEAD: Final = 2
"""Lines that are read before the server takes them."""


@asynccontextmanager
async def pipes(stdin: int, stdout: int) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The streams of a connection over the descriptors ``stdin`` and ``stdout``.

    The incoming one ends when the client has closed either; the block ends the outgoing one.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    receiving = anyio.CancelScope()
    writer = _Writer(stdout)

    async def receive() -> None:
        async with to_server, outgoing.clone() as answers:
            with receiving, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                async for line in _lines(stdin):
                    await _pass_on(line, to_server, answers)

    async def send() -> None:
        async with from_server:
            async for message in from_server:
                data = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
                if not await writer.write(data + b"\n"):
                    break
        receiving.cancel()  # the client has gone, or all is said

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive)
            tasks.start_soon(send)
            yield incoming, outgoing
            receiving.cancel()
    finally:
        with anyio.move_on_after(MAX_SENDING_S, shield=True):
            await writer.close()


async def _pass_on(
    line: bytes | None, to_server: MemoryObjectSendStream[SessionMessage | Exception], answers: Outgoing
) -> None:
    """Give the message in ``line`` to the server, or answer that there is none."""
    if line is None:
        message = f"a message is longer than {MAX_MESSAGE_BYTES:,} bytes (MAX_MESSAGE_BYTES)"
        await answers.send(_error(None, types.INVALID_REQUEST, message))
        return
    if not line.strip():
        return
    try:
        received = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        await answers.send(_not_understood(line))
        return
    await to_server.send(SessionMessage(received, ServerMessageMetadata(request_context=Frame(line))))


def _not_understood(line: bytes) -> SessionMessage:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, types.PARSE_ERROR, "a line is not JSON; each message is one line of JSON")
    named = value.get("id") if isinstance(value, dict) else None
    request_id = named if isinstance(named, str | int) and not isinstance(named, bool) else None
    return _error(request_id, types.INVALID_REQUEST, "a line is JSON, but no JSON-RPC 2.0 message")


def _error(request_id: str | int | None, code: int, message: str) -> SessionMessage:
    error = types.ErrorData(code=code, message=message)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error))


async def _lines(descriptor: int) -> AsyncIterator[bytes | None]:
    """The lines that come from ``descriptor``, without their ends; None for one that is too long."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[tuple[bytes | None] | None] = asyncio.Queue(_LINES_AHEAD)

    def put(item: tuple[bytes | None] | None) -> None:
        asyncio.run_coroutine_threadsafe(lines.put(item), loop).result()

    def read() -> None:
        with suppress(RuntimeError, CancelledError):  # the loop has ended
            for line in _split(descriptor):
                put((line,))
            put(None)

    # A daemon: it may wait for input that never comes, which must not keep the process.
    threading.Thread(target=read, name="rea-stdin", daemon=True).start()
    while (item := await lines.get()) is not None:
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
        return os.read(descriptor, _CHUNK_BYTES)
    except OSError:  # a terminal that has gone
        return b""


class _Writer:
    """Writes to a descriptor in a thread of its own, one piece after the other."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pieces: SimpleQueue[tuple[bytes, asyncio.Future[bool]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._last: asyncio.Future[bool] | None = None
        threading.Thread(target=self._work, name="rea-stdout", daemon=True).start()

    async def write(self, data: bytes) -> bool:
        """Whether ``data`` has been written; not when the reader has gone."""
        self._last = written = self._loop.create_future()
        self._pieces.put((data, written))
        return await asyncio.shield(written)

    async def close(self) -> None:
        """Wait until all is written that was begun."""
        self._pieces.put(None)
        if self._last is not None:
            await asyncio.shield(self._last)

    def _work(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while (piece := self._pieces.get()) is not None:
                data, written = piece
                self._loop.call_soon_threadsafe(written.set_result, self._written(data))

    def _written(self, data: bytes) -> bool:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            return False
        return True
