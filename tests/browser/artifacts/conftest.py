"""A page for each test, and a reader of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page

from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.redaction import Redactor
from tests.browser.artifacts.looks import Attach

TIMEOUT_MS = 15_000
"""Far more than any read here needs, on a loaded machine too."""


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    context = await browser.new_context(viewport={"width": 400, "height": 300})
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: BrowserContext) -> Page:
    return await context.new_page()


@pytest.fixture
def attach(page: Page) -> Attach:
    """A reader of the test's page; named values are secrets."""

    async def attach(*, to: Page = page, timeout_ms: int = TIMEOUT_MS, **secrets: str) -> ArtifactReader:
        return await ArtifactReader.attach(to, redactor=Redactor(secrets), command_timeout_ms=timeout_ms)

    return attach
