"""What can be acted on in a tab, and acting on it.

A ref is a number that the engine gave an element, and the random key of the document that it is in. The
engine holds the element itself, so a ref never comes to mean another one.

Below: ``looking``, ``acting``, ``contracts.runtime``. Above: the live session.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playwright.async_api import Error as DriverError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser.failures import is_closing
from rea_capture.browser.runtime.acting import ACTION, Acted, Target, perform
from rea_capture.browser.runtime.element_engine import ENGINE
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.looking import Found, Looker, MayLookInto, into_all
from rea_capture.contracts.runtime.budgets import (
    MAX_ELEMENT_NAME_CHARACTERS,
    MAX_OBSERVED_ELEMENTS,
    READ_WAIT,
)
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import Step
from rea_capture.contracts.runtime.results import ElementState, ObservedElement
from rea_capture.redaction import Redactor
from rea_capture.redaction.cuts import ELLIPSIS
from rea_capture.visible import visible

CurrentRedactor = Callable[[], Redactor]
"""The secrets known by now; a session learns of more as it resolves them."""

MAX_REFS: Final = 8_192
"""Refs of a tab that are remembered, those of earlier documents included."""

_JOINERS: Final = "\u200d\ufe0e\ufe0f"
"""Parts of emoji, which names of buttons do hold."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The visible interactive elements of one moment, ``omitted`` ones counted."""

    elements: tuple[ObservedElement, ...]
    omitted: int
    limitations: tuple[str, ...]
    title: str
    """Of the document, as the page has it: not yet redacted."""


@dataclass(frozen=True, slots=True)
class _Ref:
    target: Target
    document_id: str


class Elements:
    """The elements of one tab: observed under refs, and acted on by them."""

    def __init__(self, redactor: CurrentRedactor, engine: str = ENGINE) -> None:
        """``engine`` is what :func:`prepare_connected` gave for a browser that was connected to."""
        self._engine = engine
        self._redactor = redactor
        self._looker = Looker(engine)
        self._refs: dict[str, _Ref] = {}

    async def observe(
        self, page: Page, document_id: str, may_look_into: MayLookInto = into_all
    ) -> Observation:
        """What can be acted on now. Raises :class:`BrowserOperationError`; the page is never changed."""
        try:
            look = await self._looker.look(page, may_look_into)
        except DriverError as error:
            raise _unobserved(page, error) from None
        kept = look.found[:MAX_OBSERVED_ELEMENTS]
        elements = tuple(self._element(found, document_id) for found in kept)
        return Observation(
            elements, look.omitted + len(look.found) - len(kept), look.limitations(), look.title
        )

    async def title(self, page: Page, timeout_ms: float) -> str:
        """The page's title, not yet redacted, in one question. Raises the driver's errors."""
        return await self._looker.title(page, timeout_ms)

    async def act(
        self,
        page: Page,
        document_id: str,
        step: Step,
        value: str | None,
        may_look_into: MayLookInto = into_all,
    ) -> Acted:
        """Do ``step``, whose ``ref`` is set, once, if ``document_id`` is the document it was observed in.

        ``document_id`` is the tab's current one. Raises :class:`BrowserOperationError` (``unknown_ref``,
        ``stale_document``, ``not_actionable``, ``unsupported``, ``timeout``, …), whose ``mutation_state``
        says whether anything was begun.
        """
        ref = self._refs.get(step.ref or "")
        if ref is None:
            raise failure(ACTION, "resolve", "unknown_ref", "No observation of this tab gave that ref.")
        if ref.document_id != document_id or (step.document_id or document_id) != document_id:
            gone = "The tab shows another document than the one that the ref belongs to."
            raise failure(ACTION, "resolve", "stale_document", gone)
        if ref.target.frame.is_detached():
            raise failure(ACTION, "resolve", "stale_document", "The frame that the ref is in is gone.")
        if not may_look_into(ref.target.frame):
            there = "The frame that the ref is in is at an origin that this call may not look at."
            raise failure(ACTION, "policy", "origin_refused", there)
        return await perform(ref.target, step.action, value, self._redactor())

    def _element(self, found: Found, document_id: str) -> ObservedElement:
        ref = f"e{found.number}-{found.key}"
        target = Target(found.frame, self._engine, found.number, found.key)
        self._refs.pop(ref, None)
        self._refs[ref] = _Ref(target, document_id)
        while len(self._refs) > MAX_REFS:
            del self._refs[next(iter(self._refs))]
        state = ElementState(**found.state)
        return ObservedElement(ref=ref, role=found.role, name=self._shown(found.name), state=state)

    def _shown(self, name: str) -> str:
        """``name`` redacted whole, then made visible, then shortened."""
        text = visible(self._redactor().abridged(name), but=_JOINERS)
        if len(text) <= MAX_ELEMENT_NAME_CHARACTERS:
            return text
        return text[: MAX_ELEMENT_NAME_CHARACTERS - 1] + ELLIPSIS


def _unobserved(page: Page, error: DriverError) -> BrowserOperationError:
    if is_closing(error) or page.is_closed():
        return failure("observe", "execute", "unknown_tab", "The tab was closed while it was looked at.")
    if isinstance(error, DriverTimeoutError):
        late = f"The page did not answer within {READ_WAIT.default_ms} ms."
        return failure("observe", "execute", "timeout", late)
    return failure("observe", "execute", "timeout", "The page could not be looked at; it is changing.")
