"""What a session's pages logged and asked for: bounded, counted, redacted.

Below: Playwright, ``contracts.runtime``. Above: the live session.
"""

from __future__ import annotations

from playwright.async_api import BrowserContext, Page

from rea_capture.browser.runtime.elements import CurrentRedactor
from rea_capture.contracts.runtime.operations import EvidenceOperationName
from rea_capture.contracts.runtime.results import ArtifactPayload, Diagnostics, Tab


class DiagnosticsLog:
    """Console messages and requests of a context's pages, alike ones counted, the latest kept."""

    def __init__(self, redactor: CurrentRedactor, *, only: Page | None = None) -> None:
        """``only`` is for a page of somebody else's browser: what its other pages do is not looked at."""
        raise NotImplementedError

    def attach(self, context: BrowserContext) -> None:
        """Listen from now on, until the context is closed or :meth:`detach`."""
        raise NotImplementedError

    def detach(self) -> None:
        """Listen no more."""
        raise NotImplementedError

    def summary(self, operation: EvidenceOperationName, tab: Tab) -> Diagnostics:
        """What was seen so far, redacted with what is known by now."""
        raise NotImplementedError


def diagnostics_payload(diagnostics: Diagnostics) -> tuple[ArtifactPayload, Diagnostics]:
    """``diagnostics`` as an artifact of at most ``MAX_DIAGNOSTICS_BYTES``, and what of it that holds."""
    raise NotImplementedError
