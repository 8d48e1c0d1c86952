"""Shared workers: they run beside the pages, and the driver shows nothing of what they do.

What one requests, logs or throws would be missing without a word. So the browser is asked to tell when
one comes to be, and the capture says that its events do not hold what it did.

Below: playwright, ``capture.recorder``. Above: ``session``.
"""

from __future__ import annotations

from typing import Any, Final

from playwright.async_api import BrowserContext, CDPSession

from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture import Section
from rea_capture.contracts.selection import EventFamily

_LOST: Final[frozenset[EventFamily]] = frozenset(
    {"console", "page-errors", "network", "websockets", "workers"}
)
_SHARED_WORKER: Final = "shared_worker"


class UnseenWorkers:
    """Tells the recorder of shared workers in a browser of our own."""

    def __init__(self, recorder: EventRecorder) -> None:
        self._recorder = recorder
        self._families = sorted(_LOST & recorder.families)
        self._session: CDPSession | None = None

    async def watch(self, context: BrowserContext) -> None:
        """Begin, if a family is selected that a worker has a part in."""
        if not self._families or context.browser is None:
            return
        self._session = await context.browser.new_browser_cdp_session()
        self._session.on("Target.targetCreated", self._created)
        discover = {"discover": True, "filter": [{"type": _SHARED_WORKER}]}
        await self._session.send("Target.setDiscoverTargets", discover)

    def _created(self, event: dict[str, Any]) -> None:
        try:
            info = event["targetInfo"]
            if info["type"] != _SHARED_WORKER:
                return
            sections: set[Section] = {"events"}
            if "workers" in self._families:
                sections.add("workers")
            self._recorder.gap(
                sections,
                f"A shared worker ran ({info['url']}); the driver does not show what it did, so these "
                f"families miss it: {', '.join(self._families)}.",
            )
        except Exception as error:  # nothing may leave a listener of the driver
            self._recorder.fault("a shared worker", error)
