"""Frames over two pipes, one JSON-RPC message a line.

The library's own pipes have no bound for a line, wait for standard input even when the server is told to end,
and say nothing about a line that is no message. These read and write in threads that nobody has to wait for,
and know each other: whichever the client closes, the other ends too.

Below: ``mcp``, ``frame``, ``incoming``, ``session.pipes``. Above: ``serve``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic_core import PydanticSerializationError

from rea_capture.mcp_server.frame import Frame
from rea_capture.mcp_server.incoming import Calls, error, received
from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES, MAX_PENDING_OFFERS, MAX_SENDING_S
from rea_capture.session.pipes.reader import lines
from rea_capture.session.pipes.writer import PipeWriter

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def pipes(stdin: int, stdout: int, ending: asyncio.Event) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The streams of a connection over the descriptors ``stdin`` and ``stdout``.

    The incoming one ends when the client has closed either, and when ``ending`` is set; the block ends the
    outgoing one. From then on each message has :data:`MAX_SENDING_S` to be taken.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    writer = PipeWriter(stdout, ending.set, MAX_PENDING_OFFERS)
    calls = Calls()

    async def receive() -> None:
        async with to_server, anyio.create_task_group() as reading:
            reading.start_soon(_cancel_after, ending, reading.cancel_scope)
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                async for line in lines(stdin, MAX_MESSAGE_BYTES):
                    message = _taken(line, calls)
                    if isinstance(message, types.JSONRPCError):
                        writer.offer(_written(message))  # input goes on, whether or not the client reads
                    elif message is not None:
                        assert line is not None
                        metadata = ServerMessageMetadata(request_context=Frame(line))
                        await to_server.send(SessionMessage(message, metadata))
                        del metadata
                    del line, message  # not kept while the next is awaited
            reading.cancel_scope.cancel()
        writer.hurry(MAX_SENDING_S)

    async def send() -> None:
        async with from_server:
            async for message in from_server:
                if isinstance(message.message, types.JSONRPCResponse | types.JSONRPCError):
                    calls.over(message.message.id)
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


def _taken(line: bytes | None, calls: Calls) -> types.JSONRPCMessage | None:
    """The message in ``line``, or the answer that there is none; nothing where none is due."""
    if line is None:
        sentence = f"a message is longer than {MAX_MESSAGE_BYTES:,} bytes (MAX_MESSAGE_BYTES)"
        return error(None, types.INVALID_REQUEST, sentence)
    if not line.strip():
        return None
    taken = received(line)
    if isinstance(taken, types.JSONRPCError):
        return taken
    message = taken.message
    if isinstance(message, types.JSONRPCError):  # an answer, from a client that was asked nothing
        return None
    if isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
        calls.over((message.params or {}).get("requestId"))  # it is not answered any more
    return calls.begun(message) or message


def _written(message: types.JSONRPCMessage) -> bytes:
    """``message`` as a line."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except (PydanticSerializationError, UnicodeEncodeError):
        request_id = message.id if isinstance(message, types.JSONRPCResponse) else None
        return _written(error(request_id, types.INTERNAL_ERROR, "the answer cannot be written as JSON"))
