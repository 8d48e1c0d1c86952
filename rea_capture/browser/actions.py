"""The scenario's actions, as calls to the browser driver.

Below: playwright, ``failures``, ``contracts.actions``. Above: ``driver``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from playwright.async_api import Error, Locator, Page

from rea_capture.browser.failures import BROWSER_CLOSED
from rea_capture.contracts import actions as declared
from rea_capture.contracts.locators import CssLocator, RoleLocator, TestIdLocator
from rea_capture.contracts.values import Value

AnyLocator = CssLocator | RoleLocator | TestIdLocator
ALIVE_CHECK_S: Final = 1.0
"""How soon a pause ends when the driver dies. (The end of the browser is reported.)"""

NO_TIMEOUT_MS: Final = 0
"""The driver's spelling of "no timeout"."""


def locate(page: Page, locator: AnyLocator) -> Locator:
    """The driver's locator; acting on it demands exactly one match."""
    match locator:
        case CssLocator():
            return page.locator(f"css={locator.selector}")
        case RoleLocator():
            return page.get_by_role(locator.role, name=locator.name, exact=True)
        case TestIdLocator():
            return page.get_by_test_id(locator.value)


def timeout_ms(action: declared.AnyAction) -> int | None:
    """How long ``action`` may take, in milliseconds; None for one without a timeout."""
    return None if isinstance(action, declared.WaitForTimeout) else action.timeout_ms


async def perform(page: Page, action: declared.AnyAction, resolve: Callable[[Value], str]) -> None:
    """Carry out ``action``. Raises what the driver raises, its own timeout included."""
    if isinstance(action, declared.WaitForTimeout):
        await _pause(page, action.duration_ms / 1000)
        return
    timeout = action.timeout_ms or NO_TIMEOUT_MS
    if isinstance(action, declared.Goto):
        destination = action.destination.resolved(resolve)
        await page.goto(destination, wait_until=action.wait_until, timeout=timeout)
        return
    target = locate(page, action.locator)
    match action:
        case declared.Click():
            await target.click(button=action.button, click_count=action.click_count, timeout=timeout)
        case declared.Fill():
            await target.fill(resolve(action.value), timeout=timeout)
        case declared.SelectOption():
            await target.select_option(resolve(action.value), timeout=timeout)
        case declared.Press():
            await target.press(action.key, timeout=timeout)
        case declared.Check():
            await target.check(timeout=timeout)
        case declared.Uncheck():
            await target.uncheck(timeout=timeout)
        case declared.WaitFor():
            await target.wait_for(state=action.state, timeout=timeout)


async def _pause(page: Page, duration_s: float) -> None:
    """Wait, asking nothing of the page. Raises ``Error`` when browser or driver is gone meanwhile."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + duration_s
    closing = asyncio.ensure_future(page.context.wait_for_event("close", timeout=NO_TIMEOUT_MS))
    try:
        while (left := deadline - loop.time()) > 0:
            await asyncio.wait({closing}, timeout=min(left, ALIVE_CHECK_S))
            if closing.done():
                raise Error(BROWSER_CLOSED)
            if left > ALIVE_CHECK_S and not page.is_closed():
                with suppress(TimeoutError):  # one that does not answer has not gone
                    await asyncio.wait_for(page.page_errors(), left - ALIVE_CHECK_S)  # the driver keeps these
    finally:
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
