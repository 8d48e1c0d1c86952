"""Where a worker's sessions come from: one browser driver for all of them, started when it is first needed.

Below: ``browser.runtime``, ``workflows``. Above: ``serving``, and whoever has a worker in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.worker.live import Live

if TYPE_CHECKING:
    from playwright.async_api import Playwright


class Browsers:
    """Opens sessions with browsers. Settings of the machine are looked for in ``environ``."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._starting: asyncio.Task[Playwright] | None = None

    def warm_up(self) -> None:
        """Start the driver now, so that the first session need not wait for it."""
        from rea_capture.workflows.capture import start_driver  # noqa: PLC0415 - heavy; the hello comes first

        if self._starting is None:
            self._starting = asyncio.ensure_future(start_driver())

    async def open(self, settings: SessionSettings) -> Live:
        """As :func:`open_live`. Raises :class:`UnavailableError` where there is no driver to be had."""
        from rea_capture.browser.runtime.opening import open_live  # noqa: PLC0415 - brings Playwright

        return await open_live(await self._driver(), settings, environ=self._environ)

    async def close(self) -> None:
        """Stop the driver. The sessions are to be closed by now."""
        starting, self._starting = self._starting, None
        if starting is not None:
            starting.cancel()
            await finished(_stopped(starting))

    async def _driver(self) -> Playwright:
        from rea_capture.browser.driver_process import process_id  # noqa: PLC0415 - brings Playwright

        if self._starting is not None and self._starting.done() and not _is_good(self._starting, process_id):
            self._starting = None  # it could not be started, or has ended since
        self.warm_up()
        assert self._starting is not None
        # Shielded: others may wait for the same driver.
        return await asyncio.shield(self._starting)


def _is_good(starting: asyncio.Task[Playwright], process_id: Callable[[Playwright], int | None]) -> bool:
    if starting.cancelled() or starting.exception() is not None:
        return False
    return process_id(starting.result()) is not None


async def _stopped(starting: asyncio.Task[Playwright]) -> None:
    driver = (await asyncio.gather(starting, return_exceptions=True))[0]
    if not isinstance(driver, BaseException):
        from rea_capture.browser.driver_process import stop_driver  # noqa: PLC0415 - imported by now

        await stop_driver(driver)
