"""The same over HTTP, on a loopback address and nowhere else.

Below: ``mcp``, uvicorn, ``http_requests``, ``sessions``. Above: ``serve``.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from rea_capture.errors import UnavailableError
from rea_capture.mcp_server.http_requests import Requests
from rea_capture.mcp_server.limits import MAX_IDLE_SESSION_S, MAX_MESSAGE_BYTES, MAX_SESSIONS
from rea_capture.mcp_server.server import Door
from rea_capture.mcp_server.sessions import Sessions

ADDRESS: Final = "127.0.0.1"
PATH: Final = "/mcp"

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


async def serve_http(
    door: Door, listener: socket.socket, ending: asyncio.Event, tell: Callable[[str], None]
) -> None:
    """Serve until ``ending`` is set; then captures end, their calls are answered, and connections close.

    ``tell`` gets what whoever runs the server should know.
    """
    port = listener.getsockname()[1]
    hosts = [f"{name}:{port}" for name in (ADDRESS, "localhost")]
    application = door.server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_MESSAGE_BYTES,
        max_sessions=MAX_SESSIONS,
        session_idle_timeout=MAX_IDLE_SESSION_S,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=hosts,
            allowed_origins=[f"http://{host}" for host in hosts],
        ),
    )
    requests = Requests(application, hosts, Sessions(application, MAX_SESSIONS, tell))
    server = _Server(
        uvicorn.Config(
            requests,
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_SAYING_GOODBYE_S,
            ws="none",
        )
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    asked = asyncio.ensure_future(ending.wait())
    await asyncio.wait({serving, asked}, return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    await requests.end()
    server.should_exit = True
    await serving


class _Server(uvicorn.Server):
    """Leaves signals to whoever serves."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As it is."""
        yield
