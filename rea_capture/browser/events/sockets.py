"""WebSockets of a page: opening, messages, closing.

Below: ``listening``, ``capture.recorder``. Above: ``pages``.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from playwright.async_api import WebSocket

from rea_capture.browser.events.listening import Listening
from rea_capture.capture.recorder import EventRecorder

EMPTY_MESSAGES_LIMITATION: Final = (
    "The driver does not report WebSocket messages without any content; they are not in the events."
)


class SocketListener:
    """Records what happens on each WebSocket."""

    def __init__(self, recorder: EventRecorder, listening: Listening, *, shows_empty: bool) -> None:
        """``shows_empty`` says that empty messages will be counted by other means (``sent_unseen``)."""
        self._recorder = recorder
        self._shows_empty = shows_empty
        self._listening = listening

    def opened(self, socket: WebSocket) -> None:
        """A page opened ``socket``."""
        if not self._listening.has_room():
            self._recorder.omit("websocket-opened")
            self._recorder.gap(
                {"events", "websockets"},
                "More pages, workers and sockets were open at once than listeners are kept for; "
                "messages of later WebSockets are not in the events.",
            )
            return
        if "websockets" in self._recorder.families and not self._shows_empty:
            self._recorder.state(EMPTY_MESSAGES_LIMITATION)
        url, on = socket.url, self._listening.on
        self._recorder.websocket_opened(url, source=socket)
        on(
            socket,
            "framesent",
            "a WebSocket message",
            partial(self._recorder.websocket_frame_sent, url, source=socket),
        )
        on(
            socket,
            "framereceived",
            "a WebSocket message",
            partial(self._recorder.websocket_frame_received, url, source=socket),
        )
        on(socket, "close", "the end of a WebSocket", self._closed)

    def _closed(self, socket: WebSocket) -> None:
        self._recorder.websocket_closed(socket.url, source=socket)
        self._listening.release(socket)
