"""What must be there for events to be whole: what came of each request, and the content that was selected.

A capture says how complete it is, and a document may say so of evidence it does not hold. So what the
selection and the other events promise is looked for; what is not there is a fault, whatever the document
calls itself.

Below: ``faults``, ``contracts``. Above: ``ancestry``, ``events``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Final

from rea_capture.compare.faults import NO_FAULT, EventFault
from rea_capture.contracts.encodings import MARKER_START
from rea_capture.contracts.events import AnyEvent, EventKind, NetworkContentEvent, WebSocketFrameEvent
from rea_capture.contracts.network import HeadersUnavailable, NotExposed, OverLimit, Unavailable
from rea_capture.contracts.selection import RecordedNetworkContent
from rea_capture.contracts.states import NotRequested

_REQUEST: Final = 1
_RESPONSE: Final = 2
ENDED: Final = 4
_REQUEST_CONTENT: Final = 8
_RESPONSE_CONTENT: Final = 16

SEEN_BY_KIND: Final[Mapping[EventKind, int]] = {
    "request": _REQUEST,
    "response": _RESPONSE,
    "request-finished": ENDED,
    "request-failed": ENDED,
    "request-unfinished": ENDED,
}
"""What an event shows of its transaction, as a bit; one transaction gathers them."""

SEEN_BY_PHASE: Final[Mapping[str, int]] = {"request": _REQUEST_CONTENT, "response": _RESPONSE_CONTENT}

_SAID_ALREADY: Final = frozenset(
    {EventFault.TRANSACTION_OMITTED, EventFault.CONTENT_UNAVAILABLE, EventFault.CONTENT_OVER_LIMIT}
)
"""With one of these a transaction says itself that something of it is not there."""

_sequence_of = attrgetter("sequence")


def absences(
    seen: int, faults: frozenset[EventFault], wanted: RecordedNetworkContent
) -> frozenset[EventFault]:
    """What a transaction of which ``seen`` is there should have and has not; ``faults`` it has already."""
    found = _absent_content(seen, faults, wanted)
    if seen & ~_REQUEST_CONTENT == _REQUEST and EventFault.TRANSACTION_OMITTED not in faults:
        return found | {EventFault.OUTCOME_ABSENT}
    return found


def _absent_content(
    seen: int, faults: frozenset[EventFault], wanted: RecordedNetworkContent
) -> frozenset[EventFault]:
    of_request = wanted.header_values or wanted.request_body
    of_response = wanted.header_values or wanted.response_body
    absent = (of_request and seen & _REQUEST and not seen & _REQUEST_CONTENT) or (
        of_response and seen & _RESPONSE and not seen & _RESPONSE_CONTENT
    )
    return frozenset({EventFault.CONTENT_ABSENT}) if absent and faults.isdisjoint(_SAID_ALREADY) else NO_FAULT


def content_faults(
    event: NetworkContentEvent, items: Sequence[AnyEvent], wanted: RecordedNetworkContent
) -> frozenset[EventFault]:
    """What is wrong with the network content ``event`` of a capture whose events are ``items``."""
    faults = set()
    body, headers = event.body, event.headers
    if isinstance(body, OverLimit):
        faults.add(EventFault.CONTENT_OVER_LIMIT)
    elif isinstance(body, Unavailable):
        faults.add(EventFault.CONTENT_UNAVAILABLE)
    if isinstance(headers, HeadersUnavailable):
        over_limit = headers.reason == "header-bytes-limit"
        faults.add(EventFault.CONTENT_OVER_LIMIT if over_limit else EventFault.CONTENT_UNAVAILABLE)
    if _was_not_looked_at(event, wanted):
        faults.add(EventFault.CONTENT_ABSENT)
    if not _is_anchored(event, items):
        faults.add(EventFault.CONTENT_UNANCHORED)
    return frozenset(faults)


def _was_not_looked_at(event: NetworkContentEvent, wanted: RecordedNetworkContent) -> bool:
    """Whether a selected part is ``not_requested``, or the body of a response ``not_exposed``."""
    body = event.body
    of_response = event.phase == "response"
    if wanted.header_values and isinstance(event.headers, NotRequested):
        return True
    if of_response and isinstance(body, NotExposed):
        return True
    return isinstance(body, NotRequested) and (wanted.response_body if of_response else wanted.request_body)


def _is_anchored(event: NetworkContentEvent, items: Sequence[AnyEvent]) -> bool:
    """Whether its ``source_event_sequence`` is that of the event of its transaction that it speaks of."""
    # Sequences ascend; the contract of events sees to it.
    index = bisect_left(items, event.source_event_sequence, key=_sequence_of)
    if index == len(items) or items[index].sequence != event.source_event_sequence:
        return False
    source = items[index]
    return source.kind == event.phase and getattr(source, "transaction_id", None) == event.transaction_id


def is_cut(event: WebSocketFrameEvent) -> bool:
    """Whether only a part of a text message is there; of a binary one only the size ever is."""
    if event.truncated:
        return True
    if event.payload_type == "binary":
        return False
    text = event.payload_text  # redaction changes its length, and leaves a marker
    return text is None or (MARKER_START not in text and len(text.encode("utf-8")) != event.payload_bytes)
