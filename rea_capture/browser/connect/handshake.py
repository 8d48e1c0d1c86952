"""Whether a WebSocket can be opened at the browser's debugger address.

The driver would follow a redirect of that handshake to any host. So it is tried here first, without
following anything; the driver is given the address only when the browser itself accepted it.

Below: the standard library. Above: ``session``.
"""

from __future__ import annotations

import asyncio
import base64
import os
from contextlib import suppress
from typing import Final

from rea_capture.browser.connect.discovery import RunningBrowser
from rea_capture.browser.deadline import within
from rea_capture.errors import UnavailableError

_HEAD_END: Final = b"\r\n\r\n"
_SWITCHING: Final = b"101"


async def check_handshake(browser: RunningBrowser, timeout_ms: int) -> None:
    """Open and close a WebSocket (RFC 6455 section 4). Raises :class:`UnavailableError` when it is refused
    or takes longer than ``timeout_ms``.
    """
    try:
        await within(timeout_ms, _open_and_close(browser), "the debugger's WebSocket")
    except TimeoutError as late:
        raise UnavailableError(f"the browser could not be attached to: {late}") from None
    except (OSError, EOFError, asyncio.LimitOverrunError):
        raise UnavailableError(
            "the browser could not be attached to: it closed the connection instead of opening a WebSocket"
        ) from None


async def _open_and_close(browser: RunningBrowser) -> None:
    reader, writer = await asyncio.open_connection(browser.host, browser.port)
    try:
        writer.write(_request(browser))
        await writer.drain()
        status = (await reader.readuntil(_HEAD_END)).split(b"\r\n", 1)[0].split(b" ")[1:2]
        if status != [_SWITCHING]:
            shown = ascii(b"".join(status)[:3].decode("latin-1"))
            raise UnavailableError(
                f"the browser could not be attached to: it answered the WebSocket handshake with {shown}"
            )
    finally:
        with suppress(OSError):
            writer.close()


def _request(browser: RunningBrowser) -> bytes:
    host = browser.websocket_url.removeprefix("ws://").removesuffix(browser.path)
    key = base64.b64encode(os.urandom(16)).decode("ascii")
    return (
        f"GET {browser.path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode("ascii")
