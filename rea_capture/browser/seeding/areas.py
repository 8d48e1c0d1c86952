"""Which storage areas have had their seed. Pure; single event loop, so no locks.

An area is what a page can tell apart: local storage by the browser's storage key (origin and
partition), session storage by top-level page and storage key.

Below: ``seeds``. Above: ``writer``.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rea_capture.browser.seeding.seeds import StorageKind


@dataclass(frozen=True, slots=True)
class Area:
    """One storage area. ``page_id`` is the top-level page's target id, empty for local storage."""

    kind: StorageKind
    storage_key: str
    page_id: str = ""


def area_of(kind: StorageKind, storage_key: str, page_id: str) -> Area:
    """The area a frame with this storage key uses in the page with this target id."""
    return Area(kind, storage_key, page_id if kind == "session" else "")


class AreaLedger:
    """Hands each area to exactly one writer; others that reach it meanwhile can wait for that writer."""

    def __init__(self) -> None:
        self._settled: dict[Area, asyncio.Event] = {}

    def claim(self, area: Area) -> bool:
        """True when the caller is the one to seed the area; it must then ``settle`` or ``release`` it."""
        if area in self._settled:
            return False
        self._settled[area] = asyncio.Event()
        return True

    async def wait(self, area: Area) -> bool:
        """Wait for the claimant. False when it gave the area back, which may then be claimed again."""
        event = self._settled.get(area)
        if event is not None:
            await event.wait()
        return area in self._settled

    def is_settled(self, area: Area) -> bool:
        """Whether the area has had its seed."""
        event = self._settled.get(area)
        return event is not None and event.is_set()

    def settle(self, area: Area) -> None:
        """The area has had its seed: never again."""
        self._settled[area].set()

    def release(self, area: Area) -> None:
        """The document went away before anything was written: the next one gets the seed."""
        self._settled.pop(area).set()
