"""What can be acted on in a tab, and acting on it.

A ref is a number that the engine gave an element, and the random key of the document that it is in. The
engine holds the element itself, so a ref never comes to mean another one.

Below: ``element_engine``, ``acting``, ``contracts.runtime``. Above: the live session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser.failures import is_closing
from rea_capture.browser.runtime.acting import ACTION, Target, VerifiedBy, perform
from rea_capture.browser.runtime.element_engine import ENGINE
from rea_capture.browser.runtime.faults import failure
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
from rea_capture.wording import counted

CurrentRedactor = Callable[[], Redactor]
"""The secrets known by now; a session learns of more as it resolves them."""

MAX_FRAMES: Final = 32
"""Frames of a page that are looked into; the others are counted."""

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


@dataclass(frozen=True, slots=True)
class _Ref:
    target: Target
    document_id: str


@dataclass(slots=True)
class _Looked:
    """What is gathered over the frames of one look."""

    entries: list[tuple[Frame, str, list[Any]]] = field(default_factory=list)
    omitted: int = 0
    cut: int = 0
    closed: int = 0
    unread: int = 0
    frames_left: int = MAX_FRAMES


class Elements:
    """The elements of one tab: observed under refs, and acted on by them."""

    def __init__(self, redactor: CurrentRedactor, engine: str = ENGINE) -> None:
        """``engine`` is what :func:`prepare_connected` gave for a browser that was connected to."""
        self._engine = engine
        self._redactor = redactor
        self._refs: dict[str, _Ref] = {}

    async def observe(self, page: Page, document_id: str) -> Observation:
        """What can be acted on now. Raises :class:`BrowserOperationError`; the page is never changed."""
        try:
            report = await self._report(page.main_frame)
        except DriverError as error:
            raise _unobserved(page, error) from None
        looked = _Looked()
        await self._gather(page.main_frame, report, looked)
        kept = looked.entries[:MAX_OBSERVED_ELEMENTS]
        omitted = looked.omitted + len(looked.entries) - len(kept)
        elements = tuple(self._element(*entry, document_id) for entry in kept)
        return Observation(elements, omitted, _limitations(looked))

    async def act(self, page: Page, document_id: str, step: Step, value: str | None) -> VerifiedBy | None:
        """Do ``step``, whose ``ref`` is set, once, if ``document_id`` is the document it was observed in.

        ``document_id`` is the tab's current one. Gives how the change was seen; None when only a
        postcondition can tell. Raises :class:`BrowserOperationError` (``unknown_ref``, ``stale_document``,
        ``not_actionable``, ``unsupported``, ``timeout``, ``verification_failed``, …), whose
        ``mutation_state`` says whether anything was begun.
        """
        ref = self._refs.get(step.ref or "")
        if ref is None:
            raise failure(ACTION, "resolve", "unknown_ref", "No observation of this tab gave that ref.")
        if ref.document_id != document_id or (step.document_id or document_id) != document_id:
            gone = "The tab shows another document than the one that the ref belongs to."
            raise failure(ACTION, "resolve", "stale_document", gone)
        if ref.target.frame.is_detached():
            raise failure(ACTION, "resolve", "stale_document", "The frame that the ref is in is gone.")
        return await perform(ref.target, step.action, value, self._redactor())

    async def _report(self, frame: Frame) -> dict[str, Any]:
        look = f"{self._engine}=look:{MAX_OBSERVED_ELEMENTS}"
        text = await frame.text_content(look, timeout=READ_WAIT.default_ms)
        report: dict[str, Any] = orjson.loads(text or "{}")
        return report

    async def _gather(self, frame: Frame, report: dict[str, Any], looked: _Looked) -> None:
        """Add what ``report`` holds, with what is in each frame where the frame stands."""
        looked.omitted += report["omitted"]
        looked.cut += report["cut"]
        looked.closed += report["closed"]
        key = report["key"]
        holders = [entry[0] for entry in report["entries"] if len(entry) == 1]
        looked_into, left_out = holders[: looked.frames_left], holders[looked.frames_left :]
        looked.frames_left -= len(looked_into)
        looked.unread += len(left_out)
        reports = dict(zip(looked_into, await self._inside(frame, key, looked_into), strict=True))
        for entry in report["entries"]:
            if len(entry) > 1:
                looked.entries.append((frame, key, entry))
            elif entry[0] in reports:
                inner = reports[entry[0]]
                if inner is None:
                    looked.unread += 1
                else:
                    await self._gather(inner[0], inner[1], looked)

    async def _inside(
        self, frame: Frame, key: str, holders: list[int]
    ) -> list[tuple[Frame, dict[str, Any]] | None]:
        return await asyncio.gather(*(self._inside_one(frame, key, holder) for holder in holders))

    async def _inside_one(self, frame: Frame, key: str, holder: int) -> tuple[Frame, dict[str, Any]] | None:
        try:
            async with asyncio.timeout(READ_WAIT.default_ms / 1_000):
                element = await frame.query_selector(f"{self._engine}=frame:{holder}:{key}")
                inner = await element.content_frame() if element else None
                return (inner, await self._report(inner)) if inner else None
        except (DriverError, TimeoutError):
            return None

    def _element(self, frame: Frame, key: str, entry: list[Any], document_id: str) -> ObservedElement:
        number, role, name, state = entry
        ref = f"e{number}-{key}"
        self._refs.pop(ref, None)
        self._refs[ref] = _Ref(Target(frame, self._engine, number, key), document_id)
        while len(self._refs) > MAX_REFS:
            del self._refs[next(iter(self._refs))]
        return ObservedElement(ref=ref, role=role, name=self._shown(name), state=ElementState(**state))

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


def _limitations(looked: _Looked) -> tuple[str, ...]:
    sentences = []
    if looked.cut:
        sentences.append(
            "The document is too large to be looked through; elements after a point are not counted."
        )
    if looked.closed:
        sentences.append(
            f"{counted(looked.closed, 'custom element')} may hold more in closed shadow roots, which are not "
            "looked into."
        )
    if looked.unread:
        sentences.append(f"The elements of {counted(looked.unread, 'frame')} could not be read.")
    return tuple(sentences)
