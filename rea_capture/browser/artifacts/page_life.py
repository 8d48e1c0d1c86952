"""Whether a page is still there: whoever waits for it waits for its end as well.

A page ends by itself, with its browser, or with the driver; which it was is what a reader has to be told.

Below: playwright, ``bounded``. Above: the reader, and the browser driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from playwright.async_api import Page

from rea_capture.browser.artifacts.bounded import NOTICING_S, PAGE_CLOSED, PAGE_CRASHED
from rea_capture.browser.failures import BROWSER_GONE, DRIVER_ENDED, is_closing


class PageLife:
    """The life of ``page``; ``gone`` is done, with the reason, once it has ended."""

    def __init__(self, page: Page) -> None:
        self.gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._listening: list[tuple[Any, str, Callable[[Any], None]]] = []
        self._on(page, "crash", lambda _: self._ended(PAGE_CRASHED))
        self._on(page, "close", lambda _: self._closed())
        if (browser := page.context.browser) is not None:
            self._on(browser, "disconnected", lambda _: self._ended(BROWSER_GONE))

    def end_with(self, driver_end: Coroutine[Any, Any, None]) -> Callable[[], object]:
        """Let the page end when ``driver_end``, the driver's, returns. Calling the result stops the wait."""
        task = asyncio.ensure_future(driver_end)
        task.add_done_callback(self._driver_ended)
        return task.cancel

    async def reason(self, error: BaseException) -> str | None:
        """Why the page is gone, where that is what ``error`` came of; waits a moment for the news of it."""
        if is_closing(error) and not self.gone.done():
            await asyncio.wait({self.gone}, timeout=2 * NOTICING_S)
        return self.gone.result() if is_closing(error) and self.gone.done() else None

    def leave(self) -> None:
        """Wait for its end no more, where the page outlives whoever waited."""
        for source, event, listener in self._listening:
            source.remove_listener(event, listener)
        self._listening.clear()

    def _on(self, source: Any, event: str, listener: Callable[[Any], None]) -> None:
        source.on(event, listener)
        self._listening.append((source, event, listener))

    def _closed(self) -> None:
        # The pages of a browser that goes away are closed first; the news of that comes right behind.
        asyncio.get_running_loop().call_later(NOTICING_S, self._ended, PAGE_CLOSED)

    def _driver_ended(self, ended: asyncio.Future[None]) -> None:
        if not ended.cancelled() and ended.exception() is None:
            self._ended(DRIVER_ENDED)

    def _ended(self, reason: str) -> None:
        if not self.gone.done():
            self.gone.set_result(reason)
