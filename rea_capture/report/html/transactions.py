"""The network events of a capture as rows, one a transaction, in the order of their requests.

Events carry no time. A row has the sequence numbers of its first and its last event instead, which order it
among all events of its capture.

Below: ``contracts``. Above: ``contents``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rea_capture.contracts.events import (
    AnyEvent,
    NetworkContentEvent,
    RequestEvent,
    TransactionEvent,
    UnfinishedRequestEvent,
)


def transactions(events: Iterable[AnyEvent]) -> list[dict[str, Any]]:
    """A row for each transaction of which the capture has a request, a response or an end."""
    rows: dict[int, dict[str, Any]] = {}
    for event in events:
        if isinstance(event, NetworkContentEvent):
            continue  # it repeats a transaction that has a row
        if not isinstance(event, RequestEvent | TransactionEvent | UnfinishedRequestEvent):
            continue
        row = rows.setdefault(event.transaction_id, _row(event))
        row["last"] = event.sequence
        if isinstance(event, RequestEvent):
            row["redirected_from"] = event.redirected_from_transaction_id
            row["ancestry"] = _ancestry(event)
        else:
            row["end"] = event.kind if event.kind != "response" else row["end"]
            row["status"] = row["status"] if event.status is None else event.status
            row["failure"] = event.failure or row["failure"]
    return list(rows.values())


def _row(event: RequestEvent | TransactionEvent | UnfinishedRequestEvent) -> dict[str, Any]:
    return {
        "ancestry": "unknown",
        "end": None,
        "failure": None,
        "first": event.sequence,
        "id": event.transaction_id,
        "last": event.sequence,
        "method": event.method,
        "redirected_from": None,
        "resource_type": event.resource_type,
        "status": None,
        "step_index": event.step_index,
        "url": event.url.url,
    }


def _ancestry(event: RequestEvent) -> str:
    """``linked``, ``root``, or ``unknown`` where the capture does not tell what led to it."""
    if event.redirected_from_transaction_id is not None:
        return "linked"
    return event.redirected_from_transaction_state or "unknown"
