"""Reading the browser's own log of its network: what it really sent, whoever asked for it.

Chromium writes every step of every request into a file (``--log-net-log``): one event on a line, by numbers
whose names stand in the first line. Of the ninety or so events of a request only those are parsed that tell
what went out and why; the others are looked at for tears, which a full disk leaves. Credentials are not in
the log, which lies in the private profile and goes with it.

Format: Chromium ``net/log/file_net_log_observer.cc``, ``net/log/net_log_event_type_list.h``.
Below: orjson. Above: ``sent_unseen``, ``launch``.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

MAX_READING_S: Final = 2.0
"""How long reading may take, of the ten seconds in which a capture that was stopped is over. It reads some
300 MiB by then; a request takes 13 KiB. (A browser can be told to bound its log. It then begins it late, and
the first requests are not in it.)"""
LINES_PER_LOOK: Final = 2_048
"""Lines between two looks at the clock, a millisecond."""
MAX_LINE_BYTES: Final = 4 * 1024 * 1024
"""A longer line is left out, and the log counts as cut; a URL has 2 MiB at most."""

_BEGIN: Final = 1
_TEXT, _BINARY, _CONTINUATION = 1, 2, 0
_EMPTY_DEFLATED_BYTES: Final = 2
"""A compressed message of no content takes one or two bytes; one of a single byte takes three (RFC 1951).
One of no content in several blocks takes more (RFC 7692, section 7.2.1) and is not known by its size."""

_BEGINNINGS: Final = (b'{"params":', b'{"phase":')
"""What an event begins with, and has nowhere else: within texts the log has no bare quotes."""
_ENDS: Final = (b"},\n", b"}],\n")
_FRAMING: Final = (b'"events": [\n', b"}\n")
_POLLED: Final = b'"polledData":'
"""What there is besides events."""
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

    Blocks for :data:`MAX_READING_S` at most; what is read by then is returned as a part.
    """
    try:
        with path.open("rb") as file:
            names, offset_ms = _header(file.readline(MAX_LINE_BYTES))
            reading = _Reading(names, offset_ms / 1000)
            reading.log.is_whole = reading.take(_lines(file))
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise LogUnreadableError(type(error).__name__) from error
    return reading.log


def _header(line: bytes) -> tuple[dict[str, int], int]:
    """The numbers of the events by name, and what makes a log's time wall clock (milliseconds)."""
    constants = orjson.loads(line.rstrip().removesuffix(b",") + b"}")["constants"]
    numbers = constants["logEventTypes"]
    return {name: int(numbers[name]) for name in _READ if name in numbers}, int(constants["timeTickOffset"])


def _lines(file: Any) -> Iterator[bytes]:
    while line := file.readline(MAX_LINE_BYTES):
        yield line


class _Reading:
    """One pass over the events."""

    def __init__(self, names: dict[str, int], offset_s: float) -> None:
        self.log = NetworkLog()
        self._offset_s = offset_s
        self._names = {number: name for name, number in names.items()}
        self._endings = tuple(
            ending
            for number in self._names
            for ending in (b'"type":%d},\n' % number, b'"type":%d}],\n' % number)
        )
        self._annotations: dict[int, int] = {}
        self._alive: Counter[int] = Counter()
        """Loaders by source. For a redirect to another origin one is begun anew, before the old one ends."""
        self._hops: dict[int, _Hop] = {}
        self._preflights: set[int] = set()
        self._has_lost = False
        """The log began late, or has a hole."""
        self._messages: dict[tuple[int, str], tuple[int, bool]] = {}
        """Bytes so far of a message in fragments, and whether it is compressed."""

    def take(self, lines: Iterable[bytes]) -> bool:
        """Take every event. Returns whether the log came to its end in time."""
        deadline, last = time.monotonic() + MAX_READING_S, b""
        for count, last in enumerate(lines):
            if last.startswith(_BEGINNINGS):
                self._line(last)
            elif last not in _FRAMING and not last.startswith(_POLLED):
                self._has_lost = True
            if count % LINES_PER_LOOK == 0 and time.monotonic() > deadline:
                return False
        return last.rstrip() == b"}" and not self._has_lost

    def _line(self, line: bytes) -> None:
        """Take the event of ``line``; what a full disk has torn begins twice, or does not end."""
        is_torn = not line.endswith(_ENDS) or sum(map(line.count, _BEGINNINGS)) != 1
        if not is_torn and not line.endswith(self._endings):
            return
        try:
            event = orjson.loads(line.rstrip(b"],\n"))
        except orjson.JSONDecodeError:
            self._has_lost = True
            return
        if event["type"] in self._names:
            self._event(event)

    def _event(self, event: dict[str, Any]) -> None:
        name, source = self._names[event["type"]], int(event["source"]["id"])
        params = event.get("params") or {}
        at_s = int(event["time"]) / 1000 + self._offset_s
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
