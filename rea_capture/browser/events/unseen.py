"""What the driver shows nothing of: shared workers, worklets, and the last moment of some documents.

What a worker or worklet requests, its own script included, logs or throws would be missing without a word.
So the browser is asked to tell what comes and goes, and the capture says what its events do not hold.

Below: playwright, ``departures``, ``capture.recorder``. Above: ``session``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from playwright.async_api import BrowserContext, CDPSession

from rea_capture.browser.events.departures import FRAME, PAGE, Departures
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture import Section
from rea_capture.contracts.selection import EventFamily

_LOST_WITH_A_WORKER: Final[frozenset[EventFamily]] = frozenset(
    {"console", "page-errors", "network", "websockets", "workers"}
)
_LOST_WITH_A_WORKLET: Final[frozenset[EventFamily]] = frozenset({"console", "page-errors", "network"})
_SHARED_WORKER: Final = "shared_worker"
_WORKLETS: Final = frozenset({"worklet", "shared_storage_worklet", "auction_worklet"})
"""What Chromium calls its targets; the first are those for sound, painting and animation."""


class UnseenWorkers:
    """Tells the recorder of what it cannot see in a browser of our own."""

    def __init__(self, recorder: EventRecorder) -> None:
        self._recorder = recorder
        self._departures = Departures(recorder)
        self._session: CDPSession | None = None

    async def watch(self, context: BrowserContext) -> None:
        """Begin, if a family is selected that a worker has a part in."""
        if not _LOST_WITH_A_WORKER & self._recorder.families or context.browser is None:
            return
        self._session = await context.browser.new_browser_cdp_session()
        self._session.on("Target.targetCreated", self._created)
        self._session.on("Target.targetInfoChanged", self._changed)
        self._session.on("Target.targetDestroyed", self._destroyed)
        kinds = [{"type": kind} for kind in sorted({_SHARED_WORKER, *_WORKLETS, PAGE, FRAME})]
        await self._session.send("Target.setDiscoverTargets", {"discover": True, "filter": kinds})

    def _created(self, event: dict[str, Any]) -> None:
        try:
            info = event["targetInfo"]
            if info["type"] == _SHARED_WORKER:
                self._missed(_LOST_WITH_A_WORKER, f"A shared worker ran ({info['url']})")
            elif info["type"] in _WORKLETS:
                self._missed(_LOST_WITH_A_WORKLET, f"A page ran a worklet ({info['url']})")
        except Exception as error:  # nothing may leave a listener of the driver
            self._recorder.fault("a shared worker or worklet", error)
        self._changed(event)

    def _changed(self, event: dict[str, Any]) -> None:
        try:
            info = event["targetInfo"]
            if info["type"] in (PAGE, FRAME):
                self._departures.shown(info["targetId"], info["url"])
        except Exception as error:
            self._recorder.fault("the address of a page", error)

    def _destroyed(self, event: dict[str, Any]) -> None:
        try:
            self._departures.gone(event["targetId"])
        except Exception as error:
            self._recorder.fault("the end of a page", error)

    def _missed(self, lost: Iterable[EventFamily], what: str) -> None:
        families = sorted(self._recorder.families.intersection(lost))
        if not families or self._recorder.has_ended:
            return
        sections: set[Section] = {"events"}
        if "workers" in families:
            sections.add("workers")
        self._recorder.gap(
            sections,
            f"{what}; the driver does not show what it did, so these families miss it: "
            f"{', '.join(families)}.",
        )
