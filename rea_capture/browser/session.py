"""One owned browser, assembled and ready to run a scenario: the room's front door.

    1. Launch the browser with a temporary profile.
    2. Observe events, dismiss dialogs, block service workers: all before anything is navigated.
    3. Install cookies and storage seeds.

Below: every file of this room. Above: ``workflows.capture``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from playwright.async_api import Error, Playwright

from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.browser.cookies import install_cookies
from rea_capture.browser.deadline import within
from rea_capture.browser.dialogs import DialogDismisser
from rea_capture.browser.driver import PlaywrightDriver
from rea_capture.browser.driver_process import closing_reason, ended, process_id, stop_driver
from rea_capture.browser.events import EventObserver
from rea_capture.browser.events.unseen import UnseenWorkers
from rea_capture.browser.failures import reason_of
from rea_capture.browser.launch import BrowserIdentity, LaunchedBrowser
from rea_capture.browser.seeding import StorageSeeder
from rea_capture.browser.seeding.declared import declared_seeds
from rea_capture.browser.sent_unseen import UPDATES_LIMITATION, SentUnseen
from rea_capture.browser.service_workers import ServiceWorkerBlock
from rea_capture.browser.under_way import UnderWay
from rea_capture.capture.finishing import finished
from rea_capture.capture.limitations import Limitations, bounded_error, bounded_sentence
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.scenario import LaunchBrowser, Scenario
from rea_capture.contracts.values import Value
from rea_capture.errors import UnavailableError
from rea_capture.redaction import Redactor

DETACH_TIMEOUT_MS: Final = 1_000
"""What was put into a browser is taken out again in milliseconds; one that does not answer is closed next."""


DRIVER_ENDED_LIMITATION: Final = (
    "The browser driver ended by itself or was ended; nothing could be done or seen from then on."
)
BROWSER_GONE_LIMITATION: Final = (
    "The browser ended by itself, crashed or was ended; nothing could be done or seen from then on."
)


@dataclass(frozen=True, slots=True)
class Session:
    """A driver ready for its first step, and the browser behind it."""

    driver: PlaywrightDriver
    identity: BrowserIdentity


@asynccontextmanager
async def launched_session(
    playwright: Playwright,
    scenario: Scenario,
    executable_path: str,
    *,
    resolve: Callable[[Value], str],
    redactor: Redactor,
    recorder: EventRecorder,
    limitations: Limitations,
    environ: Mapping[str, str],
) -> AsyncIterator[Session]:
    """A session on a browser of our own, which is closed and deleted on the way out.

    Raises :class:`UnavailableError` when the browser cannot be launched or prepared; what goes wrong
    while closing becomes a limitation.
    """
    assert isinstance(scenario.browser, LaunchBrowser)
    unseen = SentUnseen(recorder)
    had_process = process_id(playwright) is not None
    browser = await LaunchedBrowser.launch(
        playwright,
        executable_path,
        scenario.environment,
        headless=scenario.browser.headless,
        logs_network=unseen.is_wanted,
        environ=environ,
        timeout_ms=scenario.command_deadline_ms,
    )
    helpers = AsyncExitStack()
    try:
        try:
            driver = await _prepare(
                browser, scenario, resolve, redactor, recorder, limitations, helpers, unseen
            )
            helpers.callback(driver.end_with(ended(playwright)))
        except (Error, TimeoutError) as error:
            gone = await closing_reason(error, playwright, browser.context.browser)
            reason = gone or bounded_sentence(reason_of(error), redactor)
            raise UnavailableError(f"the browser could not be prepared: {reason}") from None
        except UnavailableError as error:
            raise bounded_error(error, redactor) from None
        yield Session(driver, browser.identity)
    finally:
        its = browser.context.browser
        browser_went = its is not None and not its.is_connected()
        leaving = _Leaving(playwright)
        for problem in await finished(leaving.closed(browser, helpers, unseen)):
            limitations.add(problem)
        if had_process and leaving.driver_had_ended():
            limitations.add(DRIVER_ENDED_LIMITATION)
        elif browser_went:
            limitations.add(BROWSER_GONE_LIMITATION)
        unseen.state()


class _Leaving:
    """Taking down the browser, and the driver as soon as it is not needed: each waits for a process."""

    def __init__(self, driver: Playwright) -> None:
        self._driver = driver
        self._stopping: asyncio.Task[None] | None = None

    async def closed(
        self, browser: LaunchedBrowser, helpers: AsyncExitStack, unseen: SentUnseen
    ) -> list[str]:
        """Close ``browser``; sentences for what went wrong."""
        with suppress(Exception):  # whatever it is that fails there, the browser is closed next
            await within(DETACH_TIMEOUT_MS, helpers.aclose(), "the browser")
        try:
            return await browser.close(unseen.look, self._stop_driver)
        finally:
            if self._stopping is not None:
                await self._stopping

    def _stop_driver(self) -> None:
        self._stopping = asyncio.ensure_future(stop_driver(self._driver))

    def driver_had_ended(self) -> bool:
        """Whether the driver ended without being stopped here, as it is once it has closed the browser."""
        return self._stopping is None and process_id(self._driver) is None


async def _prepare(
    browser: LaunchedBrowser,
    scenario: Scenario,
    resolve: Callable[[Value], str],
    redactor: Redactor,
    recorder: EventRecorder,
    limitations: Limitations,
    helpers: AsyncExitStack,
    sent: SentUnseen,
) -> PlaywrightDriver:
    deadline_ms = scenario.command_deadline_ms
    blocks = scenario.environment.service_workers == "block"
    workers = ServiceWorkerBlock(limitations.add)
    observer = EventObserver.attach(
        browser.context,
        browser.page,
        recorder=recorder,
        owns_context=True,
        private_console=workers.owns if blocks else None,
    )
    sent.reported = observer.reported
    under_way = UnderWay(recorder)
    under_way.attach(browser.context, browser.page)
    helpers.callback(under_way.detach)
    helpers.callback(DialogDismisser(browser.context, limitations.add).detach)
    if not blocks and "network" in recorder.families:
        recorder.state(UPDATES_LIMITATION)
    if blocks:
        await within(deadline_ms, workers.install(browser.context), "the browser")
    unseen = UnseenWorkers(recorder)
    helpers.push_async_callback(unseen.close)
    await within(deadline_ms, unseen.watch(browser.context), "the browser")
    await install_cookies(browser.session, scenario.storage.cookies, resolve, deadline_ms)
    if seeds := declared_seeds(scenario.storage, resolve):

        def report(problem: str) -> None:
            # A page that ran without its seeds is not the page that was asked for.
            recorder.gap({"storage"}, problem)

        installing = StorageSeeder.install(
            browser.context, browser.page, seeds, command_timeout_ms=deadline_ms, report=report
        )
        seeder = await within(deadline_ms, installing, "the browser")
        helpers.push_async_callback(seeder.uninstall)
        observer.before_end(seeder.settle)
        if seeder.failure:
            raise UnavailableError(seeder.failure)
    reader = await ArtifactReader.attach(browser.page, redactor=redactor, command_timeout_ms=deadline_ms)
    return PlaywrightDriver(
        browser.page,
        scenario.start_url,
        resolve,
        reader,
        observer,
        under_way,
        redactor,
        limitations,
        look_around=unseen.look_around,
    )
