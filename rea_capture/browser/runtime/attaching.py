"""Somebody else's browser: leased for the session, and left running as it was.

    1. The endpoint is a literal loopback address; the browser there is asked who it is.
    2. The lease on the whole browser, and on the page where one is named, is taken or ``in_use`` is raised:
       nobody waits. Captures of that page wait for it.
    3. The driver is attached without its defaults. The session has the page that was named, or one that it
       opens, and what comes of that; all other tabs are let be.
    4. Afterwards, what came up is closed, and all is let go of.

Below: ``browser.connect``. Above: ``opening``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, cast

from playwright.async_api import Browser, BrowserContext, Error, Page, Playwright

from rea_capture.browser.connect.attaching import attached
from rea_capture.browser.connect.discovery import RunningBrowser, discover
from rea_capture.browser.connect.lease import leased_at_once
from rea_capture.browser.connect.relay import Relay, relayed
from rea_capture.browser.connect.scope import ScopedContext
from rea_capture.browser.connect.scratch import scratch_folder
from rea_capture.browser.deadline import within
from rea_capture.browser.launch import BrowserIdentity
from rea_capture.browser.runtime.faults import failure
from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import STARTUP
from rea_capture.contracts.runtime.settings import AttachSettings
from rea_capture.contracts.scenario import loopback_endpoint

DISCONNECT_TIMEOUT_MS: Final = 2_000
CLOSE_TABS_TIMEOUT_MS: Final = 3_000
"""For tabs that came of the session to be closed; the browser keeps those that will not."""

IN_ADVANCE: Final = (
    "What pages let this browser fetch in advance (speculation rules) is not held to the allowed origins: "
    "its own settings say whether it does so."
)
_WHOLE_BROWSER: Final = ""


@dataclass(frozen=True, slots=True)
class Attached:
    """A page of a running browser, and the browser."""

    browser: Browser
    page: Page
    scope: ScopedContext
    identity: BrowserIdentity
    relay: Relay
    opened_page: bool
    """Whether the session opened the page itself."""

    @property
    def context(self) -> BrowserContext:
        """Of the browser's context, what belongs to the session; for whoever only listens to it."""
        return cast("BrowserContext", self.scope)

    async def let_go(self) -> list[str]:
        """Close what came of the session, and disconnect; a sentence for what was left."""
        problems: list[str] = []
        pages = [page for page in self.scope.pages if self.opened_page or page is not self.page]
        closing = asyncio.gather(*(page.close() for page in pages), return_exceptions=True)
        try:
            await within(CLOSE_TABS_TIMEOUT_MS, closing, "the browser")
        except TimeoutError:
            problems.append("A tab of the session could not be closed; the browser still has it.")
        self.relay.let_go()
        with suppress(Error, TimeoutError):
            await within(DISCONNECT_TIMEOUT_MS, self.browser.close(), "the browser")
        return problems


@asynccontextmanager
async def attached_browser(
    playwright: Playwright, settings: AttachSettings, tell: Callable[[str], None]
) -> AsyncIterator[Attached]:
    """The browser at the endpoint. Raises :class:`BrowserOperationError` or :class:`UnavailableError`."""
    running = await discover(_endpoint(settings))
    if settings.target_id is not None:
        running.page(settings.target_id)
    targets = [_WHOLE_BROWSER, *([settings.target_id] if settings.target_id is not None else ())]
    async with leased_at_once(running.path, *targets) as held:
        if not held:
            message = "Another session or capture has this browser."
            raise failure("open", "startup", "in_use", message)
        async with scratch_folder(tell) as scratch, relayed(running, STARTUP.default_ms) as relay:
            browser = await attached(playwright, relay, scratch, STARTUP.default_ms)
            page = await _page(browser, settings.target_id)
            yield Attached(
                browser,
                page,
                ScopedContext(page.context, page),
                _identity(running),
                relay,
                opened_page=settings.target_id is None,
            )


def _endpoint(settings: AttachSettings) -> str:
    try:
        return loopback_endpoint(settings.cdp_endpoint)
    except ValueError as error:
        message = f"browser.cdpEndpoint {error}."
        raise failure("open", "request", "invalid_request", message) from None


def _identity(running: RunningBrowser) -> BrowserIdentity:
    product, _, version = running.product.partition("/")
    return BrowserIdentity(product or "unknown", version or "unknown")


async def _page(browser: Browser, target_id: str | None) -> Page:
    """The page of this id, or one of our own in the browser's own context."""
    if target_id is None:
        return await _new_page(browser.contexts[0])
    pages = [page for context in browser.contexts for page in context.pages]
    asked = [asyncio.ensure_future(_is_target(page, target_id)) for page in pages]
    try:
        for each in asyncio.as_completed(asked):  # a tab that shows a dialog answers nobody
            if page := await each:
                return page
    finally:
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    message = "The page of browser.targetId is gone, or cannot be attached to."
    raise failure("open", "startup", "unavailable", message)


async def _new_page(context: BrowserContext) -> Page:
    """A page; cancelled, none: one that is already coming up is closed again."""
    coming = asyncio.ensure_future(context.new_page())
    try:
        return await asyncio.shield(coming)
    except asyncio.CancelledError:
        await finished(_given_up(coming))
        raise


async def _given_up(coming: asyncio.Future[Page]) -> None:
    with suppress(Error, TimeoutError):
        page = await asyncio.wait_for(coming, CLOSE_TABS_TIMEOUT_MS / 1000)
        await within(CLOSE_TABS_TIMEOUT_MS, page.close(), "the browser")


async def _is_target(page: Page, target_id: str) -> Page | None:
    with suppress(Error):  # it was closed meanwhile
        session = await page.context.new_cdp_session(page)
        info = await session.send("Target.getTargetInfo")
        await session.detach()
        return page if info["targetInfo"]["targetId"] == target_id else None
    return None
