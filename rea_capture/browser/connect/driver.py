"""The driver of an attached page: that of any page, with what only a shared browser has.

Every step misses what a shared browser does not tell, so none is complete. A step ends, failed, as soon as
a service worker of the caller is met, where those are blocked. And where the page has gone because its
browser has, the step says that.

Below: ``workers``, ``relay``, ``browser.driver``. Above: ``session``; used by the runner.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any

from playwright.async_api import Page

from rea_capture.browser.connect.downloads import AttachedDownloads
from rea_capture.browser.connect.limitations import GAP
from rea_capture.browser.connect.relay import Relay
from rea_capture.browser.connect.workers import CallersWorkers, RefusedByWorkerError
from rea_capture.browser.driver import PlaywrightDriver
from rea_capture.browser.failures import BROWSER_GONE
from rea_capture.capture.driver import ActionError, ArtifactReading
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.actions import AnyAction, Goto
from rea_capture.contracts.selection import ArtifactName
from rea_capture.contracts.urls import ObservedUrl
from rea_capture.contracts.values import Value


class AttachedDriver:
    """Runs actions on a page of a shared browser; see ``capture.driver.BrowserDriver``."""

    def __init__(
        self,
        driver: PlaywrightDriver,
        page: Page,
        relay: Relay,
        recorder: EventRecorder,
        downloads: AttachedDownloads,
        workers: CallersWorkers | None,
        resolve: Callable[[Value], str],
    ) -> None:
        self._driver = driver
        self._page = page
        self._relay = relay
        self._recorder = recorder
        self._downloads = downloads
        self._workers = workers
        self._resolve = resolve

    def end_with(self, driver_end: Coroutine[Any, Any, None]) -> Callable[[], object]:
        """As that of any page."""
        return self._driver.end_with(driver_end)

    def url(self) -> ObservedUrl:
        """As that of any page."""
        return self._driver.url()

    async def start(self) -> None:
        """Navigate to the start URL. Raises :class:`ActionError`, for a service worker that is met too."""
        await self._told(self._watched(self._driver.start()))

    async def perform(self, action: AnyAction) -> None:
        """Carry out ``action``. Raises :class:`ActionError`, for a service worker that is met too."""
        if self._workers is not None and isinstance(action, Goto):
            try:
                self._workers.admit(action.destination.resolved(self._resolve))
            except RefusedByWorkerError as refused:
                self._miss()
                raise ActionError(str(refused)) from None
        await self._told(self._watched(self._driver.perform(action)))

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ActionError:
            if self._page.is_closed() and await self._relay.is_lost():
                raise ActionError(BROWSER_GONE) from None
            raise

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        self._miss()
        if self._workers is None:
            await work
            return
        task = asyncio.ensure_future(work)
        try:
            waiting: set[asyncio.Future[Any]] = {task, self._workers.refusal}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if self._workers.refusal.done():
                raise ActionError(self._workers.refusal.result())
            await task
            await self._workers.check()
        except RefusedByWorkerError as refused:
            raise ActionError(str(refused)) from None
        finally:
            if not task.done():
                task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _miss(self) -> None:
        self._recorder.gap({"events"}, GAP)

    async def settle(self) -> None:
        """As any page."""
        await self._driver.settle()

    async def read(self, requested: Collection[ArtifactName]) -> ArtifactReading:
        """As any page's."""
        return await self._driver.read(requested)

    async def finish_observation(self) -> None:
        """As that of any page; what a service worker did unnoticed after the last step is stated."""
        await self._driver.finish_observation()
        await self._downloads.settle()
        if self._workers is not None and self._workers.refusal.done():
            reason = self._workers.refusal.result()
            self._recorder.gap({"events"}, f"{reason[:1].upper()}{reason[1:]}.")

    async def cancel_observation(self) -> None:
        """As that of any page."""
        await self._driver.cancel_observation()
