"""The normalized form of one event: what it says about the page, without its capture's numbering.

Below: ``rules``, ``canonical``. Above: ``events``.
"""

from __future__ import annotations

from collections.abc import Mapping
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

CAPTURE_LOCAL_FIELDS: Final = frozenset(
    {"redirected_from_transaction_id", "sequence", "source_event_sequence", "step_index", "transaction_id"}
)
"""Fields that number things within one capture and say nothing about the page."""

NETWORK_EVENTS: Final = frozenset(
    {RequestEvent, TransactionEvent, UnfinishedRequestEvent, NetworkContentEvent}
)

_OTHER_EVENTS: Final = frozenset(
    {
        ConsoleEvent,
        DownloadCancelledEvent,
        LifecycleEvent,
        PageErrorEvent,
        WebSocketEvent,
        WebSocketFrameEvent,
    }
)
_MAY_BE_ABSENT: Final = "redirected_from_transaction_state"
_URL_FIELDS: Final = ("origin", "query_parameter_names", "redacted", "url")
_url_values: Final = attrgetter(*_URL_FIELDS)


def _kept(kind: type[Any]) -> tuple[tuple[str, ...], attrgetter[tuple[Any, ...]]]:
    names = tuple(field.name for field in fields(kind) if field.name not in CAPTURE_LOCAL_FIELDS)
    return names, attrgetter(*names)


_KEPT: Final[Mapping[type[Any], tuple[tuple[str, ...], attrgetter[tuple[Any, ...]]]]] = {
    kind: _kept(kind) for kind in NETWORK_EVENTS | _OTHER_EVENTS
}


def event_bytes(event: AnyEvent, rules: Replacements) -> bytes:
    """The RFC 8785 form of ``event`` without ``CAPTURE_LOCAL_FIELDS``, after ``rules``.

    Rules reach every string but ``kind`` and the base64 ``content`` of a body. A field that is absent
    from the capture is absent here.
    """
    kind = type(event)
    names, values = _KEPT[kind]
    plain: dict[str, Any] = dict(zip(names, values(event)))  # noqa: B905 - same length by construction
    url = plain.get("url")
    if url is not None:
        # orjson writes a plain dict three times faster than a slotted record.
        plain["url"] = dict(zip(_URL_FIELDS, _url_values(url)))  # noqa: B905 - as above
    if kind is RequestEvent and plain[_MAY_BE_ABSENT] is None:
        del plain[_MAY_BE_ABSENT]
    return rules.normalized(record_bytes(plain), untouched=FIELDS_WITHOUT_RULES)
