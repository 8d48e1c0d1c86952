"""A look at what can be acted on in a page, through the frames that it shows.

The page is asked first, then every frame at once; which one stands where is asked once for each and
remembered, so a second look takes no longer than the page and the slowest of its frames.

Below: ``element_engine``, Playwright. Above: ``elements``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from playwright.async_api import Error, Frame, Page

from rea_capture.contracts.runtime.budgets import MAX_OBSERVED_ELEMENTS, READ_WAIT
from rea_capture.wording import counted

MAX_FRAMES: Final = 32
"""Frames of a page that are looked into; the others are counted."""

FRAME_MS: Final = 1_500
"""For the answer of one frame. A page is there without those that do not answer."""

MAX_PLACES: Final = 1_024
"""Places of frames that are remembered; beyond them all are asked for again."""

Report = dict[str, Any]
MayLookInto = Callable[[Frame], bool]


def into_all(_: Frame) -> bool:
    """Every frame may be looked into."""
    return True


@dataclass(frozen=True, slots=True)
class Found:
    """An element: ``number`` and ``key`` are the engine's names for it and for its document."""

    frame: Frame
    key: str
    number: int
    role: str
    name: str
    """As the page has it, cut only where it is very long."""
    state: dict[str, Any]


@dataclass(slots=True)
class Look:
    """What came of a look, in the order of the document."""

    title: str
    found: list[Found] = field(default_factory=list)
    omitted: int = 0
    cut: int = 0
    closed: int = 0
    unread: int = 0

    def limitations(self) -> tuple[str, ...]:
        """What was not seen, in sentences."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        if self.cut:
            yield "The document is too large to be looked through; elements after a point are not counted."
        if self.closed:
            yield (
                f"{counted(self.closed, 'custom element')} may hold more in closed shadow roots, which are "
                "not looked into."
            )
        if self.unread:
            yield f"The elements of {counted(self.unread, 'frame')} could not be read."


class Looker:
    """Looks at the pages of one tab."""

    def __init__(self, engine: str) -> None:
        self._engine = engine
        self._places: dict[tuple[str, int], Frame] = {}
        """The frame that an element holds, by the names of the element."""

    async def look(self, page: Page, may_look_into: MayLookInto = into_all) -> Look:
        """Raises the driver's errors when the page itself does not answer."""
        main = await self._report(page.main_frame, READ_WAIT.default_ms)
        frames: list[Frame] = []
        if any(len(entry) == 1 for entry in main["entries"]):
            inner_frames = (frame for frame in page.frames if frame is not page.main_frame)
            frames = [frame for frame in inner_frames if may_look_into(frame)][:MAX_FRAMES]
        inner = await asyncio.gather(*map(self._report_or_none, frames))
        look = Look(main["title"])
        await self._gather(page.main_frame, main, dict(zip(frames, inner, strict=True)), look)
        return look

    async def title(self, page: Page, timeout_ms: float) -> str:
        """The title as the page has it, in one question. Raises the driver's errors."""
        said = await self._said(page.main_frame, "title", timeout_ms)
        return str(said["title"])

    async def _report(self, frame: Frame, timeout_ms: float) -> Report:
        return await self._said(frame, f"look:{MAX_OBSERVED_ELEMENTS}", timeout_ms)

    async def _said(self, frame: Frame, question: str, timeout_ms: float) -> Report:
        text = await frame.text_content(f"{self._engine}={question}", timeout=timeout_ms)
        report: Report = orjson.loads(text or "{}")
        return report

    async def _report_or_none(self, frame: Frame) -> Report | None:
        try:
            return await self._report(frame, FRAME_MS)
        except Error:
            return None

    async def _gather(
        self, frame: Frame, report: Report, reports: dict[Frame, Report | None], to: Look
    ) -> None:
        """Add what ``report`` of ``frame`` holds, with what is in each frame where the frame stands."""
        to.omitted += report["omitted"]
        to.cut += report["cut"]
        to.closed += report["closed"]
        key = report["key"]
        holders = [entry[0] for entry in report["entries"] if len(entry) == 1][:MAX_FRAMES]
        held = dict(zip(holders, await self._held(frame, key, holders), strict=True))
        for entry in report["entries"]:
            if len(entry) > 1:
                to.found.append(Found(frame, key, *entry))
                continue
            inner = held.get(entry[0])
            inside = reports.pop(inner, None) if inner else None
            if inner is None or inside is None:
                to.unread += 1
            else:
                await self._gather(inner, inside, reports, to)

    async def _held(self, frame: Frame, key: str, holders: list[int]) -> list[Frame | None]:
        return await asyncio.gather(*(self._held_by(frame, key, holder) for holder in holders))

    async def _held_by(self, frame: Frame, key: str, holder: int) -> Frame | None:
        known = self._places.get((key, holder))
        if known is not None and not known.is_detached() and known.parent_frame is frame:
            return known
        try:
            async with asyncio.timeout(FRAME_MS / 1_000):
                element = await frame.query_selector(f"{self._engine}=frame:{holder}:{key}")
                inner = await element.content_frame() if element else None
        except (Error, TimeoutError):
            return None
        if inner is not None:
            if len(self._places) >= MAX_PLACES:
                self._places.clear()
            self._places[key, holder] = inner
        return inner
