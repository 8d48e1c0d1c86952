"""A browser that has no frame to show just now is asked again; one that never has any is believed.

The refusals are made up, since no page provokes them at will; the pictures between them are real ones.
"""

from __future__ import annotations

import pytest
from playwright.async_api import Error as DriverError
from playwright.async_api import Page

from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.browser.artifacts.screenshot import MAX_REFUSED_SHOTS
from rea_capture.redaction import Redactor

NO_FRAME = "Protocol error (Page.captureScreenshot): Unable to capture screenshot"


class RefusingCamera:
    """Refuses ``refusals`` times, then takes pictures of ``page``."""

    def __init__(self, page: Page, refusals: int, message: str = NO_FRAME) -> None:
        self.page = page
        self.refusals = refusals
        self.message = message
        self.asked = 0

    async def __call__(self) -> bytes:
        self.asked += 1
        if self.asked <= self.refusals:
            raise DriverError(self.message)
        return await self.page.screenshot()


async def state_of(page: Page, camera: RefusingCamera) -> tuple[str, str | None]:
    reader = await ArtifactReader.attach(
        page, redactor=Redactor({}), command_timeout_ms=15_000, camera=camera
    )
    shot = (await reader.read({"screenshot"})).artifacts.screenshot
    return shot.state, getattr(shot, "reason", None)


@pytest.mark.parametrize("refusals", range(MAX_REFUSED_SHOTS))
async def test_a_frame_that_comes_after_all_is_the_picture(page: Page, refusals: int) -> None:
    camera = RefusingCamera(page, refusals)
    assert await state_of(page, camera) == ("captured", None)
    assert camera.asked == refusals + 1


async def test_a_browser_that_never_has_a_frame_is_asked_three_times(page: Page) -> None:
    camera = RefusingCamera(page, refusals=MAX_REFUSED_SHOTS + 1)
    state, reason = await state_of(page, camera)
    assert (state, camera.asked) == ("missing", MAX_REFUSED_SHOTS)
    assert reason is not None
    assert "Unable to capture screenshot" in reason


async def test_any_other_refusal_is_not_repeated(page: Page) -> None:
    camera = RefusingCamera(page, refusals=1, message="Protocol error (Page.captureScreenshot): Not allowed")
    state, reason = await state_of(page, camera)
    assert (state, camera.asked) == ("missing", 1)
    assert reason is not None
    assert "Not allowed" in reason
