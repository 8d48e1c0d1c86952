"""A page over TLS on 127.0.0.1 whose reports the browser delivers (it delivers none without TLS).

The certificate is self-signed and its key is public: a browser has to be told to take it.

Below: the standard library. Above: the tests of what is sent unseen.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

_PEM: Final = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJCperAerCCmEtDVQ
8pqaPiQuCpS9HeO03lR1nKj4P2ChRANCAATlLefQX+y1GhfNqs4D+/k8+wzQDenw
6dq3e3xvjAWTiwRM//DSYP5b5uapsC2twn7dJ7VxKoUWkf3IP9735CaA
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUCsFDt4W5mG07natXc0KeiuqKJmAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDE3Mjk0NVoYDzIxMjYxMTA2
MTcyOTQ1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATlLefQX+y1GhfNqs4D+/k8+wzQDenw6dq3e3xvjAWTiwRM//DSYP5b
5uapsC2twn7dJ7VxKoUWkf3IP9735CaAo28wbTAdBgNVHQ4EFgQUOxuMqBtEcHNf
JodhCRefILNNHyEwHwYDVR0jBBgwFoAUOxuMqBtEcHNfJodhCRefILNNHyEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgDsmckC7eEVwlhEgfYolT+3N2QVc6LIRNCtdfjB7DR2sCIDgb
MWGKifRL6FIJJcQV4rFLdTNFXWsoTyzOHbmENmq4
-----END CERTIFICATE-----
"""
_REPORTED: Final = b"<!doctype html><img src=/x.png>"


@contextmanager
def reporting_site(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The URL of a page that breaks its own policy, and what its server was asked for so far."""
    pem = folder / "site.pem"
    pem.write_text(_PEM)
    server = _Server(("127.0.0.1", 0), _Connection)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"https://localhost:{server.server_address[1]}/", server.targets
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.targets: list[str] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when the browser hangs up."""


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _serve(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.targets.append(f"{self.command} {self.path}")
        self.send_response(200)
        endpoint = f"https://localhost:{self.server.server_address[1]}/reports"
        for name, value in (
            ("Content-Type", "text/html"),
            ("Content-Length", str(len(_REPORTED))),
            ("Reporting-Endpoints", f'here="{endpoint}"'),
            ("Content-Security-Policy", "img-src 'none'; report-to here"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(_REPORTED)

    do_GET = do_POST = _serve  # noqa: N815 - the base class's names

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep the test output quiet."""
