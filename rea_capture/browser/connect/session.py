"""One page of a browser that somebody else runs, made ready for a scenario, and let go of again.

    1. Ask the browser for its name and targets; the selected one must be a page.
    2. Take the lease on it. After a wait, ask once more: it may be gone.
    3. Open the WebSocket, then let the driver attach over it, without its defaults; find the page by its id.
    4. Listen, answer dialogs of the page and its popups, set the environment, look for service workers of
       the caller: all before anything is navigated.
    5. Seed cookies and storage.
    6. Afterwards take everything back, then disconnect. The browser goes on.

Below: every file of this package, and the rest of ``browser``. Above: ``workflows.capture``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, cast

from playwright.async_api import Browser, BrowserContext, CDPSession, Error, Page, Playwright

from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.browser.channel import ChannelError
from rea_capture.browser.connect.attaching import attached
from rea_capture.browser.connect.cookies import BorrowedCookies
from rea_capture.browser.connect.discovery import RunningBrowser, discover
from rea_capture.browser.connect.downloads import AttachedDownloads
from rea_capture.browser.connect.driver import AttachedDriver
from rea_capture.browser.connect.instruments import RESTORATION_GRACE_MS, Instruments
from rea_capture.browser.connect.lease import leased
from rea_capture.browser.connect.relay import Relay, relayed
from rea_capture.browser.connect.scope import ScopedContext
from rea_capture.browser.connect.scratch import scratch_folder
from rea_capture.browser.connect.worker_block import AttachedWorkerBlock
from rea_capture.browser.connect.workers import CallersWorkers, RefusedByWorkerError
from rea_capture.browser.deadline import within
from rea_capture.browser.dialogs import DialogDismisser
from rea_capture.browser.driver import PlaywrightDriver
from rea_capture.browser.driver_process import closing_reason, ended
from rea_capture.browser.events import EventObserver
from rea_capture.browser.failures import reason_of
from rea_capture.browser.launch import BrowserIdentity
from rea_capture.browser.seeding import StorageSeeder
from rea_capture.browser.seeding.declared import declared_seeds
from rea_capture.browser.under_way import UnderWay
from rea_capture.capture.finishing import finished
from rea_capture.capture.limitations import Limitations, bounded_error, bounded_sentence
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.scenario import ConnectBrowser, Scenario
from rea_capture.contracts.values import Value
from rea_capture.errors import UnavailableError
from rea_capture.redaction import Redactor

DISCONNECT_TIMEOUT_MS: Final = 2_000
"""For closing the WebSocket. When the driver ends, it is closed anyway."""


@dataclass(frozen=True, slots=True)
class AttachedSession:
    """A driver ready for its first step, and the browser behind it."""

    driver: AttachedDriver
    identity: BrowserIdentity


@dataclass(frozen=True, slots=True)
class _Tools:
    """What a capture brings along."""

    scenario: Scenario
    resolve: Callable[[Value], str]
    redactor: Redactor
    recorder: EventRecorder
    limitations: Limitations

    @property
    def deadline_ms(self) -> int:
        return self.scenario.command_deadline_ms


@asynccontextmanager
async def attached_session(
    playwright: Playwright,
    scenario: Scenario,
    *,
    resolve: Callable[[Value], str],
    redactor: Redactor,
    recorder: EventRecorder,
    limitations: Limitations,
    tell: Callable[[str], None],
) -> AsyncIterator[AttachedSession]:
    """A session on the page that the scenario names; on the way out the browser is left as it was found.

    ``tell`` gets a sentence when the page is in use and has to be waited for. Raises
    :class:`UnavailableError` when the page cannot be attached to, prepared, or is refused for a service
    worker; what goes wrong on the way out becomes a limitation.
    """
    assert isinstance(scenario.browser, ConnectBrowser)
    endpoint, target_id = scenario.browser.cdp_endpoint, scenario.browser.target_id
    tools = _Tools(scenario, resolve, redactor, recorder, limitations)
    running = await discover(endpoint)
    running.page(target_id)
    async with AsyncExitStack() as stack:
        if await stack.enter_async_context(leased(running.path, target_id, tell)):
            running = await discover(endpoint)
            running.page(target_id)
        scratch = await stack.enter_async_context(scratch_folder(limitations.add))
        relay = await stack.enter_async_context(relayed(running, tools.deadline_ms))
        browser = await attached(playwright, relay, scratch, tools.deadline_ms)
        helpers = AsyncExitStack()
        try:
            try:
                driver = await _prepared(browser, relay, target_id, tools, helpers)
                helpers.callback(driver.end_with(ended(playwright)))
            except (Error, TimeoutError, ChannelError, RefusedByWorkerError) as error:
                gone = await closing_reason(error, playwright, browser)
                raise UnavailableError(_reason(error, gone, redactor)) from None
            except UnavailableError as error:
                raise bounded_error(error, redactor) from None
            yield AttachedSession(driver, _identity(running))
        finally:
            await finished(_let_go(browser, relay, helpers, limitations))


def _identity(running: RunningBrowser) -> BrowserIdentity:
    product, _, version = running.product.partition("/")
    return BrowserIdentity(product or "unknown", version or "unknown")


def _reason(error: Exception, gone: str | None, redactor: Redactor) -> str:
    sentence = gone or bounded_sentence(reason_of(error), redactor)
    if isinstance(error, RefusedByWorkerError):
        return f"the page is refused: {sentence}"
    return f"the page could not be prepared: {sentence}"


async def _prepared(
    browser: Browser, relay: Relay, target_id: str, tools: _Tools, helpers: AsyncExitStack
) -> AttachedDriver:
    """Everything that is done before the first navigation; ``helpers`` take it back, last things first."""
    scenario, recorder, limitations = tools.scenario, tools.recorder, tools.limitations
    context, page, session = await _page_of(browser, target_id, tools.deadline_ms)
    scope = ScopedContext(context, page)
    ours = cast("BrowserContext", scope)  # for whoever only listens to it
    blocks = scenario.environment.service_workers == "block"
    block = AttachedWorkerBlock(limitations.add) if blocks else None
    observer = EventObserver.attach(
        ours,
        page,
        recorder=recorder,
        owns_context=False,
        private_console=block.owns if block else None,
    )
    under_way = UnderWay(recorder)
    under_way.attach(ours, page)
    helpers.callback(under_way.detach)
    helpers.callback(DialogDismisser(ours, limitations.add).detach)
    instruments = await Instruments.install(
        browser,
        target_id,
        scenario.environment,
        script=block.script if block else None,
        timeout_ms=tools.deadline_ms,
        report=lambda problem: recorder.gap((), problem),
    )
    helpers.push_async_callback(_close_popups, scope, page)
    helpers.push_async_callback(_release, instruments, block.restore if block else None, limitations)
    downloads = AttachedDownloads(instruments, recorder)
    workers = await _without_workers(instruments, scope, tools) if blocks else None
    await _seed(context, page, session, tools, helpers, observer)

    async def picture() -> bytes:
        try:
            return await instruments.picture()
        except ChannelError as fault:
            raise Error(str(fault)) from None

    reader = await ArtifactReader.attach(
        page, redactor=tools.redactor, command_timeout_ms=tools.deadline_ms, camera=picture
    )
    driver = PlaywrightDriver(
        page,
        scenario.start_url,
        tools.resolve,
        reader,
        observer,
        under_way,
        tools.redactor,
        limitations,
        look_around=_nothing_to_look_at,
    )
    return AttachedDriver(driver, page, relay, recorder, downloads, workers, tools.resolve)


async def _nothing_to_look_at() -> None:
    """What documents do in their last moment is not seen in a shared browser; each capture says so."""


_Found = tuple[BrowserContext, Page, CDPSession]


async def _page_of(browser: Browser, target_id: str, timeout_ms: int) -> _Found:
    """The page with this id, over all contexts, and a session on it.

    All are asked at once: a tab that shows a dialog answers nobody, and is none of ours.
    """
    asked = [
        asyncio.ensure_future(_session_on(context, page, target_id, timeout_ms))
        for context in browser.contexts
        for page in context.pages
    ]
    late: TimeoutError | None = None
    try:
        for answer in asyncio.as_completed(asked):
            try:
                if found := await answer:
                    return found
            except TimeoutError as error:
                late = error
    finally:
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    raise late or UnavailableError(
        f"target {target_id!r} is gone, or is a page that the driver cannot attach to; "
        "`rea list-browser-targets` lists the pages there are"
    )


async def _session_on(context: BrowserContext, page: Page, target_id: str, timeout_ms: int) -> _Found | None:
    """A session on ``page``, if that is the target; other pages are asked for their id and let be."""
    with suppress(Error):  # a tab that was closed meanwhile
        session = await within(timeout_ms, context.new_cdp_session(page), "a page")
        info = await within(timeout_ms, session.send("Target.getTargetInfo"), "a page")
        if info["targetInfo"]["targetId"] == target_id:
            return context, page, session
        await within(timeout_ms, session.detach(), "a page")
    return None


async def _without_workers(instruments: Instruments, scope: ScopedContext, tools: _Tools) -> CallersWorkers:
    """Raises :class:`RefusedByWorkerError` when the page, a frame or the start page has a service worker."""
    workers = CallersWorkers(instruments, scope)
    await workers.begin()
    await workers.check()
    workers.admit(tools.scenario.start_url.resolved(tools.resolve))
    return workers


async def _seed(
    context: BrowserContext,
    page: Page,
    session: CDPSession,
    tools: _Tools,
    helpers: AsyncExitStack,
    observer: EventObserver,
) -> None:
    scenario, recorder = tools.scenario, tools.recorder
    cookies = BorrowedCookies(session, tools.deadline_ms)
    helpers.push_async_callback(_give_back, cookies, tools.limitations)
    await cookies.install(scenario.storage.cookies, tools.resolve)
    seeds = declared_seeds(scenario.storage, tools.resolve)
    if not seeds:
        return
    recorder.state(
        "The scenario's local and session storage seeds were written to a browser that is not ours, and stay."
    )
    installing = StorageSeeder.install(
        context,
        page,
        seeds,
        command_timeout_ms=tools.deadline_ms,
        # A page that ran without its seeds is not the page that was asked for.
        report=lambda problem: recorder.gap({"storage"}, problem),
        own_browser=False,
    )
    seeder = await within(tools.deadline_ms, installing, "the browser")
    helpers.push_async_callback(seeder.uninstall)
    observer.before_end(seeder.settle)
    if seeder.failure:
        raise UnavailableError(seeder.failure)


async def _close_popups(scope: ScopedContext, root: Page) -> None:
    """The pages that came of the capture go with it: the caller had none of them."""
    closing = (page.close() for page in scope.pages if page is not root)
    await asyncio.gather(*closing, return_exceptions=True)


async def _give_back(cookies: BorrowedCookies, limitations: Limitations) -> None:
    if not await cookies.give_back():
        limitations.add(
            "The cookies that the scenario seeded could not all be taken out of the browser again."
        )


async def _release(instruments: Instruments, restore: str | None, limitations: Limitations) -> None:
    if not await instruments.release(restore):
        limitations.add(
            "The page did not take everything back in time; what was set for it ended with this capture's "
            "session, and a document that hangs may keep refusing service workers until it is left."
        )


async def _let_go(browser: Browser, relay: Relay, helpers: AsyncExitStack, limitations: Limitations) -> None:
    """Take everything back, then disconnect. Never raises what a browser can cause."""
    try:
        await within(RESTORATION_GRACE_MS, helpers.aclose(), "the browser")
    except (Error, TimeoutError) as error:
        if browser.is_connected():
            limitations.add(f"The page may not be quite as it was: {reason_of(error)}.")
    if relay.lost.is_set():
        limitations.add("The browser went away while it was attached to.")
    relay.let_go()
    with suppress(Error, TimeoutError):
        await within(DISCONNECT_TIMEOUT_MS, browser.close(), "the browser")
