"""Sessions on a browser that somebody else runs: leased, held to their own tabs, and left as it was."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Playwright

from rea_capture.browser.connect.lease import leased_at_once
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.browser.runtime.opening import open_live
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.operations import CloseTabRequest
from rea_capture.contracts.runtime.settings import AttachSettings, SessionSettings
from tests.browser.connect.conftest import SomebodysBrowser
from tests.browser.runtime.asking import click, expect, failed, go, popup, read, tabs
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Answer, Loopback


@pytest.fixture(autouse=True)
def _state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases of tests are not those of whoever runs them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def running(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SomebodysBrowser]:
    """Somebody else's browser; whatever a session does, it goes on with the tabs that it had."""
    browser = SomebodysBrowser(chromium_path, tmp_path_factory.mktemp("somebody"))
    yield browser
    assert browser.is_alive(), "a session ended a browser that is not its own"
    browser.end()


@pytest.fixture
def theirs(running: SomebodysBrowser) -> Iterator[SomebodysBrowser]:
    before = running.pages()
    yield running
    assert running.pages() == before


@pytest_asyncio.fixture(loop_scope="session")
async def attached(
    theirs: SomebodysBrowser, open_session: OpenSession, site: Loopback
) -> AsyncIterator[LiveSession]:
    """A session for the site in a tab of its own."""
    live = await open_session(
        AttachSettings(mode="attach", cdp_endpoint=theirs.endpoint), allowed_origins=(site.origin,)
    )
    yield live
    assert await live.close() == ()


async def refused(driver: Playwright, code: str, **attach: Any) -> BrowserErrorDetails:
    settings = SessionSettings(browser=AttachSettings.model_validate({"mode": "attach", **attach}))
    details = await failed(open_live(driver, settings, environ={}), code)
    assert (details.operation, details.mutation_state) == ("open", "not_attempted")
    return details


async def test_a_session_opens_a_tab_of_its_own_and_closes_it_and_its_popups(
    attached: LiveSession, theirs: SomebodysBrowser, site: Loopback
) -> None:
    before = len(theirs.pages())
    site.route("/one", "<title>One</title>")
    await go(attached, site.route("/", "<button onclick='window.open(`/one`)'>One</button>"), (site.origin,))
    await click(attached, "One", (site.origin,))
    assert (await popup(attached, (site.origin,))).title == "One"
    assert len(theirs.pages()) == before + 1
    assert len((await tabs(attached, (site.origin,))).tabs) == 2
    assert await attached.close() == ()


async def test_a_named_page_is_used_and_left_open_with_its_popups_closed(
    running: SomebodysBrowser, open_session: OpenSession, site: Loopback
) -> None:
    site.route("/one", "<title>One</title>")
    target = running.new_tab(site.route("/theirs", "<button onclick='window.open(`/one`)'>One</button>"))
    before = set(running.pages())
    live = await open_session(AttachSettings(mode="attach", cdp_endpoint=running.endpoint, target_id=target))
    (tab,) = (await tabs(live)).tabs
    assert tab.url == f"{site.origin}/theirs"
    await click(live, "One")
    await popup(live)
    details = await failed(live.close_tab(CloseTabRequest(tab=tab.tab_id), "*"), "unsupported")
    assert details.mutation_state == "not_attempted"
    assert await live.close() == ()
    assert set(running.pages()) == before
    await asyncio.to_thread(closed, running, target)


async def test_a_second_session_on_the_same_browser_is_refused_at_once(
    attached: LiveSession, theirs: SomebodysBrowser, driver: Playwright
) -> None:
    begun = asyncio.get_running_loop().time()
    await refused(driver, "in_use", cdpEndpoint=theirs.endpoint)
    await refused(driver, "in_use", cdpEndpoint=theirs.endpoint + "/")
    assert asyncio.get_running_loop().time() - begun < 5
    assert (await tabs(attached)).tabs


async def test_a_page_that_a_capture_has_is_refused_at_once(
    theirs: SomebodysBrowser, driver: Playwright
) -> None:
    target = next(iter(theirs.pages()))
    browser_id = "/" + theirs.websocket_url.split("/", 3)[3]
    async with leased_at_once(browser_id, target) as held:
        assert held
        await refused(driver, "in_use", cdpEndpoint=theirs.endpoint, targetId=target)
    async with leased_at_once(browser_id, "", target) as held:
        assert held, "a refused session kept a lease"


