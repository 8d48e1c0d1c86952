"""One browser for the tests of a module; each observes a context of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, async_playwright


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(chromium_path: str) -> AsyncIterator[Browser]:
    """A headless Chromium; the sandbox is off, for tests run as root in containers, too."""
    async with async_playwright() as driver:
        launched = await driver.chromium.launch(executable_path=chromium_path, chromium_sandbox=False)
        yield launched
        await launched.close()
