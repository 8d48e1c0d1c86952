"""A real HTTP server on 127.0.0.1 that a test scripts: paths in, answers out, requests kept.

Below: the standard library. Above: ``conftest`` (the ``loopback`` fixture) and any test.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

_JOIN_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived; ``target`` is path and query, header names are lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says; headers are sent in order, duplicates kept."""

    body: bytes | str = b""
    content_type: str | None = "text/html; charset=utf-8"
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()


Handler = Callable[[BaseHTTPRequestHandler, Seen], Answer | None]
"""Answers a request; one that wrote to the connection itself returns None."""


@dataclass
class Loopback:
    """The running server: ``origin`` for URLs, ``seen`` for what arrived (appended in order)."""

    origin: str
    seen: list[Seen] = field(default_factory=list)
    _routes: dict[str, Answer | Handler] = field(default_factory=dict)

    def route(self, path: str, answer: Answer | Handler | str) -> str:
        """Answer ``path`` with ``answer`` (a string is an HTML page). Returns the URL."""
        self._routes[path] = Answer(answer) if isinstance(answer, str) else answer
        return self.origin + path

    def targets(self) -> list[str]:
        """``METHOD target`` of every request so far."""
        return [f"{request.method} {request.target}" for request in list(self.seen)]

    def answer(self, connection: BaseHTTPRequestHandler, request: Seen) -> Answer | None:
        """The scripted answer, or a 404."""
        found = self._routes.get(request.path)
        if found is None:
            return Answer("not here", "text/plain", 404)
        return found if isinstance(found, Answer) else found(connection, request)


@contextmanager
def serving(host: str = "127.0.0.1") -> Iterator[Loopback]:
    """Serve on a free port until the block ends."""
    server = _Server((host, 0), _Connection)
    server.loopback = Loopback(f"http://{host}:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.loopback
    finally:
        server.shutdown()
        server.server_close()
        thread.join(_JOIN_SECONDS)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a test may leave a request hanging on purpose
    loopback: Loopback

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a browser hangs up, which is part of many tests."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _serve(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        names = {name.lower(): value for name, value in self.headers.items()}
        request = Seen(self.command, self.path, names, self.rfile.read(size))
        self.server.loopback.seen.append(request)
        answer = self.server.loopback.answer(self, request)
        if answer is None:
            self.close_connection = True
            return
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        self.send_response(answer.status)
        if answer.content_type is not None:
            self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = _serve  # noqa: N815 - the base class's names

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep the test output quiet."""
