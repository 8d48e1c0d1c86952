"""Downloads are never taken: each is cancelled, and recorded as such.

Below: playwright, ``capture.recorder``. Above: ``pages``, ``observer``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from playwright.async_api import Download, Error

from rea_capture.browser.failures import reason_of
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture import Section

CANCEL_TIMEOUT_SECONDS: Final = 5.0
"""How long the browser may take to drop a download; a healthy one answers at once."""


class Downloads:
    """Cancels what pages offer for download, whether or not downloads are recorded."""

    def __init__(self, recorder: EventRecorder, was_requested: Callable[[str], bool]) -> None:
        """``was_requested`` tells whether a request for a URL is in the events, or none is wanted there."""
        self._recorder = recorder
        self._was_requested = was_requested
        self._cancellations: set[asyncio.Task[None]] = set()

    def offered(self, download: Download) -> None:
        """A page offered ``download``."""
        task = asyncio.get_running_loop().create_task(self._cancel(download))
        self._cancellations.add(task)
        task.add_done_callback(self._cancellations.discard)
        self._recorder.download_cancelled(download.suggested_filename, download.url)
        if download.url.startswith(("http:", "https:")) and not self._was_requested(download.url):
            self._recorder.gap(
                {"events"},
                "The driver does not report the request of a download that a link starts; it is not in the "
                "events.",
            )

    async def settle(self) -> None:
        """Wait for the cancellations under way, each of which is bounded."""
        if self._cancellations:
            await asyncio.wait(self._cancellations)

    async def _cancel(self, download: Download) -> None:
        try:
            async with asyncio.timeout(CANCEL_TIMEOUT_SECONDS):
                await download.cancel()
        except (Error, TimeoutError) as error:
            sections: set[Section] = {"events"} if "downloads" in self._recorder.families else set()
            self._recorder.gap(
                sections, f"A download could not be cancelled and may have been completed: {reason_of(error)}"
            )
