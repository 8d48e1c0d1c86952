"""Events: what a page did while a scenario ran, in the order it was received.

``sequence`` counts from 1 over retained and omitted events alike; ``step_index`` is the step during
which the event arrived.

Below: ``urls``, ``network``. Above: ``capture``, and the recorder that makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from rea_capture.contracts.base import (
    Constraint,
    PositiveSafeInteger,
    SafeInteger,
    record,
    record_with_absent_fields,
)
from rea_capture.contracts.network import BodyState, HeadersState
from rea_capture.contracts.selection import EventFamily
from rea_capture.contracts.urls import ObservedUrl


@record
class ConsoleEvent:
    kind: Literal["console"]
    level: str
    sequence: PositiveSafeInteger
    step_index: SafeInteger
    text: str
    url: ObservedUrl | None


@record
class PageErrorEvent:
    kind: Literal["page-error"]
    message: str
    sequence: PositiveSafeInteger
    stack: str | None
    step_index: SafeInteger


@record_with_absent_fields("redirected_from_transaction_state")
class RequestEvent:
    """A request was sent.

    With ``redirected_from_transaction_id`` it continues that transaction and has no state field;
    without, the state says whether it is a ``root`` or its predecessor is ``unknown``. A capture
    written before that field existed omits it, which means unknown.
    """

    failure: str | None
    header_names: tuple[str, ...]
    kind: Literal["request"]
    method: str
    redirected_from_transaction_id: PositiveSafeInteger | None
    redirected_from_transaction_state: Literal["root", "unknown"] | None = None
    resource_type: str
    sequence: PositiveSafeInteger
    status: SafeInteger | None
    step_index: SafeInteger
    transaction_id: PositiveSafeInteger
    url: ObservedUrl

    def __post_init__(self) -> None:
        if (
            self.redirected_from_transaction_id is not None
            and self.redirected_from_transaction_state is not None
        ):
            raise ValueError("redirected_from_transaction_state is for requests without a linked predecessor")


@record
class TransactionEvent:
    """A response arrived, or a request finished or failed."""

    failure: str | None
    header_names: tuple[str, ...]
    kind: Literal["response", "request-finished", "request-failed"]
    method: str
    resource_type: str
    sequence: PositiveSafeInteger
    status: SafeInteger | None
    step_index: SafeInteger
    transaction_id: PositiveSafeInteger
    url: ObservedUrl


@record
class UnfinishedRequestEvent:
    """Observation ended while the request was in flight."""

    failure: str | None
    header_names: tuple[str, ...]
    kind: Literal["request-unfinished"]
    method: str
    reason: Literal["capture-ended"]
    resource_type: str
    sequence: PositiveSafeInteger
    status: SafeInteger | None
    step_index: SafeInteger
    transaction_id: PositiveSafeInteger
    url: ObservedUrl


@record
class NetworkContentEvent:
    """Headers and body of the request or response that event ``source_event_sequence`` reported."""

    body: BodyState
    headers: HeadersState
    kind: Literal["network-content"]
    phase: Literal["request", "response"]
    sequence: PositiveSafeInteger
    source_event_sequence: PositiveSafeInteger
    step_index: SafeInteger
    transaction_id: PositiveSafeInteger


@record
class WebSocketEvent:
    kind: Literal["websocket-opened", "websocket-closed"]
    sequence: PositiveSafeInteger
    step_index: SafeInteger
    url: ObservedUrl


@record
class WebSocketFrameEvent:
    """One message; ``payload_bytes`` is its whole size, ``payload_text`` what was kept of a text one."""

    kind: Literal["websocket-frame-sent", "websocket-frame-received"]
    payload_bytes: SafeInteger
    payload_text: str | None
    payload_type: Literal["text", "binary"]
    sequence: PositiveSafeInteger
    step_index: SafeInteger
    truncated: bool
    url: ObservedUrl


LifecycleKind = Literal[
    "frame-attached",
    "frame-detached",
    "frame-navigated",
    "worker-created",
    "worker-closed",
    "popup-opened",
    "popup-closed",
]


@record
class LifecycleEvent:
    """A frame, worker or popup came, went or navigated."""

    kind: LifecycleKind
    name: str | None
    sequence: PositiveSafeInteger
    step_index: SafeInteger
    url: ObservedUrl | None


@record
class DownloadCancelledEvent:
    kind: Literal["download-cancelled"]
    sequence: PositiveSafeInteger
    step_index: SafeInteger
    suggested_filename: str
    url: ObservedUrl


NetworkEvent: TypeAlias = RequestEvent | TransactionEvent | UnfinishedRequestEvent | NetworkContentEvent
AnyEvent: TypeAlias = (
    NetworkEvent
    | ConsoleEvent
    | PageErrorEvent
    | WebSocketEvent
    | WebSocketFrameEvent
    | LifecycleEvent
    | DownloadCancelledEvent
)
Event = Annotated[AnyEvent, Constraint(discriminator="kind")]
EventKind = Literal[
    "console",
    "page-error",
    "request",
    "response",
    "request-finished",
    "request-failed",
    "request-unfinished",
    "network-content",
    "websocket-opened",
    "websocket-closed",
    "websocket-frame-sent",
    "websocket-frame-received",
    "frame-attached",
    "frame-detached",
    "frame-navigated",
    "worker-created",
    "worker-closed",
    "popup-opened",
    "popup-closed",
    "download-cancelled",
]

FAMILY_OF_KIND: Final[Mapping[EventKind, EventFamily]] = {
    "console": "console",
    "page-error": "page-errors",
    "request": "network",
    "response": "network",
    "request-finished": "network",
    "request-failed": "network",
    "request-unfinished": "network",
    "network-content": "network",
    "websocket-opened": "websockets",
    "websocket-closed": "websockets",
    "websocket-frame-sent": "websockets",
    "websocket-frame-received": "websockets",
    "frame-attached": "frames",
    "frame-detached": "frames",
    "frame-navigated": "frames",
    "worker-created": "workers",
    "worker-closed": "workers",
    "popup-opened": "popups",
    "popup-closed": "popups",
    "download-cancelled": "downloads",
}
"""The family that a scenario selects to get events of a kind."""
