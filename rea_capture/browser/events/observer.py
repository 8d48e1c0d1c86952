"""The observer: from before the first navigation to the end of the last step.

    1. Attach listeners, synchronously, before anything is navigated.
    2. At the end, hear what is still to be told, and give requests that are all but over a moment to be
       reported as over; then stop hearing, and record requests under way as unfinished.
    3. Read what content was admitted and is still to be read.

Below: the other files of this package. Above: ``session`` and ``driver``.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Final

from playwright.async_api import BrowserContext, Page

from rea_capture.browser.events.backlog import tell_backlog
from rea_capture.browser.events.console import ConsoleListener
from rea_capture.browser.events.content_reads import ContentReads
from rea_capture.browser.events.downloads import Downloads
from rea_capture.browser.events.icons import ICON_LIMITATION
from rea_capture.browser.events.listening import Listening
from rea_capture.browser.events.network import NetworkListener
from rea_capture.browser.events.pages import PageListener
from rea_capture.browser.events.reported import Reported
from rea_capture.capture.recorder import EventRecorder

END_GRACE_MS: Final = 250
"""How long the end of a request may take from the page, which saw it, to us: two processes, busy ones.

Waited only while a request is under way; a stream or long poll costs it once in a capture.
"""


class EventObserver:
    """Observes one page and its popups for a recorder."""

    def __init__(
        self,
        page: Page,
        recorder: EventRecorder,
        listening: Listening,
        network: NetworkListener,
        reads: ContentReads,
        downloads: Downloads,
    ) -> None:
        self._page = page
        self._recorder = recorder
        self._network = network
        self._listening = listening
        self._reads = reads
        self._downloads = downloads
        self._before_end: list[Callable[[], Awaitable[None]]] = []

    @property
    def reported(self) -> Reported:
        """What the driver has told of requests."""
        return self._network.reported

    def before_end(self, wait: Callable[[], Awaitable[None]]) -> None:
        """Await ``wait``, which must be bounded, before observation ends: it may still find a gap."""
        self._before_end.append(wait)

    @classmethod
    def attach(
        cls,
        context: BrowserContext,
        page: Page,
        *,
        recorder: EventRecorder,
        owns_context: bool,
        private_console: Callable[[str], bool] | None,
    ) -> EventObserver:
        """Observe ``page``, which has not been navigated yet, and every popup that comes of it.

        With ``owns_context`` every page of ``context`` is such a popup; without, others share the
        context and only what belongs to ``page`` and its popups is recorded. ``private_console`` is
        asked for each console text first, whatever is selected: True means that this program caused it.
        """
        listening, reads = Listening(recorder), ContentReads(recorder)
        pages = PageListener(page, recorder, listening, owns_context)
        network = NetworkListener(recorder, reads, None if owns_context else pages.follows)
        downloads = Downloads(recorder, network.was_requested)
        pages.attach(context, downloads)
        ConsoleListener(recorder, page, pages.follows, private_console).attach(context, listening)
        network.attach(context, listening)
        if recorder.families & {"console", "network"}:
            recorder.state(ICON_LIMITATION)
        return cls(page, recorder, listening, network, reads, downloads)

    async def finish(self) -> None:
        """End observation and wait until admitted content is read, each read being bounded."""
        for wait in self._before_end:
            await wait()
        self.reported.until_s = time.time()
        await tell_backlog(self._page, self._recorder)
        await self._network.settle(END_GRACE_MS)
        self._end()
        await self._reads.drain()
        await self._network.drain()
        await self._downloads.settle()

    async def cancel(self) -> None:
        """End observation at once: what was not read yet is recorded as cancelled."""
        self._end()
        self._network.cancel()
        await self._reads.cancel()

    def _end(self) -> None:
        if self.reported.until_s is None:
            self.reported.until_s = time.time()
        self._listening.stop()
        self._recorder.end_observation()
        self._reads.end()
        self._network.end()
