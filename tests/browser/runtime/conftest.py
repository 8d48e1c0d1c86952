"""Sessions of the runtime on a real browser, with real servers on loopback."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any, Protocol

import pytest
import pytest_asyncio
from playwright.async_api import Playwright
from pytest_asyncio import is_async_test

from rea_capture.browser.driver_process import start_driver, stop_driver
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.browser.runtime.opening import open_live
from rea_capture.contracts.runtime.settings import BrowserSettings, LaunchSettings, SessionSettings
from tests.loopback import Loopback, serving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is on the loop of the one driver."""
    for item in items:
        if is_async_test(item) and "driver" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def driver() -> AsyncIterator[Playwright]:
    """The driver of a worker, which has many sessions."""
    started = await start_driver()
    yield started
    await stop_driver(started)


class OpenSession(Protocol):
    """Opens a session that the test may leave to the fixture to close."""

    def __call__(self, browser: BrowserSettings | None = None, **settings: Any) -> Awaitable[LiveSession]: ...


@pytest_asyncio.fixture(loop_scope="session")
async def open_session(driver: Playwright, chromium_path: str) -> AsyncIterator[OpenSession]:
    opened: list[LiveSession] = []

    async def open_one(browser: BrowserSettings | None = None, **settings: Any) -> LiveSession:
        own = browser or LaunchSettings(executable_path=chromium_path)
        session = await open_live(driver, SessionSettings(browser=own, **settings), environ=os.environ)
        opened.append(session)
        return session

    yield open_one
    for session in opened:
        assert await session.close() == ()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(driver: Playwright, chromium_path: str) -> AsyncIterator[LiveSession]:
    """A session that may go everywhere, for the tests of one file."""
    own = LaunchSettings(executable_path=chromium_path)
    session = await open_live(driver, SessionSettings(browser=own), environ=os.environ)
    yield session
    assert await session.close() == ()


@pytest.fixture(scope="module")
def site() -> Iterator[Loopback]:
    """Where sessions may go."""
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def forbidden() -> Iterator[Loopback]:
    """Another origin."""
    with serving() as server:
        yield server
