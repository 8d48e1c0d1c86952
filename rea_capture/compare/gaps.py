"""Where in a capture events are missing.

A step's own completeness says so. Where events were dropped and no step says where, the gaps in the
sequence numbers, which count omitted events too, show between which retained events they were. What
even those do not show is a gap of the whole capture.

Below: ``contracts``. Above: ``events``, ``prepare``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.capture import CaptureResult

EVENT_SECTIONS: Final = frozenset({"events", "frames", "workers", "popups", "websockets"})
"""Sections of completeness that speak of events."""


def positions_with_gaps(capture: CaptureResult) -> frozenset[int]:
    """Positions of the steps during which omitted events may have arrived, by sequence numbers.

    Empty when nothing was dropped, and when a step says itself that its events are truncated.
    """
    events = capture.events
    if not events.dropped or any("events" in step.completeness.truncated_sections for step in capture.steps):
        return frozenset()
    found: set[int] = set()
    previous, position = 0, 0
    for event in events.items:
        here = event.step_index
        if event.sequence > previous + 1:
            found.update(range(min(position, here), max(position, here) + 1))
        previous, position = event.sequence, here
    if previous < events.total:
        found.update(range(position, len(capture.steps)))
    return frozenset(found)


def unplaced_gaps(capture: CaptureResult, placed: frozenset[int]) -> tuple[str, ...]:
    """Event sections that the capture calls incomplete and no step does, sorted.

    ``placed`` is the answer of :func:`positions_with_gaps`.
    """
    missing = set(capture.completeness.missing_sections)
    truncated = set(capture.completeness.truncated_sections)
    for step in capture.steps:
        missing -= set(step.completeness.missing_sections)
        truncated -= set(step.completeness.truncated_sections)
    if placed:
        truncated.discard("events")
    return tuple(sorted((missing | truncated) & EVENT_SECTIONS))
