"""Popups that are busy when they come up, and popups that nobody was there to take."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio

from rea_capture.browser.runtime import describing
from rea_capture.browser.runtime import live as live_module
from rea_capture.browser.runtime import tabs as tabs_module
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.budgets import Budget
from rea_capture.contracts.runtime.operations import WaitPopupRequest
from tests.browser.runtime.asking import click, close_popups, expect, failed, go, popup, tabs
from tests.loopback import Answer, Loopback

BUSY = "for (const from = Date.now(); Date.now() - from < {ms};) ;"
OPENS = "<button onclick='window.open(`{path}`, ``, `noopener`)'>Open</button>"


@pytest_asyncio.fixture(loop_scope="session")
async def live(shared: LiveSession) -> AsyncIterator[LiveSession]:
    yield shared
    await close_popups(shared)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for what is busy."""
    monkeypatch.setattr(tabs_module, "LOOK_TIMEOUT_MS", 100)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "begins", ["setTimeout(() => {{ {busy} }});", "{busy}"], ids=["once it is there", "at once"]
)
async def test_a_popup_that_is_busy_is_counted_and_given_as_soon_as_it_answers(
    begins: str, live: LiveSession, site: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = begins.format(busy=BUSY.format(ms=2_500))
    site.route("/busy", f"<title>Busy</title><script>{busy}</script>")
    await go(live, site.route("/opens", OPENS.format(path="/busy")))
    await click(live, "Open")
    listed = await tabs(live)
    assert (len(listed.tabs), listed.omitted) == (1, 1)
    with monkeypatch.context() as hurried:
        hurried.setattr(live_module, "POPUP_WAIT", Budget(100, 100))
        details = await failed(popup(live), "no_popup")
    assert "1 came up and are too busy to answer" in details.message
    assert "Wait for it again" in details.recovery
    came = await popup(live)
    assert came.url == f"{site.origin}/busy"
    listed = await tabs(live)
    assert ([tab.tab_id for tab in listed.tabs[1:]], listed.omitted) == ([came.tab_id], 0)


@pytest.mark.usefixtures("impatient")
async def test_a_session_is_not_held_up_by_a_popup_that_never_answers(
    live: LiveSession, site: Loopback
) -> None:
    site.route("/hangs", f"<script>setTimeout(() => {{ {BUSY.format(ms=4_000)} }})</script>")
    await go(live, site.route("/opens", OPENS.format(path="/hangs")))
    await click(live, "Open")
    begun = asyncio.get_running_loop().time()
    await expect(live, kind="url", value=f"{site.origin}/opens")
    await expect(live, kind="url", value=f"{site.origin}/opens")
    assert asyncio.get_running_loop().time() - begun < 1.5
    await popup(live)


async def test_a_popup_whose_caller_gave_up_is_given_to_the_next(
    live: LiveSession, site: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.route("/one", "<title>One</title>")
    await go(live, site.route("/opens", OPENS.format(path="/one")))
    acted = await click(live, "Open")
    asked = asyncio.Event()

    async def never(tab: object) -> str:
        asked.set()
        return await asyncio.Future[str]()

    with monkeypatch.context() as silent:
        silent.setattr(f"{describing.__name__}.title_of", never)
        waiting = asyncio.ensure_future(live.wait_popup(WaitPopupRequest(), "*"))
        await asyncio.wait_for(asked.wait(), 5)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert ((await popup(live)).tab_id,) == acted.popups


@pytest.mark.parametrize("wait", ["none", "bounded"])
async def test_a_page_that_hangs_is_told_of_within_one_time_for_all_that_is_waited_for(
    wait: str, live: LiveSession, site: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "READ_WAIT", Budget(600, 600))
    may_hang = threading.Event()

    def wait_for_it(_: object, __: object) -> Answer:
        may_hang.wait(10)
        return Answer("")

    site.route("/wait", wait_for_it)
    hangs = f"fetch('/wait').then(() => {{ {BUSY.format(ms=3_000)} }})"
    site.route("/hangs", f"<p>here</p><script>{hangs}</script>")
    await go(live, site.route("/opens", OPENS.format(path="/hangs")))
    await click(live, "Open")
    hung = (await popup(live)).tab_id
    may_hang.set()
    await busy(live, hung)
    begun = asyncio.get_running_loop().time()
    details = await failed(expect(live, kind="text", value="never", wait=wait, tab=hung), "timeout")
    assert asyncio.get_running_loop().time() - begun < 2.5
    assert details.message == "assert was not done within 600 ms."


async def test_a_popup_that_comes_at_the_last_moment_is_waited_for_no_longer(
    live: LiveSession, site: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its document and its title have what is left of the time."""
    monkeypatch.setattr(live_module, "POPUP_WAIT", Budget(700, 700))
    site.route("/hangs", f"<script>setTimeout(() => {{ {BUSY.format(ms=4_000)} }})</script>")
    opens = "setTimeout(() => window.open(`/hangs`, ``, `noopener`), 300)"
    await go(live, site.route("/opens", f"<button onclick='{opens}'>Open</button>"))
    await click(live, "Open")
    begun = asyncio.get_running_loop().time()
    await asyncio.gather(popup(live), return_exceptions=True)
    assert asyncio.get_running_loop().time() - begun < 2.7


async def busy(live: LiveSession, tab: str) -> None:
    """Wait until a page answers nothing."""
    page = next(each.page for each in live._room.tabs.open() if each.tab_id == tab)
    with suppress(TimeoutError):
        async with asyncio.timeout(0.3):
            while True:
                await page.evaluate("0")
