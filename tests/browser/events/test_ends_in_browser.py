"""Observation ends well whatever has become of the page, the context or the browser."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.async_api import Browser, async_playwright

from rea_capture.contracts.selection import EVENT_FAMILIES
from tests.browser.events.support import ALL_CONTENT, WAIT_SECONDS, observing
from tests.loopback import Loopback, Seen


def _page(loopback: Loopback) -> str:
    """A page with requests that were answered and one that never is."""
    loopback.route("/r", "r")
    released = threading.Event()

    def hang(_: BaseHTTPRequestHandler, __: Seen) -> None:
        released.wait(2)

    loopback.route("/hang", hang)
    return loopback.route(
        "/",
        "<script>for (let i = 0; i < 20; i++) fetch('/r?' + i).then(r => r.text());"
        "fetch('/hang', {method: 'POST', body: 'q'}).catch(() => 0)</script>",
    )


@pytest.mark.parametrize("closed", ["page", "context"])
async def test_what_was_closed_ends_in_whole_transactions(
    browser: Browser, loopback: Loopback, closed: str
) -> None:
    async with observing(browser, *EVENT_FAMILIES, content=ALL_CONTENT) as seen:
        await seen.page.goto(_page(loopback))
        await (seen.page if closed == "page" else seen.context).close()
        await seen.finish()
        ended = seen.items("request-finished", "request-failed", "request-unfinished")
        assert {event.transaction_id for event in ended} == {
            event.transaction_id for event in seen.items("request")
        }
        for content in seen.items("network-content"):
            assert content.body.state in {"captured", "not_exposed", "unavailable"}
        assert "could not be recorded" not in repr(seen.limitations.sentences())


async def test_a_crashed_page_and_a_killed_browser_end_too(chromium_path: str, loopback: Loopback) -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium_path, chromium_sandbox=False)
        async with observing(browser, *EVENT_FAMILIES, content=ALL_CONTENT) as seen:
            await seen.page.goto(_page(loopback))
            session = await browser.new_browser_cdp_session()
            with pytest.raises(Exception, match="closed"):
                await session.send("Browser.crash")
            await seen.finish()
            ended = seen.items("request-finished", "request-failed", "request-unfinished")
            assert len(ended) == len(seen.items("request"))
            assert "could not be recorded" not in repr(seen.limitations.sentences())


async def test_a_cancelled_end_is_over_at_once_and_leaves_no_read_out(
    browser: Browser, loopback: Loopback
) -> None:
    async with observing(browser, *EVENT_FAMILIES, content=ALL_CONTENT) as seen:
        await seen.page.goto(_page(loopback))
        finishing = asyncio.ensure_future(seen.observer.finish())
        await asyncio.wait({finishing}, timeout=0)
        finishing.cancel()
        await asyncio.wait_for(seen.observer.cancel(), WAIT_SECONDS)
        await asyncio.gather(finishing, return_exceptions=True)
        of_responses = [event for event in seen.items("network-content") if event.phase == "response"]
        assert len(of_responses) == len(seen.items("response"))
        assert seen.items("request-unfinished")
        assert seen.missing() == {"events"}
        last = seen.recorder.last_sequence
        await seen.page.evaluate("console.log('late')")
        assert seen.recorder.last_sequence == last
