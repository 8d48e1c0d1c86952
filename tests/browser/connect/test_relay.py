"""The driver's connection leads where the verified one does, and nowhere else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from rea_capture.browser.connect.discovery import RunningBrowser
from rea_capture.browser.connect.relay import Relay, relayed
from rea_capture.errors import UnavailableError
from tests.browser.connect.conftest import RunAttached
from tests.browser.connect.fake_endpoint import fake_endpoint, http, switching
from tests.browser.connect.raw_cdp import PATIENCE_S, RawClient
from tests.loopback import Loopback

PATH = "/devtools/browser/x"
TIMEOUT_MS = 5_000
DISMISSAL = ("Page.handleJavaScriptDialog", {"accept": False}, "S")


class Told:
    """A debugger that answers every command with its length, and keeps the methods."""

    def __init__(self) -> None:
        self.methods: list[str] = []
        self.connections: list[asyncio.StreamWriter] = []

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        try:
            writer.write(switching((await reader.readuntil(b"\r\n\r\n")).decode()))
            while True:
                message = json.loads(said := await _frame(reader))
                self.methods.append(message["method"])
                answer = {"id": message["id"], "result": {"length": len(said), "pad": "y" * len(said)}}
                writer.write(_unmasked_frame(json.dumps(answer).encode()))
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()


async def _frame(reader: asyncio.StreamReader) -> bytes:
    _, second = await reader.readexactly(2)
    size = second & 0x7F
    if size > 125:
        size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8))
    mask = await reader.readexactly(4)
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(await reader.readexactly(size)))


def _unmasked_frame(said: bytes) -> bytes:
    size = len(said)
    if size < 126:
        return bytes([0x81, size]) + said
    if size < 2**16:
        return b"\x81\x7e" + size.to_bytes(2) + said
    return b"\x81\x7f" + size.to_bytes(8) + said


@asynccontextmanager
async def relay_to(debugger: Told) -> AsyncIterator[Relay]:
    server = await asyncio.start_server(debugger.handle, "127.0.0.1", 0, limit=2**22)
    port = server.sockets[0].getsockname()[1]
    try:
        async with relayed(RunningBrowser("127.0.0.1", port, PATH, "Chrome/1", ()), TIMEOUT_MS) as relay:
            yield relay
    finally:
        server.close()


async def ended(client: RawClient) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(client._task, return_exceptions=True)
    await client.close()


@pytest.mark.parametrize("length", [0, 40, 60, 125, 900, 1_100, 70_000, 600_000])
async def test_commands_and_answers_of_every_length_arrive_whole(length: int) -> None:
    debugger = Told()
    async with relay_to(debugger) as relay:
        client = await RawClient.open(relay.url)
        for _ in range(3):
            result = await client.send("Runtime.evaluate", {"pad": "x" * length})
            assert result["length"] > length
            assert len(result["pad"]) == result["length"]
        await client.close()
    assert debugger.methods == ["Runtime.evaluate"] * 3


async def test_no_dialog_is_answered_until_it_is_allowed_and_not_after_it_is_let_go() -> None:
    debugger = Told()
    async with relay_to(debugger) as relay:
        client = await RawClient.open(relay.url)

        async def dismiss() -> None:
            asking = asyncio.ensure_future(client.send(*DISMISSAL))
            next_one = asyncio.ensure_future(client.send("Page.enable"))
            await next_one  # so the dismissal has been passed on, or has not
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

        await dismiss()
        assert debugger.methods == ["Page.enable"]
        relay.answers_dialogs = True
        await dismiss()
        assert debugger.methods[1:] == ["Page.handleJavaScriptDialog", "Page.enable"]
        relay.let_go()
        await dismiss()
        assert debugger.methods[3:] == ["Page.enable"]
        await client.close()


async def test_nobody_but_who_was_told_the_address_gets_through_and_only_once() -> None:
    debugger = Told()
    async with relay_to(debugger) as relay:
        guess = relay.url[:-1] + ("A" if relay.url[-1] != "A" else "B")
        for url in (guess, relay.url.rsplit("/", 1)[0] + "/"):
            with pytest.raises(AssertionError, match="404"):
                await RawClient.open(url)
        client = await RawClient.open(relay.url)
        with pytest.raises(OSError):  # noqa: PT011 - refused in whatever way the system does
            await RawClient.open(relay.url)
        assert await client.send("Page.enable")
        await client.close()
    assert debugger.methods == ["Page.enable"]
    assert len(debugger.connections) == 1


@pytest.mark.parametrize(
    ("end", "is_lost"),
    [
        (lambda debugger, _: debugger.connections[0].close(), True),
        (lambda debugger, _: debugger.connections[0].transport.abort(), True),
        (lambda _, client: client._writer.close(), False),
        (lambda _, client: client._writer.transport.abort(), False),
    ],
    ids=["browser-closes", "browser-aborts", "driver-closes", "driver-aborts"],
)
async def test_an_end_at_either_side_ends_the_other_and_tells_which_it_was(
    end: Callable[[Told, RawClient], None], is_lost: bool
) -> None:
    debugger = Told()
    async with relay_to(debugger) as relay:
        client = await RawClient.open(relay.url)
        await client.send("Page.enable")
        end(debugger, client)
        await ended(client)
        assert await relay.is_lost() is is_lost
        async with asyncio.timeout(PATIENCE_S):
            await debugger.connections[0].wait_closed()


async def test_what_ends_because_it_was_let_go_is_not_lost() -> None:
    debugger = Told()
    async with relay_to(debugger) as relay:
        client = await RawClient.open(relay.url)
        await client.send("Page.enable")
        relay.let_go()
        debugger.connections[0].close()
        await ended(client)
    assert not await relay.is_lost()


async def test_leaving_ends_both_connections_and_the_port() -> None:
    debugger = Told()
    async with relay_to(debugger) as relay:
        client = await RawClient.open(relay.url)
        await client.send("Page.enable")
        silent = await asyncio.open_connection(
            "127.0.0.1", debugger.connections[0].get_extra_info("sockname")[1]
        )
    await ended(client)
    silent[1].close()
    async with asyncio.timeout(PATIENCE_S):
        await debugger.connections[0].wait_closed()
    with pytest.raises(OSError):  # noqa: PT011 - as above
        await RawClient.open(relay.url)


async def test_a_second_handshake_that_leads_elsewhere_is_never_made(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    async with fake_endpoint() as fake, fake_endpoint() as elsewhere:
        path = "/devtools/browser/0000-1111"

        async def answer(writer: asyncio.StreamWriter) -> None:
            if fake.asked.count(f"GET {path} HTTP/1.1") == 1:
                writer.write(switching(fake.heads[-1]))  # and then it has nothing more to say
            else:
                writer.write(http("", "302 Found", f"Location: {elsewhere.debugger}\r\n"))

        fake.replies[path] = answer
        where: dict[str, Any] = {"mode": "connect", "cdp_endpoint": fake.address, "target_id": "A"}
        with pytest.raises(UnavailableError, match="the browser could not be attached to: "):
            await run_attached(loopback.origin, browser_entry=where, command_timeout_ms=500, own_driver=True)
        assert fake.asked.count(f"GET {path} HTTP/1.1") == 1
        assert elsewhere.asked == []
