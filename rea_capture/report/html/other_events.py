"""The events of a capture that are not of the network, as rows with what there is to read in each.

Below: ``contracts``, ``fitting``. Above: ``contents``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rea_capture.contracts.events import (
    FAMILY_OF_KIND,
    AnyEvent,
    ConsoleEvent,
    DownloadCancelledEvent,
    LifecycleEvent,
    PageErrorEvent,
    WebSocketEvent,
    WebSocketFrameEvent,
)
from rea_capture.report.html.fitting import MAX_CAPTURED_CHARACTERS


def other_events(events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """A row for each, in their order; its text is cut and what is cut off counted."""
    for event in events:
        if FAMILY_OF_KIND[event.kind] == "network":
            continue
        words = _text(event)
        row: dict[str, Any] = {
            "kind": event.kind,
            "omitted_characters": max(0, len(words) - MAX_CAPTURED_CHARACTERS),
            "sequence": event.sequence,
            "step_index": event.step_index,
            "text": words[:MAX_CAPTURED_CHARACTERS],
        }
        url = getattr(event, "url", None)
        if url is not None:
            row["url"] = url.url[:MAX_CAPTURED_CHARACTERS]
        if isinstance(event, ConsoleEvent):
            row["level"] = event.level[:_MAX_LEVEL_CHARACTERS]
        yield row


_MAX_LEVEL_CHARACTERS: Final = 40
"""The longest level that a browser has is ``timeEnd``."""


def _text(event: AnyEvent) -> str:
    match event:
        case ConsoleEvent():
            text = event.text
        case PageErrorEvent():
            text = _error(event)
        case WebSocketFrameEvent():
            text = f"{event.payload_bytes} bytes" if event.payload_text is None else event.payload_text
        case DownloadCancelledEvent():
            text = event.suggested_filename
        case LifecycleEvent():
            text = event.name or ""
        case WebSocketEvent() | _:
            text = ""
    return text


def _error(event: PageErrorEvent) -> str:
    """The message and the stack, which as a rule begins with it."""
    if event.stack is None:
        return event.message
    return event.stack if event.message in event.stack else f"{event.message}\n{event.stack}"
