"""A whole Evidence document of a tab as it is now.

Below: ``browser.artifacts``, ``evidence``, ``contracts``. Above: the live session.
"""

from __future__ import annotations

from playwright.async_api import Page

from rea_capture.contracts.runtime.results import ArtifactPayload
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.redaction import Redactor


async def full_evidence(
    page: Page,
    redactor: Redactor,
    settings: SessionSettings,
    *,
    product: str,
    version: str,
    timeout_ms: int,
) -> tuple[ArtifactPayload | None, tuple[str, ...]]:
    """The sealed capture Evidence of this moment as JSON, and sentences about it; None with the reason.

    Raises nothing but ``CancelledError``.
    """
    raise NotImplementedError
