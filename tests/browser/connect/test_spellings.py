"""Two spellings of one endpoint are one browser: one lease, and the same capture."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from rea_capture.browser.connect import lease
from rea_capture.browser.connect.discovery import discover
from rea_capture.browser.connect.lease import leased
from rea_capture.errors import UnavailableError
from tests.browser.connect.conftest import RunAttached, SomebodysBrowser
from tests.loopback import Loopback


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest_asyncio.fixture(loop_scope="session")
async def other_spelling(browser: SomebodysBrowser) -> AsyncIterator[str]:
    """``[::1]`` with the same port; the browser itself listens on ``127.0.0.1`` only."""
    connections: set[asyncio.Task[None]] = set()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", browser.port)
        for copying in (_copied(reader, their_writer), _copied(their_reader, writer)):
            connections.add(asyncio.ensure_future(copying))

    listening = socket.create_server(("::1", browser.port), family=socket.AF_INET6)
    server = await asyncio.start_server(forward, sock=listening)
    yield f"http://[::1]:{browser.port}"
    server.close()
    for connection in connections:
        connection.cancel()
    await asyncio.gather(*connections, return_exceptions=True)


async def test_both_spellings_capture_and_share_the_lease(
    browser: SomebodysBrowser, tab: str, other_spelling: str, run_attached: RunAttached, loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    one, other = await discover(browser.endpoint), await discover(other_spelling)
    assert one.websocket_url != other.websocket_url
    browser_entry = {"mode": "connect", "cdp_endpoint": other_spelling, "target_id": tab}
    evidence = await run_attached(loopback.route("/", "<p>x"), browser_entry=browser_entry)
    assert [step.status for step in evidence.normalized_result.steps] == ["completed", "completed"]
    monkeypatch.setattr(lease, "LEASE_TIMEOUT_MS", 0)
    async with leased(one.path, tab, print):
        with pytest.raises(UnavailableError, match="another capture has used target"):
            await run_attached(loopback.origin, browser_entry=browser_entry)
