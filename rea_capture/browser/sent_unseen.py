"""What the browser sent and the driver did not report, by the browser's own log.

    1. What is sent for nobody's page (the site icon, checks for a new service worker) is left out.
    2. Every other request that went out is matched with one that was reported: same method, same address. One
       that follows up another is never reported.
    3. What is left and no page asked for (the browser's updates) is left out, too.
    4. The rest is counted, by what it was for, in the step in which it was sent.

What goes out after the end of observation is no part of the capture, except for what a page had asked for
before: a ``fetchLater`` waits for the end of its page. An unseen request that is the same as one which was
answered from memory, without being sent, is taken for that.

Below: ``network_log``, ``events.reported``, ``events.icons``, ``capture.recorder``. Above: ``session``.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Final

from rea_capture.browser.events.icons import is_icon_address
from rea_capture.browser.events.reported import Reported
from rea_capture.browser.network_log import LogUnreadableError, NetworkLog, Sent, read_network_log
from rea_capture.browser.profile import OwnedProfile
from rea_capture.capture.recorder import EventRecorder
from rea_capture.wording import counted

_MODULUS: Final = 138_003_713


def annotation(name: str) -> int:
    """The number of a traffic annotation (Chromium ``net/traffic_annotation``, ``recursive_hash``)."""
    value = 0
    for byte in name.encode():
        value = (value * 31 + byte) % _MODULUS
    return value


NO_LOG_LIMITATION: Final = (
    "The browser kept no log of what it sent, so whether requests or empty WebSocket messages were missed is "
    "not known."
)
UNREAD_LOG_LIMITATION: Final = (
    "The browser was ended before its log of what it sent was whole, so whether requests or empty WebSocket "
    "messages were missed is not known."
)
CUT_LOG_LIMITATION: Final = (
    "The browser's log of what it sent has a hole or could not be read to its end, so whether requests or "
    "empty WebSocket messages were missed is not known."
)
UPDATES_LIMITATION: Final = (
    "The driver does not report the requests by which the browser looks whether the script of a service "
    "worker has changed, at times of its own or for a page; they are not in the events."
)
_UPDATE: Final = annotation("service_worker_update_checker")
"""Some seconds after a navigation, or for ``registration.update()``: the log tells no difference."""
_ICON: Final = annotation("favicon_loader")
_LOADED_AGAIN: Final = 60744935
"""Sent for the driver, to read a body that the browser no longer held (``Network.loadNetworkResource``); what
is kept of it, and that it may be sent, is stated elsewhere."""
_OWN: Final = (_ICON, _UPDATE, _LOADED_AGAIN)
_NO_ORIGIN: Final = "not an origin"
_DEFERRED: Final = 68163855
"""Sent by the browser for a page that is over: ``fetchLater``."""
_PURPOSES: Final = {
    _DEFERRED: "deferred with fetchLater",
    annotation("payment_manifest_downloader"): "for a payment method",
    annotation("reporting"): "with reports",
}
_PREFLIGHT: Final = "asking for permission (CORS preflights)"
_TRANSPORT: Final = "for WebTransport"
_ICON_ADDRESS: Final = "for an address ending in /favicon.ico"
_FURTHER: Final = "to complete another"
_OTHER: Final = "of other kinds"


class SentUnseen:
    """Tells the recorder of one capture, once its browser has closed, what went unseen."""

    def __init__(self, recorder: EventRecorder) -> None:
        self.is_wanted = bool(recorder.families & {"network", "websockets"})
        self.reported: Reported | None = None
        """What to match with; None until somebody listens."""
        self._recorder = recorder
        self._log: NetworkLog | None = None
        self._has_looked = False

    def look(self, profile: OwnedProfile) -> None:
        """Read the log of a browser that has ended. Blocks, for a bounded time; never raises."""
        self._has_looked = True
        with suppress(LogUnreadableError):
            self._log = read_network_log(profile.network_log)

    def state(self) -> None:
        """State what was found. Where nobody could look, something may have been missed."""
        if not (self.is_wanted and self.reported):
            return
        if self._log is None:
            self._recorder.gap({"events"}, NO_LOG_LIMITATION if self._has_looked else UNREAD_LOG_LIMITATION)
            return
        if not self._log.is_whole:
            self._recorder.gap({"events"}, CUT_LOG_LIMITATION)
        state_unseen(self._log, self.reported, self._recorder)


def state_unseen(log: NetworkLog, reported: Reported, recorder: EventRecorder) -> None:
    """Tell ``recorder`` what ``log`` has and ``reported`` has not."""
    if reported.until_s is None:
        return
    if "network" in recorder.families:
        _state_requests(unseen(log, reported, reported.until_s), recorder)
    if "websockets" in recorder.families:
        empty = [at_s for at_s in log.empty_messages_at_s if at_s <= reported.until_s]
        for at_s in empty:
            recorder.miss_at({"events", "websockets"}, at_s)
        if empty:
            recorder.state(
                "The driver does not report WebSocket messages without any content; "
                f"{counted(len(empty), 'such message')} came or went, and no event tells of it."
            )


def _state_requests(unseen: list[tuple[float, str]], recorder: EventRecorder) -> None:
    for at_s, _ in unseen:
        recorder.miss_at({"events"}, at_s)
    purposes = Counter(purpose for _, purpose in unseen)
    if purposes:
        kinds = ", ".join(f"{count} {purpose}" for purpose, count in sorted(purposes.items()))
        recorder.state(
            f"The browser sent {counted(len(unseen), 'request')} that the driver did not report ({kinds}); "
            f"no event holds {'it' if len(unseen) == 1 else 'them'}."
        )


def unseen(log: NetworkLog, reported: Reported, until_s: float) -> list[tuple[float, str]]:
    """When each unseen request was sent, and what for."""
    found = [(at_s, _TRANSPORT) for at_s in log.transports_at_s if at_s <= until_s]
    for sent in log.sent:
        if not sent.url.startswith(("http:", "https:")) or sent.annotation in _OWN:
            continue
        if not sent.is_further and reported.take(sent.method, sent.url):
            continue
        if _is_unasked(sent) or (sent.at_s > until_s and sent.annotation != _DEFERRED):
            continue
        if sent.is_preflight and reported.explains_preflights:
            continue
        found.append((sent.at_s, _purpose(sent)))
    return found


def _is_unasked(sent: Sent) -> bool:
    """Whether no page has to do with it."""
    return sent.initiator == _NO_ORIGIN and sent.kind == "other" and sent.annotation not in _PURPOSES


def _purpose(sent: Sent) -> str:
    if sent.is_preflight:
        return _PREFLIGHT
    if sent.annotation in _PURPOSES:
        return _PURPOSES[sent.annotation]
    if is_icon_address(sent.url):
        return _ICON_ADDRESS
    return _FURTHER if sent.is_further else _OTHER
