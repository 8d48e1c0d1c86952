"""Console messages and uncaught errors, of every page of the context.

The context reports both, buffered until a popup is known, so that early ones of a popup are not lost.
Only what the root page's own thread does has an order with the rest; of everything else the source is
named (see ``capture.held``).

Below: ``listening``, ``previews``, ``capture.recorder``. Above: ``observer``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from playwright.async_api import BrowserContext, ConsoleMessage, Error, Frame, Page, Request, WebError

from rea_capture.browser.events.icons import is_icon_failure
from rea_capture.browser.events.listening import Listening
from rea_capture.browser.events.previews import shows_less
from rea_capture.capture.held import Address
from rea_capture.capture.recorder import EventRecorder
from rea_capture.redaction.cuts import ELLIPSIS

ABRIDGED_LIMITATION: Final = (
    "Console events hold what a console shows of a value: of an object a few properties or only its kind, of "
    "a long text its ends, of an error its stack. A change in what is left out does not show."
)
ERROR_LIMITATION: Final = (
    "Page errors hold the message and the stack of what was thrown: neither the cause and other properties "
    "of an error, nor more than the kind of an object. A change in what is left out does not show."
)

MAX_ADDRESSES: Final = 4_096
"""Addresses of scripts of child frames that are remembered, and as many of those that logged something."""


MAX_LAG_MS: Final = 1_000
MIN_FLOOD_MESSAGES: Final = 1_000
"""When there is no room for events any more, and that many messages later word of a message comes that late,
the page logs faster than can be told. Word of all else comes behind it, so nobody listens any more."""


class ConsoleListener:
    """Records what pages log and throw.

    ``belongs`` tells pages of the capture from others, ``root`` being the first of them;
    ``private_console``, where there is any, tells messages that this program caused from those of the
    page, and is asked whatever is selected.
    """

    def __init__(
        self,
        recorder: EventRecorder,
        root: Page,
        belongs: Callable[[Page | None], bool],
        private_console: Callable[[str], bool] | None,
    ) -> None:
        self._recorder = recorder
        self._root = root
        self._belongs = belongs
        self._private_console = private_console
        self._frame_scripts: dict[str, set[Frame]] = {}
        self._addresses: dict[str, Address] = {}
        self._has_abridged = False
        self._stop: Callable[[], None] = lambda: None
        self._beyond_count = 0

    def attach(self, context: BrowserContext, listening: Listening) -> None:
        """Listen for the selected families."""
        self._stop = lambda: listening.drop(context, "console")
        if "console" in self._recorder.families or self._private_console is not None:
            listening.on(context, "console", "a console message", self._console)
        if "page-errors" in self._recorder.families:
            listening.on(context, "weberror", "a page error", self._error)
        if self._recorder.families & {"console", "page-errors"}:
            listening.on(context, "request", "the script of a frame", self._requested)

    def _requested(self, request: Request) -> None:
        if request.resource_type != "script" or len(self._frame_scripts) >= MAX_ADDRESSES:
            return
        with suppress(Error):  # that of a service worker has no frame
            frames = self._frame_scripts.setdefault(request.url, set())
            if request.frame.parent_frame is not None and len(frames) < 2:  # more tell no more
                frames.add(request.frame)

    def _console(self, message: ConsoleMessage) -> None:
        text, url = message.text, message.location["url"]
        if self._private_console is not None and self._private_console(text):
            return
        if "console" not in self._recorder.families or not self._belongs(message.page):
            return
        if is_icon_failure(text, url):
            return
        if self._recorder.is_full:
            self._recorder.console(message.type, text, url)  # and nothing is made of it but a count
            self._beyond(message.timestamp)
            return
        self._state_what_is_left_out(message)
        self._recorder.console(message.type, text, url, source=self._source(message, url))

    def _beyond(self, logged_at_ms: float) -> None:
        """There was no room for a message; a page that goes on and on is not listened to any more."""
        self._beyond_count += 1
        if self._beyond_count >= MIN_FLOOD_MESSAGES and time.time() * 1000 - logged_at_ms > MAX_LAG_MS:
            self._stop()
            unnamed = "" if self._private_console is None else " Service workers refused later are not named."
            self._recorder.gap(
                {"events"},
                "Pages logged faster than the driver could tell, and there was no room left for events; what "
                f"they logged later was not even counted, so more console events were omitted.{unnamed}",
            )

    def _state_what_is_left_out(self, message: ConsoleMessage) -> None:
        """Say once that something was abridged. The browser is not asked: the page would notice."""
        if self._has_abridged:
            return
        shown = [str(argument) for argument in message.args]
        if any(map(shows_less, shown)) or (not shown and ELLIPSIS in message.text):
            self._has_abridged = True
            self._recorder.state(ABRIDGED_LIMITATION)

    def _source(self, message: ConsoleMessage, url: str) -> object:
        by_browser = object() if message.text and not message.args else None
        return message.worker or by_browser or self._elsewhere(message.page, url)

    def _error(self, thrown: WebError) -> None:
        if self._belongs(thrown.page):
            self._recorder.state(ERROR_LIMITATION)
            self._recorder.page_error(
                str(thrown.error),
                getattr(thrown.error, "stack", None),
                source=self._elsewhere(thrown.page, thrown.location["url"]),
            )

    def _elsewhere(self, page: Page | None, url: str) -> object:
        """The popup, child frame or worker that the script at ``url`` belongs to, as far as that shows.

        None for the root document. A frame or worker shows by its address, which is also that of the
        scripts in it, and by the scripts that it requested.
        """
        if page is not self._root:
            return ("page", page)
        if not url or url == page.url:
            return None
        others = [frame for frame in page.frames if frame.url == url and frame is not page.main_frame]
        here = len({*others, *self._frame_scripts.get(url, ())})
        here += sum(worker.url == url for worker in page.workers)
        if here == 0:
            return None
        if len(self._addresses) >= MAX_ADDRESSES and url not in self._addresses:
            return object()
        address = self._addresses.setdefault(url, Address())
        address.is_shared |= here > 1
        return address
