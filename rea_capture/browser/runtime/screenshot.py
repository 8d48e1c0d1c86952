"""A picture of a tab as an artifact.

Below: ``payloads``, ``browser.artifacts``. Above: ``keeping``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from playwright.async_api import Error, Page

from rea_capture.browser.artifacts.bounded import Deadline, reading_reason
from rea_capture.browser.artifacts.notes import painted_over_note
from rea_capture.browser.artifacts.screenshot import ScreenshotReader, Shot
from rea_capture.browser.artifacts.world import PrivateWorld, ReadError
from rea_capture.browser.runtime.payloads import picture_payload
from rea_capture.capture.limitations import bounded_sentence
from rea_capture.contracts.runtime.results import ArtifactPayload
from rea_capture.redaction import Redactor


async def take_screenshot(
    page: Page, redactor: Redactor, timeout_ms: int
) -> tuple[ArtifactPayload | None, tuple[str, ...]]:
    """The viewport as PNG, secrets painted over, and sentences about it; None with the reason why not.

    A picture of more than ``MAX_SCREENSHOT_BYTES`` is made smaller, and called truncated. Raises nothing but
    ``CancelledError``.
    """
    deadline = Deadline.after(timeout_ms)
    try:
        async with asyncio.timeout(timeout_ms / 1_000):
            shot = await _shot(page, redactor, deadline)
        payload, said = await asyncio.to_thread(picture_payload, shot.png)
    except TimeoutError:
        return _none(deadline.passed(), redactor)
    except (Error, ReadError) as error:
        return _none(reading_reason(error), redactor)
    except (OSError, ValueError):
        return _none("the browser's picture is none", redactor)
    painted = (painted_over_note(shot.masked_count),) if shot.masked_count else ()
    return payload, (*painted, *((said,) if said else ()))


async def _shot(page: Page, redactor: Redactor, deadline: Deadline) -> Shot:
    session = await page.context.new_cdp_session(page)
    try:
        return await ScreenshotReader(page, PrivateWorld(session), redactor.needles()).read((), deadline)
    finally:
        with suppress(Error):
            await session.detach()


def _none(reason: str, redactor: Redactor) -> tuple[None, tuple[str, ...]]:
    return None, (bounded_sentence(f"There is no screenshot: {reason}.", redactor),)
