"""What can be acted on in a tab, and acting on it.

Below: ``element_engine``, ``acting``, ``contracts.runtime``. Above: the live session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Page

from rea_capture.contracts.runtime.operations import Step
from rea_capture.contracts.runtime.results import ObservedElement
from rea_capture.redaction import Redactor

CurrentRedactor = Callable[[], Redactor]
"""The secrets known by now; a session learns of more as it resolves them."""

VerifiedBy = Literal["value", "state"]


@dataclass(frozen=True, slots=True)
class Observation:
    """The visible interactive elements of one moment, ``omitted`` ones counted."""

    elements: tuple[ObservedElement, ...]
    omitted: int
    limitations: tuple[str, ...]


class Elements:
    """The elements of one tab: observed under refs, and acted on by them."""

    def __init__(self, redactor: CurrentRedactor) -> None:
        self._redactor = redactor

    async def observe(self, page: Page, document_id: str) -> Observation:
        """What can be acted on now. Raises :class:`BrowserOperationError`; the page is never changed."""
        raise NotImplementedError

    async def act(self, page: Page, document_id: str, step: Step, value: str | None) -> VerifiedBy | None:
        """Do ``step``, whose ``ref`` is set, once, if ``document_id`` is the document it was observed in.

        ``document_id`` is the tab's current one. Gives how the change was seen; None when only a
        postcondition can tell. Raises :class:`BrowserOperationError` (``unknown_ref``, ``stale_document``,
        ``not_actionable``, ``unsupported``, ``timeout``, ``verification_failed``, …), whose
        ``mutation_state`` says whether anything was begun.
        """
        raise NotImplementedError
