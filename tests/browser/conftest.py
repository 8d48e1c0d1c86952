"""What many tests share, on one loop: the driver of captures, and a browser of which each has a context."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Playwright
from pytest_asyncio import is_async_test

from tests.browser.kept_driver import KeptDriver

LIVE_ON_ONE_LOOP: Final = {"kept_driver", "shared_browser", "owner"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what uses any of these on the loop that they live on."""
    for item in items:
        if is_async_test(item) and LIVE_ON_ONE_LOOP & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def driver_of_the_session() -> AsyncIterator[KeptDriver]:
    """One for each process that runs tests."""
    kept = KeptDriver()
    yield kept
    await kept.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def kept_driver(driver_of_the_session: KeptDriver) -> AsyncIterator[KeptDriver]:
    """The driver to be lent. Fails the test that leaves one of its browsers, and ends the tasks it leaves."""
    browsers, tasks = driver_of_the_session.browsers(), asyncio.all_tasks()
    yield driver_of_the_session
    await driver_of_the_session.cancel_tasks_beside(tasks)
    assert await driver_of_the_session.browsers_beside(browsers) == set(), "a browser is left"


class SharedBrowser:
    """A headless Chromium of the kept driver; another one when either has ended."""

    def __init__(self, kept: KeptDriver, executable: str) -> None:
        self._kept, self._executable = kept, executable
        self._driver: Playwright | None = None
        self._running: Browser | None = None

    async def running(self) -> Browser:
        """The browser; the sandbox is off, for tests run as root in containers, too."""
        driver = await self._kept.lent()
        if self._running is None or driver != self._driver or not self._running.is_connected():
            self._driver = driver
            self._running = await driver.chromium.launch(
                executable_path=self._executable, chromium_sandbox=False
            )
        return self._running


@pytest.fixture(scope="session")
def shared_browser(driver_of_the_session: KeptDriver, chromium_path: str) -> SharedBrowser:
    """One for each process that runs tests; it ends with its driver."""
    return SharedBrowser(driver_of_the_session, chromium_path)


@pytest_asyncio.fixture(loop_scope="session")
async def browser(shared_browser: SharedBrowser) -> AsyncIterator[Browser]:
    """The browser for a test, which opens a context of its own."""
    running = await shared_browser.running()
    yield running
    for context in running.contexts:
        await context.close()
