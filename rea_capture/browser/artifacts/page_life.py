"""Whether a page is still there: whoever waits for it waits for its end as well.

Below: playwright, ``bounded``. Above: the reader, and the browser driver.
"""

from __future__ import annotations

import asyncio

from playwright.async_api import Page

from rea_capture.browser.artifacts.bounded import PAGE_CLOSED, PAGE_CRASHED


class PageLife:
    """The life of ``page``; ``gone`` is done, with the reason, once it has ended."""

    def __init__(self, page: Page) -> None:
        self.gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        page.on("crash", lambda _: self._ended(PAGE_CRASHED))
        page.on("close", lambda _: self._ended(PAGE_CLOSED))

    def _ended(self, reason: str) -> None:
        if not self.gone.done():
            self.gone.set_result(reason)
