"""Recorders with default limits, and requests that are nothing but an identity.

Below: the recorder. Above: the tests of this folder and those of the browser's events.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from rea_capture.capture.limitations import Limitations
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture_selection import (
    CaptureSelection,
    LimitSelection,
    NetworkContentSelection,
)
from rea_capture.contracts.selection import EventFamily
from rea_capture.redaction import NO_SECRETS, Redactor

NO_CONTENT: Final = NetworkContentSelection()
URL: Final = "http://site.test/path?b=1&a=2"


def recorder_for(
    families: Collection[EventFamily],
    content: NetworkContentSelection = NO_CONTENT,
    *,
    redactor: Redactor = NO_SECRETS,
    **limits: int,
) -> tuple[EventRecorder, Limitations]:
    """A recorder with default limits except ``limits``."""
    selection = CaptureSelection(
        events=tuple(families), network=content, limits=LimitSelection.model_validate(limits)
    ).record()
    limitations = Limitations(redactor)
    recorder = EventRecorder(
        families=selection.events,
        limits=selection.limits,
        content=selection.network,
        redactor=redactor,
        limitations=limitations,
    )
    return recorder, limitations


class Key:
    """A request object, as far as the recorder is concerned."""


def send(
    recorder: EventRecorder,
    *,
    url: str = URL,
    redirected_from: object | None = None,
    method: str = "GET",
    header_names: Collection[str] = ("Accept", "X-B"),
) -> Key:
    """A request is sent; returns its key."""
    key = Key()
    recorder.network.request(
        key,
        method=method,
        url=url,
        resource_type="fetch",
        header_names=header_names,
        redirected_from=redirected_from,
    )
    return key


def complete(recorder: EventRecorder, key: object, status: int = 200) -> None:
    """The request is answered and finishes."""
    recorder.network.response(key, status=status, header_names=("Content-Type",))
    recorder.network.finished(key)


def items(recorder: EventRecorder, *kinds: str) -> list[Any]:
    """The kept events, of these kinds if any are named."""
    return [event for event in recorder.events().items if not kinds or event.kind in kinds]
