"""A page whose elements are observed and acted on. One for all tests here: a new document is as good."""

from __future__ import annotations

from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page

from rea_capture.browser.runtime.element_engine import prepare_driver
from tests.browser.conftest import SharedBrowser
from tests.browser.kept_driver import KeptDriver
from tests.browser.runtime_elements.hands import Hands

TIMEOUT_MS: Final = 15_000
"""Far more than anything here needs, on a loaded machine too."""


class KeptPage:
    """A page of the shared browser, and another one when it was closed."""

    def __init__(self, kept: KeptDriver, shared: SharedBrowser) -> None:
        self._kept, self._shared = kept, shared
        self._page: Page | None = None

    async def empty(self) -> Page:
        """The page, with an empty document."""
        await prepare_driver(await self._kept.lent())
        browser = await self._shared.running()
        if self._page is None or self._page.is_closed() or self._page.context not in browser.contexts:
            context = await browser.new_context(viewport={"width": 500, "height": 400})
            context.set_default_timeout(TIMEOUT_MS)
            self._page = await context.new_page()
        await self._page.goto("about:blank")
        return self._page


@pytest.fixture(scope="session")
def kept_page(driver_of_the_session: KeptDriver, shared_browser: SharedBrowser) -> KeptPage:
    return KeptPage(driver_of_the_session, shared_browser)


@pytest_asyncio.fixture(loop_scope="session")
async def page(kept_page: KeptPage) -> Page:
    return await kept_page.empty()


@pytest.fixture
def context(page: Page) -> BrowserContext:
    return page.context


@pytest.fixture
def hands(page: Page) -> Hands:
    """Observes and acts on the test's page."""
    return Hands(page)
