"""A picture of a tab as an artifact.

Below: ``browser.artifacts``, ``contracts.runtime``. Above: the live session.
"""

from __future__ import annotations

from playwright.async_api import Page

from rea_capture.contracts.runtime.results import ArtifactPayload
from rea_capture.redaction import Redactor


async def take_screenshot(
    page: Page, redactor: Redactor, timeout_ms: int
) -> tuple[ArtifactPayload | None, tuple[str, ...]]:
    """The viewport as PNG, secrets painted over, and sentences about it; None with the reason why not.

    Raises nothing but ``CancelledError``.
    """
    raise NotImplementedError
