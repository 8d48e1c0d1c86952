"""The demo shop's server: loopback only, one thread a connection, the same answer every time.

Answers carry no date and may not be cached, so that two visits of one version look the same. The
version is switched while the server runs, the way a deploy does it.

Below: ``pages``. Above: ``story``, tests.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from rea_capture.demo import pages
from rea_capture.demo.pages import Version

CUSTOMER: Final = "jo@example.com"
_MAX_FORM_BYTES: Final = 4_096
"""A sign-in form has two short fields."""
_STOP_SECONDS: Final = 10.0
_MEDIA_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a path answers with."""

    body: bytes = b""
    media_type: str = "text/html; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)


class Shop:
    """A running shop. ``origin`` is where; ``version`` is what it serves."""

    def __init__(self, origin: str, password: str) -> None:
        self.origin = origin
        self.password = password
        self.version = Version.BEFORE

    def deploy(self) -> None:
        """Serve the deployed version from now on."""
        self.version = Version.DEPLOYED

    def get(self, target: str, cookies: SimpleCookie) -> Answer:
        """The answer to ``GET target``."""
        parts = urlsplit(target)
        version, path = self.version, parts.path
        elsewhere = pages.redirects(version).get(path)
        if elsewhere is not None:
            return _redirect(elsewhere)
        if path.startswith("/api/"):
            return _api(version, path, parse_qs(parts.query))
        if path.startswith("/product/"):
            return _product(version, path.removeprefix("/product/"))
        if path == "/account" and "customer" not in cookies:
            return _redirect("/login")
        return _page(version, path) or _file(version, path) or _missing(version)

    def post(self, target: str, form: Mapping[str, list[str]]) -> Answer:
        """The answer to ``POST target``: only the sign-in form posts."""
        if urlsplit(target).path != "/login":
            return _missing(self.version)
        if form.get("email") != [CUSTOMER] or form.get("password") != [self.password]:
            body = pages.page(self.version, "login.html", problem="E-mail or password is wrong.")
            return _html(body, HTTPStatus.FORBIDDEN)
        cookie = "customer=1; Path=/; HttpOnly; SameSite=Lax"
        return _redirect("/signed-in", {"Set-Cookie": cookie})


@contextmanager
def open_shop(password: str, port: int = 0) -> Iterator[Shop]:
    """A shop on 127.0.0.1 (on a free port unless one is named) whose customer's password is ``password``.

    Raises ``OSError`` when the port is taken.
    """
    server = _Server(("127.0.0.1", port), _Connection)
    server.shop = Shop(f"http://127.0.0.1:{server.server_address[1]}", password)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.shop
    finally:
        server.shutdown()
        server.server_close()
        thread.join(_STOP_SECONDS)


def _html(body: str, status: HTTPStatus = HTTPStatus.OK) -> Answer:
    return Answer(body.encode("utf-8"), status=status)


def _redirect(target: str, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status=HTTPStatus.SEE_OTHER, headers={"Location": target, **(headers or {})})


def _missing(version: Version) -> Answer:
    return _html(pages.page(version, "missing.html"), HTTPStatus.NOT_FOUND)


def _page(version: Version, path: str) -> Answer | None:
    if path == "/":
        return _html(pages.product_list(version))
    if path == "/cart":
        return _html(pages.page(version, "cart.html"))
    if path == "/login":
        return _html(pages.page(version, "login.html", problem=""))
    if path == "/account":
        return _html(pages.fill(version, "account.html", email=CUSTOMER))
    return None


def _product(version: Version, product_id: str) -> Answer:
    for product in pages.catalogue(version):
        if product.id == product_id:
            values = {"id": product.id, "name": product.name, "about": product.about, "price": product.price}
            return _html(pages.page(version, "product.html", **values))
    return _missing(version)


def _api(version: Version, path: str, query: Mapping[str, list[str]]) -> Answer:
    wanted = query.get("q", [""])[0].casefold()
    found = [p.as_json() for p in pages.catalogue(version) if wanted in p.name.casefold()]
    if path == "/api/search" or (path == "/api/products" and not wanted):
        return Answer(json.dumps(found).encode("utf-8"), "application/json")
    return Answer(b'{"problem": "no such service"}', "application/json", HTTPStatus.NOT_FOUND)


def _file(version: Version, path: str) -> Answer | None:
    media_type = _MEDIA_TYPES.get(path.rpartition(".")[2])
    content = pages.site_file(version, path.lstrip("/")) if media_type else None
    return None if content is None or media_type is None else Answer(content, media_type)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a browser keeps connections open that nobody will use again
    shop: Shop

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a browser hangs up, which is no fault of the shop."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._send(self.server.shop.get(self.path, SimpleCookie(self.headers.get("Cookie", ""))))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _MAX_FORM_BYTES:
            self.close_connection = True
            self._send(Answer(b"", status=HTTPStatus.BAD_REQUEST))
            return
        form = self.rfile.read(int(length)).decode("utf-8", "replace")
        self._send(self.server.shop.post(self.path, parse_qs(form)))

    def _send(self, answer: Answer) -> None:
        self.send_response_only(answer.status)  # without the Date and Server headers
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.media_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep standard error for the demo's own words."""
