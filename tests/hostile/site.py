"""The servers of a hostile page: two sites on loopback, one with a certificate nobody trusts.

Below: ``tests.loopback``. Above: ``case``, ``cases``, ``running``.
"""

from __future__ import annotations

import os
import signal
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from rea_capture.browser.processes import processes_of
from tests.browser.events.websocket_server import ServerSocket
from tests.loopback import Answer, Handler, Loopback, Seen, serving

CERTIFICATE: Final = Path(__file__).with_name("untrusted.pem")
"""Made for these tests, for a host that does not exist, by itself; with its key."""

OTHER_HOST: Final = "127.0.0.2"
"""Another site, since these are addresses and not names under one domain."""

_JOIN_SECONDS: Final = 10.0


@dataclass
class Site:
    """What a page is served from. ``temporary`` is the folder that the capture's browser lives in."""

    here: Loopback
    there: Loopback
    secure: str
    temporary: Path
    kills: list[int] = field(default_factory=list)

    def filled_in(self, text: str) -> str:
        """``text`` with the origins in the place of ``HERE``, ``THERE``, ``SECURE`` and ``HOST``."""
        port = self.here.origin.rpartition(":")[2]
        for name, value in (("THERE", self.there.origin), ("HERE", self.here.origin),
                            ("SECURE", self.secure), ("PORT", port)):  # fmt: skip
            text = text.replace(name, value)
        return text

    def serve(self, path: str, answer: Answer | Handler | str) -> str:
        """Answer ``path`` on both sites. Returns the URL on the first."""
        if isinstance(answer, str):
            answer = Answer(answer)
        if isinstance(answer, Answer):
            headers = [(name, self.filled_in(value)) for name, value in answer.headers]
            body = self.filled_in(answer.body) if isinstance(answer.body, str) else answer.body
            answer = replace(answer, body=body, headers=headers)
        self.there.route(path, answer)
        return self.here.route(path, answer)

    def serve_socket(self, path: str, talk: Callable[[ServerSocket], None]) -> None:
        """Accept WebSockets at ``path`` and let ``talk`` have them until it returns."""

        def accept(connection: BaseHTTPRequestHandler, _: Seen) -> None:
            with suppress(OSError, ValueError):  # the browser has hung up
                talk(ServerSocket(connection))

        self.serve(path, accept)

    def kill_renderers(self) -> None:
        """Kill every renderer of the capture's browser."""
        for profile in self.temporary.glob("rea-capture-*/*"):
            for process in processes_of(profile):
                if _is_renderer(process.pid):
                    with suppress(ProcessLookupError):
                        os.kill(process.pid, signal.SIGKILL)
                        self.kills.append(process.pid)

    def hits(self, path: str) -> int:
        """How often ``path`` was asked for, on both sites."""
        return sum(seen.path == path for server in (self.here, self.there) for seen in list(server.seen))


def silence(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    """Answer nothing until the browser hangs up."""
    with suppress(OSError):
        connection.rfile.read(1)


@contextmanager
def serving_site(temporary: Path) -> Iterator[Site]:
    """A site whose pages are still to be served, until the block ends."""
    with serving() as here, serving(OTHER_HOST) as there, _secure() as secure:
        yield Site(here, there, secure, temporary)


@contextmanager
def _secure() -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server = _Quiet(("127.0.0.1", 0), _Hello)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(_JOIN_SECONDS)


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that refuses the certificate hangs up; that is the case."""


class _Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep the test output quiet."""


def _is_renderer(pid: int) -> bool:
    try:
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
