"""The browser driver of the capture room, on a Playwright page.

Below: actions, artifacts, events. Above: ``session``, which assembles it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any, Final

from playwright.async_api import Error, Locator, Page
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser import actions
from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.browser.events import EventObserver
from rea_capture.browser.failures import reason_of
from rea_capture.browser.under_way import UnderWay
from rea_capture.capture.driver import ActionError, ArtifactReading
from rea_capture.capture.limitations import Limitations, bounded_sentence
from rea_capture.contracts.actions import AnyAction, Fill, SelectOption
from rea_capture.contracts.destinations import Destination
from rea_capture.contracts.selection import ArtifactName
from rea_capture.contracts.urls import ObservedUrl, observed_url
from rea_capture.contracts.values import SecretValue, Value
from rea_capture.redaction import Redactor

START_NAVIGATION_TIMEOUT_MS: Final = 30_000
"""How long the start page may take; a declared ``goto`` has a timeout of its own instead."""

ANSWER_GRACE_MS: Final = 2_000
"""How long after a timeout the driver may take to say so. It keeps the time itself, but its word comes
behind everything it has to tell of the page, without end where a page logs without end."""


class PlaywrightDriver:
    """Runs actions on ``page`` and reads it; everything it says is redacted.

    ``look_around`` looks, when a step ends, at what the next action may end; see ``events.farewells``.
    """

    def __init__(
        self,
        page: Page,
        start: Destination,
        resolve: Callable[[Value], str],
        reader: ArtifactReader,
        observer: EventObserver,
        under_way: UnderWay,
        redactor: Redactor,
        limitations: Limitations,
        *,
        look_around: Callable[[], Awaitable[None]],
    ) -> None:
        self._page = page
        self._start = start
        self._resolve = resolve
        self._reader = reader
        self._observer = observer
        self._under_way = under_way
        self._look_around = look_around
        self._redactor = redactor
        self._limitations = limitations
        self._secret_inputs: list[Locator] = []
        self._life = reader.life
        self._gone = reader.life.gone

    def end_with(self, driver_end: Coroutine[Any, Any, None]) -> Callable[[], object]:
        """As ``PageLife.end_with``: what fails because the driver has ended says so."""
        return self._life.end_with(driver_end)

    def url(self) -> ObservedUrl:
        """The URL the driver remembers; see ``artifacts`` for one that the page confirms."""
        return observed_url(self._page.url, self._redactor.text)

    async def start(self) -> None:
        """Navigate to the start URL and wait for its load event.

        A document that arrived but does not finish loading is used as it is, and the capture says so.
        """
        url = self._start.resolved(self._resolve)
        await self._act(self._navigate(url), 2 * START_NAVIGATION_TIMEOUT_MS)  # to arrive, then to load

    async def _navigate(self, url: str) -> None:
        await self._page.goto(url, wait_until="commit", timeout=START_NAVIGATION_TIMEOUT_MS)
        try:
            await self._page.wait_for_load_state("load", timeout=START_NAVIGATION_TIMEOUT_MS)
        except DriverTimeoutError:
            self._limitations.add(
                f"The start page did not finish loading within {START_NAVIGATION_TIMEOUT_MS} ms; "
                "the actions ran on what had arrived."
            )

    async def perform(self, action: AnyAction) -> None:
        """Carry out ``action``; remember inputs that are filled from a secret, to mask them."""
        if isinstance(action, Fill | SelectOption) and isinstance(action.value, SecretValue):
            self._secret_inputs.append(actions.locate(self._page, action.locator))
        await self._act(actions.perform(self._page, action, self._resolve), actions.timeout_ms(action))

    async def _act(self, work: Coroutine[Any, Any, None], timeout_ms: int | None) -> None:
        """Await ``work``, but not longer than the page lives, nor much longer than ``timeout_ms``."""
        self._under_way.begin_step()
        task = asyncio.ensure_future(work)
        try:
            waiting: set[asyncio.Future[Any]] = {task, self._gone}
            patience_s = None if timeout_ms is None else (timeout_ms + ANSWER_GRACE_MS) / 1000
            await asyncio.wait(waiting, timeout=patience_s, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ActionError(self._gone.result() if self._gone.done() else _no_answer(timeout_ms))
            task.result()
        except (Error, TimeoutError) as error:
            gone = await self._life.reason(error)
            raise ActionError(gone or bounded_sentence(reason_of(error), self._redactor)) from None
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def settle(self) -> None:
        """Give the page a frame to react, and what it set off a bounded time to be answered."""
        await self._reader.settle()
        await self._quiet()
        await self._look_around()

    async def _quiet(self) -> None:
        await self._under_way.quiet(self._reader.settle, self._gone)

    async def _frame_beside(self, requested: Collection[ArtifactName]) -> None:
        if "screenshot" not in requested:  # which takes a frame of its own
            await self._reader.settle()

    async def read(self, requested: Collection[ArtifactName]) -> ArtifactReading:
        """The requested artifacts of the page once what the step set off has been answered.

        Reading goes on while the page settles. When the page was found to be still at it meanwhile, the
        artifacts are of no certain moment, and are read once more.
        """
        await self._quiet()
        before = self._under_way.set_off_count
        reading, _, _ = await asyncio.gather(
            self._reader.read(requested, self._secret_inputs),
            self._frame_beside(requested),
            self._look_around(),
        )
        if self._under_way.set_off_count == before:
            return reading
        await self._quiet()
        await self._look_around()
        return await self._reader.read(requested, self._secret_inputs)

    async def finish_observation(self) -> None:
        """Stop observing events and drain what was admitted."""
        await self._observer.finish()

    async def cancel_observation(self) -> None:
        """Stop observing at once."""
        await self._observer.cancel()


def _no_answer(timeout_ms: int | None) -> str:
    return f"Timeout {timeout_ms}ms exceeded, and the browser driver did not say so for {ANSWER_GRACE_MS} ms"
