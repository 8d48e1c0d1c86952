"""Opening a WebSocket at the browser's debugger address, and nowhere else.

Nothing is followed, and the connection that was verified is the one that is used: whoever speaks the
protocol speaks over it (``relay``).

Below: ``canonical``. Above: ``relay``.
"""

from __future__ import annotations

import asyncio
import base64
import os
from typing import Final

from rea_capture.browser.connect.discovery import RunningBrowser
from rea_capture.browser.deadline import within
from rea_capture.canonical.digest import sha1_of_protocol
from rea_capture.errors import UnavailableError

HEAD_END: Final = b"\r\n\r\n"

_PIECE_BYTES: Final = 1024 * 1024
"""What a stream holds before the other end has to wait."""

_KEY_SUFFIX: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455 section 1.3."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def open_websocket(browser: RunningBrowser, timeout_ms: int) -> Streams:
    """An open WebSocket (RFC 6455 section 4) without extensions, right after its handshake.

    Raises :class:`UnavailableError` when it is refused or takes longer than ``timeout_ms``.
    """
    try:
        return await within(timeout_ms, _opened(browser), "the debugger's WebSocket")
    except TimeoutError as late:
        raise UnavailableError(f"the browser could not be attached to: {late}") from None
    except (OSError, EOFError, asyncio.LimitOverrunError):
        raise UnavailableError(
            "the browser could not be attached to: it closed the connection instead of opening a WebSocket"
        ) from None


def accepted(key: bytes) -> bytes:
    """What answers the ``key`` of a handshake."""
    return base64.b64encode(sha1_of_protocol(key + _KEY_SUFFIX))


def fields_of(head: bytes) -> dict[bytes, bytes]:
    """The header fields of ``head``, by their names in lower case."""
    lines = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    return {name.strip().lower(): value.strip() for name, _, value in lines}


async def _opened(browser: RunningBrowser) -> Streams:
    reader, writer = await asyncio.open_connection(browser.host, browser.port, limit=_PIECE_BYTES)
    try:
        key = base64.b64encode(os.urandom(16))
        writer.write(_request(browser, key))
        await writer.drain()
        _check(await reader.readuntil(HEAD_END), key)
    except BaseException:
        writer.transport.abort()
        raise
    return reader, writer


def _check(head: bytes, key: bytes) -> None:
    status, fields = head.split(b"\r\n", 1)[0].split(b" ")[1:2], fields_of(head)
    if status != [b"101"]:
        said = f"with {b''.join(status)[:3].decode('latin-1')!a}"
    elif fields.get(b"sec-websocket-accept") != accepted(key):
        said = "without the key it was given"
    elif fields.get(b"sec-websocket-extensions"):
        said = "with extensions it was not asked for"
    else:
        return
    raise UnavailableError(
        f"the browser could not be attached to: it answered the WebSocket handshake {said}"
    )


def _request(browser: RunningBrowser, key: bytes) -> bytes:
    host = browser.websocket_url.removeprefix("ws://").removesuffix(browser.path)
    return (
        f"GET {browser.path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key.decode('ascii')}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode("ascii")
