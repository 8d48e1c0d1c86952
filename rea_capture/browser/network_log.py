"""Reading the browser's own log of its network: what it really sent, whoever asked for it.

Chromium writes every step of every request into a file (``--log-net-log``), some ninety events each, by
numbers whose names stand in the first line. Those are read that tell what went out and why. Credentials are
not in the log, which lies in the private profile and goes with it.

Events: Chromium ``net/log/net_log_event_type_list.h``.
Below: ``log_lines``. Above: ``sent_unseen``, ``launch``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rea_capture.browser.log_lines import LogLines

_BEGIN: Final = 1
_TEXT, _BINARY, _CONTINUATION = 1, 2, 0
_EMPTY_DEFLATED_BYTES: Final = 2
"""A compressed message of no content takes one or two bytes; one of a single byte takes three (RFC 1951).
One of no content in several blocks takes more (RFC 7692, section 7.2.1) and is not known by its size."""

_REDACTED: Final = " (credentials redacted)"
"""What the log puts behind an address that it has taken a name and a password out of."""

SENT: Final = (
    "HTTP_TRANSACTION_SEND_REQUEST_HEADERS",
    "HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS",
    "HTTP_TRANSACTION_QUIC_SEND_REQUEST_HEADERS",
)
AGAIN: Final = ("HTTP_TRANSACTION_RESTART_AFTER_ERROR", "HTTP_TRANSACTION_RESTART_MISDIRECTED_REQUEST")
ALIVE, HOP, PREFLIGHT = "REQUEST_ALIVE", "URL_REQUEST_START_JOB", "CORS_PREFLIGHT_URL_REQUEST"
TRANSPORT: Final = "QUIC_SESSION_WEBTRANSPORT_CLIENT_ALIVE"
FRAMES: Final = ("WEBSOCKET_RECV_FRAME_HEADER", "WEBSOCKET_SENT_FRAME_HEADER")
_READ: Final = (ALIVE, HOP, PREFLIGHT, TRANSPORT, *SENT, *AGAIN, *FRAMES)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that went out. Of one that is redirected each hop is one.

    One that the browser sends again by itself, because the connection that it had kept had been closed, is
    still the same (RFC 9110, section 9.2.2). One with which it follows up another is not: for each part of a
    body that its cache has not, or with the password that was asked for.
    """

    at_s: float
    """Wall clock."""
    method: str
    url: str
    annotation: int
    """What it was for: Chromium's traffic annotation, a hash of a name."""
    initiator: str
    kind: str
    """``main frame``, ``subframe`` or ``other``."""
    is_preflight: bool
    is_further: bool
    """It follows up the one before it, which has the same method and address."""


@dataclass(slots=True)
class _Hop:
    """The request that a source is at."""

    params: dict[str, Any]
    was_sent: bool = False
    is_again: bool = False
    """What is sent next is what was sent before."""


@dataclass(slots=True)
class NetworkLog:
    """What a log tells. ``is_whole`` says that nothing is missing from it."""

    sent: list[Sent] = field(default_factory=list)
    transports_at_s: list[float] = field(default_factory=list)
    """When WebTransport sessions were begun."""
    empty_messages_at_s: list[float] = field(default_factory=list)
    """When WebSocket messages without content were sent or received."""
    is_whole: bool = False


class LogUnreadableError(Exception):
    """There is no log, or none in this format."""


def read_network_log(path: Path) -> NetworkLog:
    """Read the log at ``path``. Raises :class:`LogUnreadableError` when it tells nothing at all.

    Blocks for :data:`log_lines.MAX_READING_S` at most; what is read by then is returned as a part.
    """
    try:
        with path.open("rb") as file:
            reading = _Reading(LogLines(file, _READ))
            reading.take()
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise LogUnreadableError(type(error).__name__) from error
    return reading.log


class _Reading:
    """One pass over the events."""

    def __init__(self, lines: LogLines) -> None:
        self.log = NetworkLog()
        self._lines = lines
        self._annotations: dict[int, int] = {}
        self._alive: Counter[int] = Counter()
        """Loaders by source. For a redirect to another origin one is begun anew, before the old one ends."""
        self._hops: dict[int, _Hop] = {}
        self._preflights: set[int] = set()
        self._has_lost = False
        """The log began late, or has a hole."""
        self._messages: dict[tuple[int, str], tuple[int, bool]] = {}
        """Bytes so far of a message in fragments, and whether it is compressed."""

    def take(self) -> None:
        """Take every event."""
        for name, event in self._lines.events():
            self._event(name, event)
        self.log.is_whole = self._lines.is_whole and not self._has_lost

    def _event(self, name: str, event: dict[str, Any]) -> None:
        source = int(event["source"]["id"])
        params = event.get("params") or {}
        at_s = int(event["time"]) / 1000 + self._lines.offset_s
        begins = event["phase"] == _BEGIN
        if name in SENT:
            self._sent(source, at_s)
        elif name in AGAIN and source in self._hops:
            self._hops[source].is_again = True
        elif name == HOP and begins:
            self._hops[source] = _Hop(params)
        elif name == ALIVE and begins:
            self._alive[source] += 1
            self._annotations[source] = int(params.get("traffic_annotation", 0))
        elif name == ALIVE:
            self._ended(source)
        elif name == PREFLIGHT:
            self._preflights.add(int(params["source_dependency"]["id"]))
        elif name in FRAMES:
            self._frame(source, name, params, at_s)
        elif name == TRANSPORT and begins:
            self.log.transports_at_s.append(at_s)

    def _sent(self, source: int, at_s: float) -> None:
        hop = self._hops.get(source)
        if hop is None:
            self._has_lost = True
            return
        is_further, is_again = hop.was_sent, hop.is_again
        hop.was_sent, hop.is_again = True, False
        if is_further and is_again:
            return
        self.log.sent.append(
            Sent(
                at_s=at_s,
                method=str(hop.params["method"]),
                url=str(hop.params["url"]).removesuffix(_REDACTED),
                annotation=self._annotations.get(source, 0),
                initiator=str(hop.params["initiator"]),
                kind=str(hop.params["request_type"]),
                is_preflight=source in self._preflights,
                is_further=is_further,
            )
        )

    def _frame(self, source: int, direction: str, params: dict[str, Any], at_s: float) -> None:
        opcode, key = params["opcode"], (source, direction)
        if opcode in (_TEXT, _BINARY):
            self._messages[key] = (0, bool(params["reserved1"]))
        if opcode not in (_TEXT, _BINARY, _CONTINUATION) or key not in self._messages:
            return
        size, is_compressed = self._messages[key]
        size += int(params["payload_length"])
        self._messages[key] = (size, is_compressed)
        if params["final"]:
            del self._messages[key]
            if size <= (_EMPTY_DEFLATED_BYTES if is_compressed else 0):
                self.log.empty_messages_at_s.append(at_s)

    def _ended(self, source: int) -> None:
        if not self._alive[source]:
            self._has_lost = True
        self._alive[source] -= 1
        if self._alive[source] <= 0:
            for kept in (self._alive, self._annotations, self._hops):
                kept.pop(source, None)
            self._preflights.discard(source)
