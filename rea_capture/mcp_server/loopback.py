"""The same over HTTP, on a loopback address and nowhere else.

    1. The Host and the Origin of a request have to name this server, so that no page of another site
       reaches it under a name of its own (DNS rebinding). The library checks both.
    2. A client that hangs up ends what it asked for. (By the older versions of the protocol it need not;
       but a capture is a browser, and nobody would get what comes of it.)

Below: ``mcp``, uvicorn. Above: ``serve``.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from rea_capture.errors import UnavailableError
from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES
from rea_capture.mcp_server.server import GONE, Door

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADDRESS: Final = "127.0.0.1"
PATH: Final = "/mcp"

_MAX_SESSIONS: Final = 256
_BACKLOG: Final = 64
_SAYING_GOODBYE_S: Final = 1
"""How long open streams get to end by themselves when the server does."""


def listening(port: int) -> socket.socket:
    """A socket that listens on ``port``; on any free one for 0. Raises :class:`UnavailableError`."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((ADDRESS, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        reason = (error.strerror or type(error).__name__).lower()
        raise UnavailableError(f"port {port} of {ADDRESS} cannot be listened on: {reason}") from None
    return listener


async def serve_http(door: Door, listener: socket.socket) -> None:
    """Serve until cancelled; then captures end, and with them the connections."""
    application = door.server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_MESSAGE_BYTES,
        max_sessions=_MAX_SESSIONS,
        transport_security=_security(listener.getsockname()[1]),
    )
    server = _Server(
        uvicorn.Config(
            _Watched(application),
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_SAYING_GOODBYE_S,
            ws="none",
        )
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await asyncio.wait({serving})
        raise


class _Server(uvicorn.Server):
    """Leaves signals to whoever serves."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As it is."""
        yield


class _Watched:
    """The application, whose requests carry the event that their client has hung up."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        size = _declared_size(scope)
        if size > MAX_MESSAGE_BYTES:
            await _refuse(size, send)
            return
        gone = asyncio.Event()

        async def watched() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                gone.set()
            return message

        try:
            await self._application({**scope, GONE: gone}, watched, send)
        finally:
            gone.set()


def _declared_size(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(size: int, send: Send) -> None:
    message = f"the body has {size:,} bytes; at most {MAX_MESSAGE_BYTES:,} are taken (MAX_MESSAGE_BYTES)"
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    data = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": data})


def _security(port: int) -> TransportSecuritySettings:
    names = (ADDRESS, "localhost")
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in names],
        allowed_origins=[f"http://{name}:{port}" for name in names],
    )
