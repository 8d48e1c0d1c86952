"""Where a capture holds what it says it did not look for, or lacks what was asked of it.

Each finding is the end of the sentence "The capture contradicts itself: …". Those about events prevent
comparing events; the others prevent calling anything unchanged.

Below: ``contracts``. Above: ``prepare``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rea_capture.compare.doubts import bounded
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureParameters
from rea_capture.contracts.events import FAMILY_OF_KIND, NetworkContentEvent
from rea_capture.contracts.selection import EventFamily, RecordedNetworkContent
from rea_capture.contracts.states import NotRequested
from rea_capture.wording import listed


def event_contradictions(capture: CaptureResult, parameters: CaptureParameters | None) -> Iterator[str]:
    """Where the events or their selection are not those that were asked for.

    ``parameters`` are those of the Evidence around ``capture``, if there is any.
    """
    families, wanted = capture.scenario.event_families, capture.scenario.network_content
    if families is None:
        return  # a capture of an older version, whose events are not compared at all
    selected = selected_families(families, wanted)
    kinds = {event.kind for event in capture.events.items}
    held = {FAMILY_OF_KIND[kind] for kind in kinds}
    held |= {FAMILY_OF_KIND[row.kind] for row in capture.events.omissions.by_kind}
    if unselected := held - selected:
        yield f"it has events of families that it did not select ({listed(sorted(unselected))})"
    if "network-content" in kinds and (parts := _content_held(capture) - selected_content(wanted)):
        yield f"it has network content that it did not select ({listed(sorted(parts))})"
    if parameters is None:
        return
    asked = parameters.capture
    if unmet := selected_families(asked.events, asked.network) - selected:
        yield f"its parameters ask for event families that it did not select ({listed(sorted(unmet))})"
    if lacking := selected_content(asked.network) - selected_content(wanted):
        yield f"its parameters ask for network content that it did not select ({listed(sorted(lacking))})"


def contradictions(capture: CaptureResult, parameters: CaptureParameters | None) -> Iterator[str]:
    """Where the steps are not those that were asked for; ``parameters`` as above."""
    if parameters is None:
        return
    steps = {(step.step_id, step.action) for step in capture.steps}
    absent = [one.step_id for one in parameters.actions if (one.step_id, one.action) not in steps]
    if absent:
        named = listed(map(bounded, absent), 1)
        yield f"its parameters declare an action that none of its steps is ({named})"


def selected_families(
    families: tuple[EventFamily, ...], content: RecordedNetworkContent
) -> frozenset[EventFamily]:
    """The families observed: selected network content implies ``network``."""
    return frozenset((*families, "network")) if selected_content(content) else frozenset(families)


def selected_content(content: RecordedNetworkContent) -> frozenset[str]:
    """The parts of network content that are selected."""
    return frozenset(name for name in _CONTENT if getattr(content, name))


_CONTENT: Final = ("header_values", "request_body", "response_body")


def _content_held(capture: CaptureResult) -> frozenset[str]:
    """The parts of network content that the events say something of."""
    found: set[str] = set()
    for event in capture.events.items:
        if isinstance(event, NetworkContentEvent):
            if not isinstance(event.headers, NotRequested):
                found.add("header_values")
            if not isinstance(event.body, NotRequested):
                found.add("response_body" if event.phase == "response" else "request_body")
    return frozenset(found)
