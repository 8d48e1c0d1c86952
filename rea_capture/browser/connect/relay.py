"""The driver's connection to a browser that is not ours, over a relay of our own.

Left to itself the driver would follow a redirect of the WebSocket's handshake to any host, and dismiss every
dialog of every tab until it has been told that somebody listens. So it is given an address of ours: a port of
the loopback interface and a path that nobody can guess, good for one connection. What it says there goes to
the browser over a WebSocket that was opened and verified before, byte for byte, but for one thing:

    its answers to dialogs are left out while ``answers_dialogs`` is off.

What the browser says is not even looked at. When the browser ends the connection, ``lost`` tells.

Below: ``handshake``. Above: ``attaching``, ``driver``.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from rea_capture.browser.connect.discovery import RunningBrowser
from rea_capture.browser.connect.handshake import HEAD_END, Streams, accepted, fields_of, open_websocket
from rea_capture.errors import UnavailableError

HEAD_TIMEOUT_S: Final = 10.0
"""For whoever connects to say what it wants. The driver does so at once."""

MAX_LOOKED_AT_BYTES: Final = 1_024
"""The dismissal of a dialog has about a hundred; what is longer is passed on unseen."""

LOST_PATIENCE_S: Final = 0.5
"""A browser that ends takes its pages away first, and then the connection."""

_ANSWER_TO_DIALOG: Final = b'"Page.handleJavaScriptDialog"'
_PIECE_BYTES: Final = 262_144
_PATH_BYTES: Final = 32
_MASK_BYTES: Final = 4
_NOT_FOUND: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_SWITCHING: Final = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
_GONE: Final = (OSError, EOFError, asyncio.LimitOverrunError, TimeoutError)


class Relay:
    """Made by :func:`relayed`. ``url`` is for the driver alone."""

    def __init__(self, browser: Streams) -> None:
        self._from_browser, self._to_browser = browser
        self._path = f"/{secrets.token_urlsafe(_PATH_BYTES)}".encode("ascii")
        self._server: asyncio.Server | None = None
        self._conversations: set[asyncio.Task[None]] = set()
        self._is_taken = False
        self._is_over = False
        self.lost = asyncio.Event()
        """Set when the browser ended the connection, and not we."""
        self.answers_dialogs = False
        self.url = ""

    async def start(self) -> None:
        """Listen. Raises ``OSError``."""
        self._server = await asyncio.start_server(self._met, "127.0.0.1", 0, limit=_PIECE_BYTES)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}{self._path.decode('ascii')}"

    async def is_lost(self) -> bool:
        """Whether the browser ended the connection, or does so now."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOST_PATIENCE_S):
                await self.lost.wait()
        return self.lost.is_set()

    def let_go(self) -> None:
        """From now on it is we who end the connection, and no dialog is answered any more."""
        self._is_over = True
        self.answers_dialogs = False

    async def close(self) -> None:
        """End it, at both ends."""
        self.let_go()
        if self._server is not None:
            self._server.close()
        for conversation in self._conversations:
            conversation.cancel()
        await asyncio.gather(*self._conversations, return_exceptions=True)
        self._to_browser.close()

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = asyncio.current_task()
        assert conversation is not None
        self._conversations.add(conversation)
        try:
            # Cancelled it ends as well; the streams of Python 3.11 would log that as a fault.
            with suppress(*_GONE, asyncio.CancelledError):
                await self._meet(reader, writer)
        finally:
            self._conversations.discard(conversation)
            writer.close()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(HEAD_TIMEOUT_S):
            key = self._key_of(await reader.readuntil(HEAD_END))
        if key is None or self._is_taken or self._server is None:
            writer.write(_NOT_FOUND)
            return
        self._is_taken = True
        self._server.close()
        writer.write(_SWITCHING + b"Sec-WebSocket-Accept: " + accepted(key) + HEAD_END)
        await self._carry(reader, writer)

    def _key_of(self, head: bytes) -> bytes | None:
        """The driver's key; None unless it asks for the path that only it was told."""
        asked = head.split(b"\r\n", 1)[0].split(b" ")
        if len(asked) != 3 or not secrets.compare_digest(asked[1], self._path):
            return None
        return fields_of(head).get(b"sec-websocket-key")

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = asyncio.ensure_future(self._commands(reader))
        back = asyncio.ensure_future(self._answers(writer))
        try:
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            there.cancel()
            back.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
            browser = self._from_browser
            if not self._is_over and (browser.at_eof() or browser.exception() is not None):
                self.lost.set()
            self._to_browser.close()

    async def _answers(self, writer: asyncio.StreamWriter) -> None:
        while piece := await self._from_browser.read(_PIECE_BYTES):
            writer.write(piece)
            await writer.drain()

    async def _commands(self, reader: asyncio.StreamReader) -> None:
        """Pass on the driver's frames (RFC 6455 section 5.2), which are masked as a client's are."""
        while True:
            head = await reader.readexactly(2)
            size = head[1] & 0x7F
            if size > 125:
                longer = await reader.readexactly(2 if size == 126 else 8)
                head, size = head + longer, int.from_bytes(longer)
            if size <= MAX_LOOKED_AT_BYTES:
                frame = await reader.readexactly(_MASK_BYTES + size)
                if not self.answers_dialogs and _ANSWER_TO_DIALOG in _unmasked(frame):
                    continue
                self._to_browser.write(head + frame)
            else:
                self._to_browser.write(head)
                await self._pass_on(reader, _MASK_BYTES + size)
            await self._to_browser.drain()

    async def _pass_on(self, reader: asyncio.StreamReader, size: int) -> None:
        while size:
            piece = await reader.read(min(size, _PIECE_BYTES))
            if not piece:
                raise EOFError
            size -= len(piece)
            self._to_browser.write(piece)
            await self._to_browser.drain()


@asynccontextmanager
async def relayed(browser: RunningBrowser, timeout_ms: int) -> AsyncIterator[Relay]:
    """A relay to ``browser`` for one driver, for as long as the block runs.

    Raises :class:`UnavailableError` when the browser does not open a WebSocket within ``timeout_ms``, or
    nothing can listen on the loopback interface.
    """
    relay = Relay(await open_websocket(browser, timeout_ms))
    try:
        try:
            await relay.start()
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise UnavailableError(
                f"the browser could not be attached to: no connection to it can be made: {reason}"
            ) from None
        yield relay
    finally:
        await relay.close()


def _unmasked(frame: bytes) -> bytes:
    """What ``frame``, its mask first, says."""
    mask, said = frame[:_MASK_BYTES], frame[_MASK_BYTES:]
    repeated = (mask * (len(said) // _MASK_BYTES + 1))[: len(said)]
    return (int.from_bytes(said) ^ int.from_bytes(repeated)).to_bytes(len(said))
