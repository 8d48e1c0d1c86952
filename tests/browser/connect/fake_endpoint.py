"""A debugging endpoint that is none: a server that answers each path with the bytes it is given.

Below: the standard library. Above: the tests of discovery.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

Reply = bytes | Callable[[asyncio.StreamWriter], Any]
"""What a path is answered with: bytes, after which the connection closes, or whatever a coroutine does."""


class FakeEndpoint:
    """``replies`` by path; ``asked`` are the request lines so far."""

    def __init__(self, port: int, host: str) -> None:
        self.port = port
        literal = f"[{host}]" if ":" in host else host
        self.address = f"http://{literal}:{port}"
        self.debugger = f"ws://{literal}:{port}/devtools/browser/0000-1111"
        self.replies: dict[str, Reply] = {}
        self.asked: list[str] = []
        self.heads: list[str] = []
        self.serves(version(self.debugger), [page("A")])

    def serves(self, about: Any, targets: Any) -> None:
        """Answer as a browser does."""
        self.replies["/json/version"] = http(json.dumps(about))
        self.replies["/json/list"] = http(json.dumps(targets))

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.asked.append(head.splitlines()[0])
            self.heads.append(head)
            reply = self.replies.get(head.split()[1], http("gone", status="404 Not Found"))
            if isinstance(reply, bytes):
                writer.write(reply)
                await writer.drain()
            else:
                await reply(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def fake_endpoint(host: str = "127.0.0.1") -> AsyncIterator[FakeEndpoint]:
    """A running fake on a free port."""
    listening = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    fake = FakeEndpoint(listening.getsockname()[1], host)
    server = await asyncio.start_server(fake.handle, sock=listening)
    try:
        yield fake
    finally:
        server.close()


def http(body: str | bytes, status: str = "200 OK", headers: str = "") -> bytes:
    """A whole answer."""
    data = body.encode() if isinstance(body, str) else body
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(data)}\r\n{headers}\r\n".encode() + data


def switching(head: str, headers: str = "") -> bytes:
    """What accepts the WebSocket that ``head`` asks for (RFC 6455 section 4.2.2)."""
    (key,) = [line.split(": ")[1] for line in head.splitlines() if line.startswith("Sec-WebSocket-Key: ")]
    digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
    accept = f"Sec-WebSocket-Accept: {base64.b64encode(digest).decode()}\r\n"
    start = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    return f"{start}{accept}{headers}\r\n".encode()


def version(debugger: str) -> dict[str, str]:
    """What a browser says of itself."""
    return {"Browser": "Chrome/156.0.1.2", "webSocketDebuggerUrl": debugger}


def page(target_id: str, **parts: str) -> dict[str, str]:
    """A page as a browser lists it."""
    return {"id": target_id, "type": "page", "title": "Title", "url": "http://a.test/", **parts}