async def test_the_lease_is_free_again_when_the_session_is_closed(
    theirs: SomebodysBrowser, open_session: OpenSession
) -> None:
    settings = AttachSettings(mode="attach", cdp_endpoint=theirs.endpoint)
    for _ in range(2):
        live = await open_session(settings)
        assert await live.close() == ()


@pytest.mark.parametrize("endpoint", ["http://localhost:9222", "http://10.0.0.1:9222", "ws://127.0.0.1:1"])
async def test_an_endpoint_that_is_not_literally_loopback_is_refused(
    endpoint: str, driver: Playwright
) -> None:
    details = await refused(driver, "invalid_request", cdpEndpoint=endpoint)
    assert "http://127.0.0.1:PORT" in details.message


async def test_an_endpoint_without_a_browser_and_a_page_that_is_gone_are_told(
    theirs: SomebodysBrowser, driver: Playwright
) -> None:
    await refused(driver, "unavailable", cdpEndpoint="http://127.0.0.1:1")
    await refused(driver, "unavailable", cdpEndpoint=theirs.endpoint, targetId="nobody")


async def test_documents_of_the_session_are_held_and_those_of_others_are_not(
    attached: LiveSession, running: SomebodysBrowser, site: Loopback, forbidden: Loopback
) -> None:
    forbidden.seen.clear()
    there = forbidden.route("/there", "<title>There</title>")
    inner = site.route("/inner", f"<iframe src='{there}?frame'></iframe>")
    page = f"""<a href='{there}?link'>Link</a>
      <button onclick='window.open(`{there}?popup`, ``, `noopener`)'>Popup</button>
      <iframe src='{there}?frame'></iframe><iframe src='{inner}'></iframe>"""
    policy = (site.origin,)
    await go(attached, site.route("/", page), policy)
    await failed(click(attached, "Link", policy), "origin_refused")
    await failed(click(attached, "Popup", policy), "origin_refused")
    assert forbidden.targets() == []
    others = running.new_tab(site.route("/others", f"<iframe src='{there}?theirs'></iframe>"))
    assert await asyncio.to_thread(_asked, forbidden, "GET /there?theirs")
    assert (await tabs(attached, policy)).omitted == 0
    await asyncio.to_thread(closed, running, others)


async def test_a_download_of_the_session_is_cancelled(
    attached: LiveSession, theirs: SomebodysBrowser, site: Loopback
) -> None:
    may_end = threading.Event()

    def endless(connection: Any, _: object) -> None:
        connection.send_response(200)
        connection.send_header("Content-Type", "application/octet-stream")
        connection.end_headers()
        connection.wfile.write(b"x" * 100_000)
        may_end.wait(10)

    site.route("/file", endless)
    policy = (site.origin,)
    await go(attached, site.route("/", "<p>here</p><a download href='/file'>Get</a>"), policy)
    await click(attached, "Get", policy)
    async with asyncio.timeout(10):
        while not any("download" in each for each in attached.limitations):
            await read(attached, policy)
    await expect(attached, policy, kind="text", value="here")
    may_end.set()


async def test_a_browser_that_ends_is_told(
    chromium_path: str, tmp_path: Path, driver: Playwright, site: Loopback
) -> None:
    browser = SomebodysBrowser(chromium_path, tmp_path / "ends")
    settings = SessionSettings(browser=AttachSettings(mode="attach", cdp_endpoint=browser.endpoint))
    live = await open_live(driver, settings, environ={})
    await go(live, site.route("/", Answer("here")))
    await asyncio.to_thread(browser.end)
    await failed(read(live), "browser_gone")
    await live.close()


def closed(browser: SomebodysBrowser, target: str) -> None:
    """Close a tab, and see it closed."""
    browser.close_tab(target)
    waiting = threading.Event()
    for _ in range(200):
        if target not in browser.pages():
            return
        waiting.wait(0.05)
    raise AssertionError("a tab was not closed")


def _asked(server: Loopback, target: str) -> bool:
    """Whether ``target`` was asked of ``server`` in time."""
    waiting = threading.Event()
    for _ in range(200):
        if target in server.targets():
            return True
        waiting.wait(0.05)
    return False
