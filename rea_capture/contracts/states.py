"""Capture states: what is known about something that could be looked at.

``captured`` holds a value; ``not_requested`` means nobody looked; ``missing`` and ``truncated`` say
why. Unknown is a value here, never a null.

Below: ``base``. Above: ``artifacts``.
"""

from __future__ import annotations

from typing import Final, Literal

from rea_capture.contracts.base import SafeInteger, record


@record
class NotRequested:
    """Nobody looked, which is not the same as nothing there."""

    state: Literal["not_requested"] = "not_requested"


@record
class Missing:
    """Requested and not seen; ``reason`` is a sentence."""

    reason: str
    state: Literal["missing"] = "missing"


@record
class Truncated:
    """Requested and only partly seen; ``observed`` and ``retained`` are sizes in bytes."""

    observed: SafeInteger
    reason: str
    retained: SafeInteger
    state: Literal["truncated"] = "truncated"


NOT_REQUESTED: Final = NotRequested()
