"""What each page of the capture does besides requests: frames, workers, WebSockets, popups, downloads.

A popup is known once its first navigation has committed. Its console messages, errors and requests
come with or before it; what it did before that with frames, workers, sockets and downloads is lost
to everybody, and is stated as a gap.

Below: ``listening``, ``sockets``, ``downloads``, ``capture.recorder``. Above: ``observer``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from playwright.async_api import BrowserContext, Download, Frame, Page, Worker

from rea_capture.browser.events.downloads import Downloads
from rea_capture.browser.events.listening import Listening
from rea_capture.browser.events.sockets import SocketListener
from rea_capture.browser.events.viewer import frame_name
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture import Section
from rea_capture.contracts.events import LifecycleKind
from rea_capture.contracts.selection import EventFamily

_LOST_WITH_A_POPUP: Final[dict[EventFamily, Section]] = {
    "downloads": "events",
    "frames": "frames",
    "websockets": "websockets",
    "workers": "workers",
}


class PageListener:
    """Follows the root page and every popup that descends from it."""

    def __init__(
        self,
        root: Page,
        recorder: EventRecorder,
        listening: Listening,
        owns_context: bool,
    ) -> None:
        self._recorder = recorder
        self._listening = listening
        self._offered: Callable[[Download], None] = lambda _: None
        self._owns_context = owns_context
        self._sockets = SocketListener(recorder, listening, shows_empty=owns_context)
        self._pages: set[Page] = set()
        self._root = root

    def attach(self, context: BrowserContext, downloads: Downloads) -> None:
        """Follow the root page from now on, and popups as they come; ``downloads`` gets what they offer."""
        self._offered = downloads.offered
        self._follow(self._root)
        if self._owns_context:
            self._listening.on(context, "page", "a popup", self._popup)

    def follows(self, page: Page | None) -> bool:
        """Whether ``page`` belongs to the capture."""
        return self._owns_context or page in self._pages

    def _follow(self, page: Page) -> None:
        self._pages.add(page)
        families, on = self._recorder.families, self._listening.on
        on(page, "close", "the end of a page", self._closed)
        on(page, "download", "a download", self._offered)
        if not self._owns_context:
            on(page, "popup", "a popup", self._popup)
        if "websockets" in families:
            on(page, "websocket", "a WebSocket", self._sockets.opened)
        if "workers" in families:
            on(page, "worker", "a worker", self._worker)
        if "frames" in families:
            on(page, "frameattached", "a frame", self._frame("frame-attached"))
            on(page, "framedetached", "the end of a frame", self._frame("frame-detached"))
            on(page, "framenavigated", "the navigation of a frame", self._frame("frame-navigated"))

    def _popup(self, page: Page) -> None:
        if page in self._pages:
            return
        if not self._listening.has_room():
            self._recorder.omit("popup-opened")
            self._gap(
                {**_LOST_WITH_A_POPUP, "popups": "popups"},
                "More pages, workers and sockets were open at once than listeners are kept for; "
                "later popups were not observed for these families",
            )
            return
        self._follow(page)
        self._recorder.lifecycle(page, "popup-opened", page.url, page.main_frame.name)
        self._gap(
            _LOST_WITH_A_POPUP,
            "A popup becomes known once its first navigation has committed; "
            "its earlier events of these families are lost",
        )

    def _gap(self, lost: Mapping[EventFamily, Section], sentence: str) -> None:
        """State the selected families among ``lost``, if there are any."""
        selected = sorted(lost.keys() & self._recorder.families)
        if selected:
            sections: set[Section] = {"events", *(lost[family] for family in selected)}
            self._recorder.gap(sections, f"{sentence}: {', '.join(selected)}.")

    def _closed(self, page: Page) -> None:
        if page is not self._root:
            self._recorder.lifecycle(page, "popup-closed", page.url, page.main_frame.name)
        self._pages.discard(page)
        self._listening.release(page)

    def _frame(self, kind: LifecycleKind) -> Callable[[Frame], None]:
        return lambda frame: self._recorder.lifecycle(frame, kind, frame.url, frame_name(frame.name))

    def _worker(self, worker: Worker) -> None:
        if not self._listening.has_room():
            self._recorder.omit("worker-created")
            self._recorder.gap(
                {"events", "workers"},
                "More pages, workers and sockets were open at once than listeners are kept for; "
                "the end of later workers is not in the events.",
            )
            return
        self._recorder.lifecycle(worker, "worker-created", worker.url)
        self._listening.on(worker, "close", "the end of a worker", self._worker_closed)

    def _worker_closed(self, worker: Worker) -> None:
        self._recorder.lifecycle(worker, "worker-closed", worker.url)
        self._listening.release(worker)
