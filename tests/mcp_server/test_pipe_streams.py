"""Over pipes whose reader is stuck, gone or does not block, input goes on and the end comes."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCResponse

from rea_capture.mcp_server import stdio
from rea_capture.mcp_server.limits import MAX_PENDING_OFFERS
from rea_capture.session.pipes.writer import PipeWriter
from tests.mcp_server.serving import cancelled, request

PATIENCE_S = 30
MAX_LEAVING_S = 0.2
MORE_THAN_A_PIPE_HOLDS = b"x" * 3_000_000


class Ends:
    """A pipe; each end is closed once."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.still_open = {self.reader, self.writer}

    def close(self, *descriptors: int) -> None:
        for descriptor in descriptors or tuple(self.still_open):
            self.still_open.discard(descriptor)
            os.close(descriptor)


@pytest.fixture
def out() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.close()


@pytest.fixture
def given() -> Iterator[Ends]:
    made = Ends()
    yield made
    if made.writer in made.still_open:
        made.close(made.writer)
    for thread in threading.enumerate():
        if (
            thread.name == "rea-stdin"
        ):  # it may read what is closed next; one with a line in hand reads no more
            thread.join(MAX_LEAVING_S)
    made.close()


@asynccontextmanager
async def connected(given: Ends, out: Ends, ending: asyncio.Event) -> AsyncIterator[tuple[Any, Any]]:
    """The streams of a connection, which are closed at the end as the server does."""
    async with stdio.pipes(given.reader, out.writer, ending) as (incoming, outgoing), incoming, outgoing:
        yield incoming, outgoing


