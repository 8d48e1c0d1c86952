"""One browser driver for the captures of many tests, each of which is lent it in turn or at the same time.

A capture starts a driver of its own and stops it, as tests of whole commands and of cleaning up show. Where
that is not what a test is about, this spares it. A driver that does not answer any more, whatever a page or
a test has done to it, is replaced by a new one before the next capture.

Below: ``browser.driver_process``. Above: ``conftest`` (the ``kept_driver`` fixture).
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from playwright.async_api import BrowserType, Error, Playwright, Selectors

from rea_capture.browser.driver_process import process_id, start_driver, stop_driver

ANSWER_TIMEOUT_S: Final = 10.0
ENDING_TIMEOUT_S: Final = 10.0
ENDING_POLL_S: Final = 0.02
"""A browser that was closed is gone from the table of processes a moment later."""


@dataclass(frozen=True, slots=True)
class LentDriver:
    """What a capture uses of a driver. Stopping it leaves the driver to the next."""

    chromium: BrowserType
    selectors: Selectors

    async def stop(self) -> None:
        """Give it back."""


class KeptDriver:
    """A driver on the loop of all tests that use it, started when it is first asked for."""

    def __init__(self) -> None:
        self._driver: Playwright | None = None
        self._tasks: frozenset[asyncio.Task[Any]] = frozenset()
        self._starting = asyncio.Lock()

    async def lent(self) -> Playwright:
        """The driver, which answers; for one capture, which may stop what it gets."""
        async with self._starting:
            if self._driver is None or not await _answers(self._driver):
                await self.stop()
                before = asyncio.all_tasks()
                self._driver = await start_driver()
                self._tasks = frozenset(asyncio.all_tasks() - before)
        return cast("Playwright", LentDriver(self._driver.chromium, self._driver.selectors))

    async def stop(self) -> None:
        """End the driver, if there is one."""
        driver, self._driver = self._driver, None
        if driver is not None:
            await stop_driver(driver)

    def process_id(self) -> int | None:
        """The driver's process; None when there is none."""
        return None if self._driver is None else process_id(self._driver)

    def browsers(self) -> set[int]:
        """The processes that the driver has started and that have not ended."""
        pid = self.process_id()
        try:
            return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
        except OSError:
            return set()

    async def browsers_beside(self, known: set[int]) -> set[int]:
        """Those that are not ``known`` and stay."""
        deadline = time.monotonic() + ENDING_TIMEOUT_S
        while (others := self.browsers() - known) and time.monotonic() < deadline:  # noqa: ASYNC110 - its process
            await asyncio.sleep(ENDING_POLL_S)
        return others

    async def cancel_tasks_beside(self, known: set[asyncio.Task[Any]]) -> None:
        """Cancel what else runs on the loop, as the end of a loop of one's own would."""
        others = asyncio.all_tasks() - known - self._tasks - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=ENDING_TIMEOUT_S)


async def _answers(driver: Playwright) -> bool:
    """Whether the driver does what it is asked to, in time."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            await (await driver.request.new_context()).dispose()
    except (Error, OSError, TimeoutError):
        return False
    return True
