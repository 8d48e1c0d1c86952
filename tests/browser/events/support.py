"""A real page under observation, and how to look at what was recorded.

Below: the events package, the recorder. Above: the tests of this folder.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, Page

from rea_capture.browser.events import EventObserver
from rea_capture.browser.events.icons import ICON_LIMITATION
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture import Events
from rea_capture.contracts.capture_selection import NetworkContentSelection
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.selection import EventFamily
from rea_capture.redaction import NO_SECRETS, Redactor
from tests.capture.recording.support import NO_CONTENT, recorder_for

WAIT_SECONDS: Final = 10.0
"""Longest wait of a test for the browser."""

ALL_CONTENT: Final = NetworkContentSelection(request_body=True, response_body=True, header_values=True)
RESPONSE_BODIES: Final = NetworkContentSelection(response_body=True)


@dataclass
class Observation:
    """One observed page. ``events`` is what there is so far, ``finish`` ends observation."""

    context: BrowserContext
    page: Page
    recorder: EventRecorder
    limitations: Limitations
    observer: EventObserver
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def finish(self) -> Events:
        await asyncio.wait_for(self.observer.finish(), WAIT_SECONDS)
        return self.recorder.events()

    def items(self, *kinds: str) -> list[Any]:
        """The kept events of these kinds, so far."""
        return [event for event in self.recorder.events().items if event.kind in kinds]

    def of(self, kind: str, path: str) -> list[Any]:
        """The kept network events of ``kind`` whose URL ends in ``path``."""
        return [event for event in self.items(kind) if event.url.url.endswith(path)]

    def content(self, phase: str, path: str) -> Any:
        """The single content event of the single request whose URL ends in ``path``."""
        (request,) = self.of("request", path)
        (content,) = [
            event
            for event in self.items("network-content")
            if event.transaction_id == request.transaction_id and event.phase == phase
        ]
        return content

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until ``holds`` of what is recorded; the browser is asked something between looks."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not holds():
                await self.page.context.cookies()

    def stated(self) -> tuple[str, ...]:
        """The limitations, except the one that every capture with requests or console messages has."""
        return tuple(sentence for sentence in self.limitations.sentences() if sentence != ICON_LIMITATION)

    def missing(self, step_index: int = 0) -> set[str]:
        return set(self.recorder.step_sections(step_index)[0])

    def truncated(self, step_index: int = 0) -> set[str]:
        return set(self.recorder.step_sections(step_index)[1])


@asynccontextmanager
async def observing(
    browser: Browser,
    *families: EventFamily,
    content: NetworkContentSelection = NO_CONTENT,
    redactor: Redactor = NO_SECRETS,
    private_console: Callable[[str], bool] = lambda _: False,
    **limits: int,
) -> AsyncIterator[Observation]:
    """A fresh page under observation, not navigated yet."""
    recorder, limitations = recorder_for(families, content, redactor=redactor, **limits)
    context = await browser.new_context()
    try:
        page = await context.new_page()
        observer = EventObserver.attach(
            context, page, recorder=recorder, owns_context=True, private_console=private_console
        )
        recorder.begin_step(0)
        yield Observation(context, page, recorder, limitations, observer)
    finally:
        await context.close()


def kinds(events: Collection[AnyEvent]) -> list[str]:
    return [event.kind for event in events]
