"""Opening a session: a browser, ready, with its first tab selected.

    1. Start the browser, or attach to one that runs.
    2. Watch it, hold what it may not ask for, dismiss dialogs: all before anything is navigated.

Below: ``launching``, ``attaching``, ``live``. Above: the worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, suppress
from typing import Any

from playwright.async_api import Browser, BrowserContext, Error, Page, Playwright

from rea_capture.browser.dialogs import DialogDismisser
from rea_capture.browser.driver_process import closing_reason, ended
from rea_capture.browser.failures import DRIVER_ENDED
from rea_capture.browser.launch import BrowserIdentity
from rea_capture.browser.runtime.attaching import IN_ADVANCE, attached_browser
from rea_capture.browser.runtime.diagnostics import DiagnosticsLog
from rea_capture.browser.runtime.element_engine import ENGINE, prepare_connected, prepare_driver
from rea_capture.browser.runtime.elements import Elements
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.frames import FrameOwners
from rea_capture.browser.runtime.gate import Gate, everything_is_ours
from rea_capture.browser.runtime.guard import Guard
from rea_capture.browser.runtime.launching import launched, refuse_unsupported
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.browser.runtime.room import Room
from rea_capture.browser.runtime.tabs import Tabs
from rea_capture.browser.runtime.telling import Telling
from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import STARTUP
from rea_capture.contracts.runtime.settings import AttachSettings, LaunchSettings, SessionSettings
from rea_capture.errors import UnavailableError

Ending = Callable[[], Coroutine[Any, Any, list[str]]]


async def open_live(
    playwright: Playwright, settings: SessionSettings, *, environ: Mapping[str, str]
) -> LiveSession:
    """A session as ``settings`` say, within ``STARTUP``. ``environ`` is the browser's environment.

    Raises :class:`BrowserOperationError`, of operation ``open``. However it ends but well, also by being
    cancelled at any moment, nothing is left.
    """
    telling = Telling()
    if isinstance(settings.browser, LaunchSettings):
        refuse_unsupported(settings.browser)
    try:
        async with asyncio.timeout(STARTUP.default_ms / 1000):
            await prepare_driver(playwright)
            return await _opened(playwright, settings, environ, telling)
    except TimeoutError:
        message = f"The browser was not ready within {STARTUP.default_ms} ms."
        raise failure("open", "startup", "timeout", message) from None
    except UnavailableError as error:
        raise failure("open", "startup", "unavailable", telling.sentence(f"{error.message}.")) from None
    except Error as error:
        reason = await closing_reason(error, playwright, None) or telling.reason(error)
        message = telling.sentence(f"The browser could not be prepared: {reason}.")
        raise failure("open", "startup", "unavailable", message) from None


async def _opened(
    playwright: Playwright, settings: SessionSettings, environ: Mapping[str, str], telling: Telling
) -> LiveSession:
    if isinstance(settings.browser, LaunchSettings):
        return await _launched(playwright, settings, settings.browser, environ, telling)
    return await _attached(playwright, settings, settings.browser, telling)


async def _attached(
    playwright: Playwright, settings: SessionSettings, attach: AttachSettings, telling: Telling
) -> LiveSession:
    kept = AsyncExitStack()
    on = await kept.enter_async_context(attached_browser(playwright, attach, telling.note))
    if settings.allowed_origins != "*":
        telling.note(IN_ADVANCE)

    async def ending() -> list[str]:
        try:
            return await on.let_go()
        finally:
            await kept.aclose()

    return await _room(
        playwright,
        settings,
        telling,
        on.browser,
        on.context,
        on.page,
        on.identity,
        ending,
        opened_page=on.opened_page,
        is_own=False,
    )


async def _launched(
    playwright: Playwright,
    settings: SessionSettings,
    launch: LaunchSettings,
    environ: Mapping[str, str],
    telling: Telling,
) -> LiveSession:
    own, identity = await launched(playwright, settings, launch, environ)

    async def ending() -> list[str]:
        return await own.close()

    browser = own.context.browser
    assert browser is not None
    return await _room(
        playwright,
        settings,
        telling,
        browser,
        own.context,
        own.page,
        identity,
        ending,
        opened_page=True,
        is_own=True,
    )


async def _room(
    playwright: Playwright,
    settings: SessionSettings,
    telling: Telling,
    browser: Browser,
    context: BrowserContext,
    page: Page,
    identity: BrowserIdentity,
    ending: Ending,
    *,
    opened_page: bool,
    is_own: bool,
) -> LiveSession:
    """The session on ``page``. However it fails, ``ending`` is done."""
    guard = Guard(telling)
    downloads: set[asyncio.Future[None]] = set()

    def download(guid: str) -> None:
        telling.remark("A page offered a download; it was cancelled.")
        cancelling = asyncio.ensure_future(gate.cancel_download(guid))
        downloads.add(cancelling)
        cancelling.add_done_callback(downloads.discard)

    try:
        engine = ENGINE if is_own else await prepare_connected(playwright)
        tabs = Tabs(lambda: Elements(telling.redactor, engine), download=download, tell=telling.note)
        session = await browser.new_browser_cdp_session()
        owns = everything_is_ours if is_own else FrameOwners(tabs).owns
        gate = Gate(session, settings.allowed_origins, owns, telling.note)
        diagnostics = DiagnosticsLog(telling.redactor)
        diagnostics.attach(context)
        dialogs = DialogDismisser(context, telling.remark, tabs.leaves)
        browser.on("disconnected", lambda _: guard.lose())
        if is_own:
            context.on("page", tabs.arrive)
        first = await tabs.begin(page, is_ours=opened_page)
        if not is_own:
            gate.only(first.target_id)
        await gate.start()
    except BaseException:
        await finished(ending())
        raise
    watch = asyncio.ensure_future(_watched(playwright, guard))
    return LiveSession(
        Room(settings, identity, telling, guard, gate, tabs, diagnostics, dialogs, ending, [watch])
    )


async def _watched(playwright: Playwright, guard: Guard) -> None:
    with suppress(AttributeError):  # a driver that is lent is not ours to watch
        await ended(playwright)
        guard.lose(DRIVER_ENDED)
