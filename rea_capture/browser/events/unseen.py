"""What the driver shows nothing of: shared workers, worklets, and the last moment of some documents.

What a worker or worklet requests, its own script included, logs or throws would be missing without a word.
So the browser is asked to tell what comes and goes, and the capture says what its events do not hold.

Below: playwright, ``departures``, ``farewells``, ``capture.recorder``. Above: ``session``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from playwright.async_api import BrowserContext, CDPSession, Frame, Page

from rea_capture.browser.channel import Channel, ChannelError
from rea_capture.browser.events.departures import FRAME, LOST, PAGE, Departures, Followed
from rea_capture.browser.events.farewells import Farewells
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
COMMAND_TIMEOUT_MS: Final = 10_000
"""How long one command to the browser may take; a look at a document has a deadline of its own."""


class UnseenWorkers:
    """Tells the recorder of what it cannot see in a browser of our own."""

    def __init__(self, recorder: EventRecorder) -> None:
        self._recorder = recorder
        self._departures = Departures(recorder)
        self._session: CDPSession | None = None
        self._farewells: Farewells | None = None

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
        if LOST & self._recorder.families:
            self._farewells = await self._looking(self._session)
            for page in context.pages:
                self._follow(page)
            context.on("page", self._follow)

    def _follow(self, page: Page) -> None:
        page.on("framenavigated", self._navigated)

    def _navigated(self, frame: Frame) -> None:
        """A frame shows a document. Targets tell of that too, but not when the address stays the same."""
        try:
            for followed in self._departures.renewed(frame.url):
                self._arrived(followed)
        except Exception as error:
            self._recorder.fault("the address of a frame", error)

    async def _looking(self, session: CDPSession) -> Farewells | None:
        """What looks at documents before they end; without it each counts as one that may speak."""
        try:
            channel = await Channel.open(session, COMMAND_TIMEOUT_MS)
        except ChannelError:
            return None
        return Farewells(self._recorder, self._departures, channel)

    async def look_around(self) -> None:
        """Look at documents before the next action, which may end them."""
        if self._farewells is not None:
            await self._farewells.look_around()

    async def close(self) -> None:
        """Look at nothing any more."""
        if self._farewells is not None:
            await self._farewells.close()

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
                self._arrived(self._departures.shown(info["targetId"], info["url"]))
        except Exception as error:
            self._recorder.fault("the address of a page", error)

    def _arrived(self, followed: Followed | None) -> None:
        if self._farewells is not None and followed is not None and not followed.is_empty:
            self._farewells.arrived(followed)

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
