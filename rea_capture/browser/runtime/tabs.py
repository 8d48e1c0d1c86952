"""The tabs of a session, oldest first, and which of them is selected.

    1. A tab has one handle for as long as it lives, wherever it goes.
    2. Only ``selectTab`` selects. A popup never does so by itself.
    3. When the selected tab goes, its opener is selected if that is still there, else none is.
    4. There are ``MAX_TABS`` at most; a popup beyond them is closed at once.

Below: ``tab``, playwright. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Final

from playwright.async_api import Error, Page

from rea_capture.browser.runtime.elements import Elements
from rea_capture.browser.runtime.tab import OpenTab, new_handle, opened
from rea_capture.contracts.runtime.budgets import MAX_TABS

LOOK_TIMEOUT_MS: Final = 2_000
"""How long a page that came up is waited for until it tells what it is. One that is busy by then is a tab
as soon as it does."""

BUSY: Final = "A page that came up was too busy to be a tab at once; it is listed as soon as it answers."


class Tabs:
    """Made empty; the first page is added with :meth:`begin`, popups follow by themselves."""

    def __init__(
        self,
        new_elements: Callable[[], Elements],
        *,
        download: Callable[[str], None],
        tell: Callable[[str], None],
    ) -> None:
        self._new_elements = new_elements
        self._download = download
        self._tell = tell
        self._handles: dict[Page, str] = {}
        """Of every page, in the order in which they came up."""
        self._tabs: dict[Page, OpenTab] = {}
        self._coming: set[asyncio.Task[None]] = set()
        self._looking: set[asyncio.Task[None]] = set()
        self.selected_id: str | None = None
        self.changed = asyncio.Event()
        """Set when a tab came."""

    async def begin(self, page: Page, *, is_ours: bool) -> OpenTab:
        """Take the session's first page, and select it. Raises the driver's ``Error``."""
        self._follow(page)
        tab = await self._opened(page, None, is_ours=is_ours)
        self.selected_id = tab.tab_id
        return tab

    def arrive(self, page: Page) -> None:
        """A page of the session came up."""
        with suppress(Exception):  # nothing may leave a listener of the driver
            if page in self._handles or page.is_closed():
                return
            if len(self._handles) >= MAX_TABS:
                self._tell(f"A page opened more than {MAX_TABS} tabs; those beyond were closed.")
                self._run(_closed(page))
                return
            self._follow(page)
            self._run(self._come(page))

    async def settled(self) -> None:
        """Return when every page that came up is a tab, but for those that are busy."""
        while self._coming:
            await asyncio.wait(set(self._coming))

    def open(self) -> list[OpenTab]:
        """All, oldest first, those that crashed too."""
        return [self._tabs[page] for page in self._handles if page in self._tabs]

    def leaves(self, page: Page) -> bool:
        """Whether ``page`` is to be left, as somebody has asked for."""
        return page in self._tabs and self._tabs[page].is_leaving

    def find(self, tab_id: str) -> OpenTab | None:
        """The tab with this handle, if it is there."""
        return next((tab for tab in self.open() if tab.tab_id == tab_id), None)

    def popups_of(self, opener_id: str) -> list[OpenTab]:
        """Those that this tab opened and that are still there, oldest first."""
        return [tab for tab in self.open() if tab.opener == opener_id]

    def cancel(self) -> None:
        """Look at no page any more."""
        for task in (*self._coming, *self._looking):
            task.cancel()

    def _follow(self, page: Page) -> None:
        self._handles[page] = new_handle()
        page.on("popup", self.arrive)
        page.on("close", self._left)

    async def _come(self, page: Page) -> None:
        """Wait for ``page`` to tell what it is, but not for long."""
        looking = asyncio.ensure_future(self._look_at(page))
        self._looking.add(looking)
        looking.add_done_callback(self._looking.discard)
        await asyncio.wait({looking}, timeout=LOOK_TIMEOUT_MS / 1000)
        if not looking.done():
            self._tell(BUSY)

    async def _look_at(self, page: Page) -> None:
        """Make ``page`` a tab, however late it answers."""
        try:
            opener = await page.opener()
            if page in self._handles:
                by = None if opener is None else self._handles.get(opener)
                await self._opened(page, by, is_ours=True)
        except Error:  # it has gone again
            self._left(page)

    async def _opened(self, page: Page, opener_id: str | None, *, is_ours: bool) -> OpenTab:
        handle = self._handles[page]
        tab = await opened(
            page, handle, opener_id, self._new_elements(), is_ours=is_ours, download=self._download
        )
        self._tabs[page] = tab
        self.changed.set()
        return tab

    def _left(self, page: Page) -> None:
        handle = self._handles.pop(page, None)
        tab = self._tabs.pop(page, None)
        if tab is not None:
            tab.end("closed")
            tab.left.set()
        if handle is not None and handle == self.selected_id:
            there = tab is not None and tab.opener in self._handles.values()
            self.selected_id = tab.opener if tab is not None and there else None

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)


async def _closed(page: Page) -> None:
    with suppress(Error):
        await page.close()
