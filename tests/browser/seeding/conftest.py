"""A real Chromium and a real server for the seeding tests.

Hosts: ``*.test`` names all resolve to the loopback address, so that every test can have as many
sites as it needs. Storage partitioning is switched on (Playwright's default arguments switch it off).
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Frame, Page, async_playwright

from rea_capture.browser.seeding import StorageSeeder, StorageSeeds

WAIT_S = 10
COMMAND_TIMEOUT_MS = 8_000
BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome")

FIRST = (
    "<!doctype html><script>first = (() => { try { return "
    "[localStorage.getItem('a'), sessionStorage.getItem('s')] } catch (e) { return e.name } })()</script>"
)


_TYPES = {"js": "text/javascript", "bin": "application/octet-stream"}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site = self.server
        assert isinstance(site, _Server)
        path = self.path.partition("?")[0]
        if path == "/saw":
            site.reports.append(unquote(self.path.partition("?")[2]))
        if path in ("/saw", "/nothing"):
            self.send_response(204)
            self.end_headers()
            return
        if path.startswith("/to/"):
            self.send_response(302)
            self.send_header("location", f"http://{path[4:].replace('/', f':{site.server_port}/', 1)}")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        body = site.pages.get(path, FIRST).replace("{port}", str(site.server_port)).encode()
        self.send_response(200)
        suffix = path.rpartition(".")[2] if "." in path else ""
        self.send_header("content-type", _TYPES.get(suffix, "text/html;charset=utf-8"))
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    pages: dict[str, str]
    reports: list[str]

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up in the middle of an answer is what some tests are about."""


@dataclass(slots=True)
class Site:
    """The server: ``pages`` maps a path to its HTML, unknown paths serve `FIRST`.

    ``reports`` has the query of each request for ``/saw``.
    """

    server: _Server
    pages: dict[str, str]
    reports: list[str]

    def origin(self, host: str) -> str:
        return f"http://{host}:{self.server.server_port}"

    def url(self, host: str, path: str = "/") -> str:
        return self.origin(host) + path


@dataclass(slots=True)
class Lab:
    """One browser with a blank page, the site, and what a seeder reports."""

    context: BrowserContext
    page: Page
    site: Site
    problems: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    seeder: StorageSeeder | None = None

    async def seed(
        self,
        local: Mapping[str, Mapping[str, str]] | None = None,
        session: Mapping[str, Mapping[str, str]] | None = None,
    ) -> StorageSeeder:
        """Install seeds given by host name."""
        seeds = StorageSeeds(self._by_origin(local or {}), self._by_origin(session or {}))
        self.seeder = await StorageSeeder.install(
            self.context,
            self.page,
            seeds,
            command_timeout_ms=COMMAND_TIMEOUT_MS,
            report=self.problems.append,
        )
        return self.seeder

    def _by_origin(self, given: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[tuple[str, str], ...]]:
        return {self.site.origin(host): tuple(entries.items()) for host, entries in given.items()}

    async def goto(self, host: str, path: str = "/") -> Any:
        """Navigate the page; returns what its first script saw."""
        await self.page.goto(self.site.url(host, path))
        return await first(self.page)

    async def popup(self, script: str, opener: Page | None = None) -> Page:
        """Run a script in the opener and return the window it opens."""
        async with self.context.expect_page(timeout=WAIT_S * 1000) as opening:
            await asyncio.wait_for((opener or self.page).evaluate(f"() => {{ {script} }}"), WAIT_S)
        page = await opening.value
        await page.wait_for_load_state()
        return page

    async def frame(self, name: str) -> Frame:
        """The frame with this name, loaded."""
        await self.page.wait_for_load_state()
        frame = self.page.frame(name)
        assert frame is not None
        return frame


async def first(where: Page | Frame) -> Any:
    """What the first script of a document served as `FIRST` saw: local ``a`` and session ``s``."""
    return await asyncio.wait_for(where.evaluate("first"), WAIT_S)


@pytest.fixture(scope="session")
def server() -> Iterator[_Server]:
    server = _Server(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join(WAIT_S)


@pytest.fixture
def site(server: _Server) -> Site:
    server.pages = {}
    server.reports = []
    return Site(server, server.pages, server.reports)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for all tests; each test has a fresh context, so no storage is shared."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options())
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def lab(browser: Browser, site: Site) -> AsyncIterator[Lab]:
    context = await browser.new_context()
    lab = await open_lab(context, site)
    yield lab
    if lab.seeder is not None:
        await lab.seeder.uninstall()
    await context.close()


def launch_options() -> dict[str, Any]:
    """How to start the Chromium on the PATH, with ``*.test`` on loopback and storage partitioned."""
    executable = next((found for name in BROWSER_NAMES if (found := shutil.which(name))), None)
    assert executable is not None, "these tests need a Chromium on the PATH"
    return {
        "executable_path": executable,
        "chromium_sandbox": False,
        "args": [
            "--host-resolver-rules=MAP *.test 127.0.0.1",
            "--disable-features=HttpsUpgrades,PaintHolding",
        ],
    }


async def open_lab(context: BrowserContext, site: Site) -> Lab:
    """A blank page in the context, watched."""
    context.set_default_timeout(WAIT_S * 1000)
    lab = Lab(context, context.pages[0] if context.pages else await context.new_page(), site)
    context.on("console", lambda message: lab.console.append(message.text))
    return lab
