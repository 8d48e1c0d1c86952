"""Starting the browser driver's process.

It can be started before the scenario is known, which hides its start-up behind the reading of the
input; so this file imports nothing but the driver.

Below: playwright, ``failures``. Above: ``workflows``.
"""

from __future__ import annotations

from playwright.async_api import Error, Playwright, async_playwright

from rea_capture.browser.failures import reason_of
from rea_capture.errors import UnavailableError


async def start_driver() -> Playwright:
    """Start the driver process. Raises :class:`UnavailableError` when it cannot run."""
    try:
        return await async_playwright().start()
    except (Error, OSError) as error:
        raise UnavailableError(f"the browser driver could not be started: {reason_of(error)}") from None
