"""Whether everything that pages have done has been reported by the time observation ends.

The driver tells one thing after another, and what a page does in milliseconds can take it seconds to tell.
So its answer to a question comes behind all that it had to tell when it was asked.

Below: playwright, ``capture.recorder``. Above: ``observer``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from playwright.async_api import Error, Page

from rea_capture.capture.recorder import EventRecorder

BACKLOG_TIMEOUT_MS: Final = 5_000
"""How long the driver may go on telling of what was before the end. It is done in milliseconds, unless a
page does more than can be told."""
_ANY_URL: Final = "http://127.0.0.1/"


async def tell_backlog(page: Page, recorder: EventRecorder) -> None:
    """Wait until what pages did so far is reported, or ``BACKLOG_TIMEOUT_MS``, and then say so."""
    if not recorder.families:
        return
    try:
        async with asyncio.timeout(BACKLOG_TIMEOUT_MS / 1000):
            with suppress(Error):  # an answer, too
                await page.context.cookies(_ANY_URL)  # a question to the browser that no page has a part in
    except TimeoutError:
        recorder.gap(
            {"events"},
            "When the capture ended, the browser was still telling what pages had done before, and what it "
            "had not told is not in the events.",
        )
