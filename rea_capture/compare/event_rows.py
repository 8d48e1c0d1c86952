"""The events row of each aligned step.

Some obstacles concern the captures as wholes: other families, other network content, contradictions,
gaps that no step admits to. They make the events of every aligned step unknown: where no event was kept,
one may have gone unseen.

Below: ``rows``, ``doubts``, ``prepared``. Above: ``verdict``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rea_capture.compare import doubts
from rea_capture.compare.doubts import Doubt, Side
from rea_capture.compare.prepared import PreparedArtifact, PreparedCapture, PreparedEvents, PreparedStep
from rea_capture.compare.rows import changed_row, unknown_row
from rea_capture.contracts.comparison import ArtifactDiff


def obstacles(before: PreparedCapture, after: PreparedCapture) -> tuple[Doubt, ...]:
    """What prevents comparing the events of any step."""
    found: list[Doubt] = []
    unrecorded: list[Side] = []
    if before.event_families is None:
        unrecorded.append("before")
    if after.event_families is None:
        unrecorded.append("after")
    if unrecorded:
        found.append(doubts.families_unrecorded(unrecorded))
    elif before.event_families != after.event_families:
        found.append(doubts.families_differ(before.event_families or (), after.event_families or ()))
    if before.network_content != after.network_content:
        found.append(doubts.contents_differ(before.network_content, after.network_content))
    if before.event_contradictions:
        found.append(doubts.contradiction("before", before.event_contradictions))
    if after.event_contradictions:
        found.append(doubts.contradiction("after", after.event_contradictions))
    if before.unplaced_gaps:
        found.append(doubts.unplaced_gap("before", before.unplaced_gaps, attached=before.attached))
    if after.unplaced_gaps:
        found.append(doubts.unplaced_gap("after", after.unplaced_gaps, attached=after.attached))
    return tuple(found)


def event_rows(
    before: PreparedStep, after: PreparedStep, everywhere: Sequence[Doubt]
) -> Iterator[ArtifactDiff]:
    """The events row of one aligned step, if it has one; ``everywhere`` are the obstacles."""
    one, other = _artifact(before.events), _artifact(after.events)
    if one.state == other.state == "not_requested":
        return
    found = [*everywhere, *_doubts("before", before.events), *_doubts("after", after.events)]
    if found:
        yield unknown_row("events", one, other, found)
    elif one.sha256 != other.sha256:
        yield changed_row("events", one, other)


def _artifact(events: PreparedEvents) -> PreparedArtifact:
    return PreparedArtifact(events.state, events.sha256)


def _doubts(side: Side, events: PreparedEvents) -> list[Doubt]:
    if events.state == "not_requested":
        return []
    return [
        *doubts.incomplete_events(side, events.missing, events.truncated, attached=events.attached),
        *(doubts.event_fault(side, fault, met) for fault, met in events.faults.items()),
    ]
