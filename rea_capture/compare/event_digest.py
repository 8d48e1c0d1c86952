"""The normalized form of one event: what it says about the page, without its capture's numbering.

Below: ``rules``, ``canonical``. Above: ``events``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from rea_capture.canonical import record_bytes
from rea_capture.compare.rules import FIELDS_WITHOUT_RULES, Replacements
from rea_capture.contracts.events import (
    AnyEvent,
    ConsoleEvent,
    DownloadCancelledEvent,
    LifecycleEvent,
    NetworkContentEvent,
    PageErrorEvent,
    RequestEvent,
    TransactionEvent,
    UnfinishedRequestEvent,
    WebSocketEvent,
    WebSocketFrameEvent,
)
from rea_capture.contracts.urls import ObservedUrl

CAPTURE_LOCAL_FIELDS: Final = frozenset(
    {"redirected_from_transaction_id", "sequence", "source_event_sequence", "step_index", "transaction_id"}
)
"""Fields that number things within one capture and say nothing about the page."""

NETWORK_EVENTS: Final = frozenset(
    {RequestEvent, TransactionEvent, UnfinishedRequestEvent, NetworkContentEvent}
)


def event_bytes(event: AnyEvent, rules: Replacements) -> bytes:
    """The RFC 8785 form of ``event`` without ``CAPTURE_LOCAL_FIELDS``, after ``rules``.

    Rules reach every string but ``kind`` and the base64 ``content`` of a body. A field that is absent
    from the capture is absent here.
    """
    data = record_bytes(_PLAIN[type(event)](event))
    return rules.normalized(data, untouched=FIELDS_WITHOUT_RULES) if rules.pairs else data


# Three of four events of a usual page are metadata of network transactions, and orjson writes a plain
# dict several times faster than a slotted record: hence these are spelled out.


def _plain_transaction(event: RequestEvent | TransactionEvent) -> dict[str, Any]:
    return {
        "failure": event.failure,
        "header_names": event.header_names,
        "kind": event.kind,
        "method": event.method,
        "resource_type": event.resource_type,
        "status": event.status,
        "url": _plain_url(event.url),
    }


def _plain_request(event: RequestEvent) -> dict[str, Any]:
    plain = _plain_transaction(event)
    if event.redirected_from_transaction_state is not None:
        plain["redirected_from_transaction_state"] = event.redirected_from_transaction_state
    return plain


def _plain_url(url: ObservedUrl) -> dict[str, Any]:
    return {
        "origin": url.origin,
        "query_parameter_names": url.query_parameter_names,
        "redacted": url.redacted,
        "url": url.url,
    }


def _plain_any(kind: type[Any]) -> Callable[[Any], dict[str, Any]]:
    names = tuple(field.name for field in fields(kind) if field.name not in CAPTURE_LOCAL_FIELDS)
    values = attrgetter(*names)
    return lambda event: dict(zip(names, values(event), strict=True))


_PLAIN: Final[Mapping[type[Any], Callable[[Any], dict[str, Any]]]] = {
    **{
        kind: _plain_any(kind)
        for kind in (
            ConsoleEvent,
            DownloadCancelledEvent,
            LifecycleEvent,
            NetworkContentEvent,
            PageErrorEvent,
            UnfinishedRequestEvent,
            WebSocketEvent,
            WebSocketFrameEvent,
        )
    },
    RequestEvent: _plain_request,
    TransactionEvent: _plain_transaction,
}