def lines(*messages: bytes | dict[str, Any]) -> bytes:
    return b"".join(
        (message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n"
        for message in messages
    )


async def test_a_reader_that_goes_is_noticed_while_there_is_nothing_to_write(out: Ends) -> None:
    gone = asyncio.Event()
    writer = PipeWriter(out.writer, gone.set, MAX_PENDING_OFFERS)
    assert await asyncio.wait_for(writer.write(b"hello\n"), PATIENCE_S)
    out.close(out.reader)
    await asyncio.wait_for(gone.wait(), PATIENCE_S)
    assert not await asyncio.wait_for(writer.write(b"hello\n"), PATIENCE_S)
    await asyncio.wait_for(writer.close(), PATIENCE_S)


async def test_a_reader_that_is_stuck_is_held_for_gone_when_it_is_to_hurry(out: Ends) -> None:
    gone = asyncio.Event()
    writer = PipeWriter(out.writer, gone.set, MAX_PENDING_OFFERS)
    writing = asyncio.ensure_future(writer.write(MORE_THAN_A_PIPE_HOLDS))
    done, _ = await asyncio.wait({writing}, timeout=0.1)
    assert not done
    writer.hurry(0.1)
    assert not await asyncio.wait_for(writing, PATIENCE_S)
    assert gone.is_set()
    await asyncio.wait_for(writer.close(), PATIENCE_S)


async def test_what_nobody_waits_for_is_bounded(out: Ends) -> None:
    writer = PipeWriter(out.writer, lambda: None)
    writing = asyncio.ensure_future(writer.write(MORE_THAN_A_PIPE_HOLDS))
    await asyncio.sleep(0)
    for _ in range(MAX_PENDING_OFFERS + 10):
        writer.offer(b"\n")
    closing = asyncio.ensure_future(writer.close())

    def read() -> bytes:
        taken = bytearray()
        while len(taken) < len(MORE_THAN_A_PIPE_HOLDS) + MAX_PENDING_OFFERS:
            taken += os.read(out.reader, 65_536)
        return bytes(taken)

    taken = await asyncio.wait_for(asyncio.to_thread(read), PATIENCE_S)
    await asyncio.wait_for(closing, PATIENCE_S)
    assert await writing
    assert taken == MORE_THAN_A_PIPE_HOLDS + b"\n" * MAX_PENDING_OFFERS
    os.set_blocking(out.reader, False)
    with pytest.raises(BlockingIOError):
        os.read(out.reader, 1)


async def test_a_writer_of_a_pipe_that_does_not_block_waits_for_room(out: Ends) -> None:
    os.set_blocking(out.writer, False)
    writer = PipeWriter(out.writer, lambda: None)
    writing = asyncio.ensure_future(writer.write(MORE_THAN_A_PIPE_HOLDS))

    def read() -> int:
        count = 0
        while count < len(MORE_THAN_A_PIPE_HOLDS):
            count += len(os.read(out.reader, 65_536))
        return count

    assert await asyncio.wait_for(asyncio.to_thread(read), PATIENCE_S) == len(MORE_THAN_A_PIPE_HOLDS)
    assert await asyncio.wait_for(writing, PATIENCE_S)
    await asyncio.wait_for(writer.close(), PATIENCE_S)


async def test_a_client_that_does_not_read_can_still_cancel_and_leave(
    given: Ends, out: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "MAX_SENDING_S", 0.2)
    ending = asyncio.Event()
    long = SessionMessage(
        JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": MORE_THAN_A_PIPE_HOLDS.decode()})
    )
    async with connected(given, out, ending) as (incoming, outgoing):
        await outgoing.send(long)  # nobody reads it
        os.write(given.writer, lines(*[b"garbage"] * 200, cancelled(1)))
        received = await asyncio.wait_for(incoming.receive(), PATIENCE_S)
        assert isinstance(received, SessionMessage)
        assert isinstance(received.message, JSONRPCNotification)
        given.close(given.writer)
        left = [each async for each in incoming]  # ends
        await outgoing.aclose()
        await asyncio.wait_for(ending.wait(), PATIENCE_S)  # the reader is held for gone
    assert left == []


async def test_input_that_does_not_block_is_waited_for(given: Ends, out: Ends) -> None:
    os.set_blocking(given.reader, False)
    async with connected(given, out, asyncio.Event()) as (incoming, _):
        receiving = asyncio.ensure_future(incoming.receive())
        done, _ = await asyncio.wait({receiving}, timeout=0.1)
        assert not done
        os.write(given.writer, lines(request("ping", 1)))
        received = await asyncio.wait_for(receiving, PATIENCE_S)
        assert isinstance(received, SessionMessage)


async def test_the_end_of_the_server_ends_the_input_and_loses_no_message_in_hand(
    given: Ends, out: Ends
) -> None:
    ending = asyncio.Event()
    async with connected(given, out, ending) as (incoming, _):
        os.write(given.writer, lines(*(request("ping", number) for number in range(100))))
        await asyncio.wait_for(incoming.receive(), PATIENCE_S)
        ending.set()
        async for _ in incoming:
            pass


async def test_an_id_that_is_under_way_is_not_used_again_until_it_is_answered(given: Ends, out: Ends) -> None:
    async with connected(given, out, asyncio.Event()) as (incoming, outgoing):
        os.write(given.writer, lines(request("ping", 1), request("ping", "1"), request("ping", 2)))
        ids = [(await asyncio.wait_for(incoming.receive(), PATIENCE_S)).message.id for _ in range(2)]
        assert ids == [1, 2]
        refused = json.loads(await asyncio.to_thread(os.read, out.reader, 4096))
        assert (refused["id"], refused["error"]["code"]) == (None, -32600)
        assert "under way" in refused["error"]["message"]
        await outgoing.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={})))
        await asyncio.to_thread(os.read, out.reader, 4096)
        os.write(given.writer, lines(cancelled(2), request("ping", 1), request("ping", 2)))
        again = [await asyncio.wait_for(incoming.receive(), PATIENCE_S) for _ in range(3)]
        assert [getattr(each.message, "id", None) for each in again] == [None, 1, 2]


async def test_an_answer_that_cannot_be_written_is_an_error_and_no_end(given: Ends, out: Ends) -> None:
    async with connected(given, out, asyncio.Event()) as (_, outgoing):
        bad = JSONRPCResponse(jsonrpc="2.0", id=5, result={"text": "\ud800"})
        await outgoing.send(SessionMessage(bad))
        told = json.loads(await asyncio.to_thread(os.read, out.reader, 4096))
        assert (told["id"], told["error"]["code"]) == (5, -32603)
