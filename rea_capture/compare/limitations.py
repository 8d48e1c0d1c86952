"""What a reader must know about a verdict, in sentences, each stated once.

Below: ``prepared``, ``doubts``, ``rows``, ``stated``, ``wording``. Above: ``verdict``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rea_capture.compare.doubts import Doubt, Side, contradiction, seeing_all
from rea_capture.compare.prepared import PreparedCapture, PreparedStep
from rea_capture.compare.rows import lopsided_artifacts
from rea_capture.compare.stated import stated_by_one
from rea_capture.contracts.selection import ARTIFACT_NAMES
from rea_capture.wording import counted, listed


def limitations(
    before: PreparedCapture,
    after: PreparedCapture,
    pairs: Sequence[tuple[PreparedStep, PreparedStep]],
    event_obstacles: Sequence[Doubt],
) -> tuple[str, ...]:
    """The sentences, in a fixed order."""
    return (
        *_scope(before, after, pairs, event_obstacles),
        *_requests(pairs),
        *(f"Events were compared in no step. {doubt.reason}" for doubt in event_obstacles),
        *_known_by_less(pairs, event_obstacles),
        *_rules(before, after),
        *_of_side("before", before),
        *_of_side("after", after),
        *_stated_by_one(before, after),
    )


def _scope(
    before: PreparedCapture,
    after: PreparedCapture,
    pairs: Sequence[tuple[PreparedStep, PreparedStep]],
    event_obstacles: Sequence[Doubt],
) -> Iterator[str]:
    if not pairs:
        yield "No step of the two captures is aligned, so nothing was compared."
        return
    compared = [
        name
        for name in ARTIFACT_NAMES
        if any(
            "not_requested" not in (one.artifacts[name].state, other.artifacts[name].state)
            for one, other in pairs
        )
    ]
    families = () if event_obstacles else before.event_families or ()
    kinds = ["actions", *compared, *([f"events ({', '.join(families)})"] if families else [])]
    yield (
        f"Unchanged speaks only of what both captures looked at, where both looked: {listed(kinds)}. What "
        "the captures say they cannot see, they cannot compare either."
    )


def _requests(pairs: Sequence[tuple[PreparedStep, PreparedStep]]) -> Iterator[str]:
    steps = [one.step_id for one, other in pairs if lopsided_artifacts(one, other)]
    if steps:
        yield (
            f"The captures requested different artifacts at {len(steps)} of {len(pairs)} aligned steps "
            f"(first at {steps[0]}); each such step has one unknown row that names them all."
        )


def _known_by_less(
    pairs: Sequence[tuple[PreparedStep, PreparedStep]], event_obstacles: Sequence[Doubt]
) -> Iterator[str]:
    stored = [one.step_id for one, other in pairs if one.has_redacted_storage and other.has_redacted_storage]
    if stored:
        yield (
            f"Stored values that are secrets have no digest, so two of them are equal whatever they hold (at "
            f"{counted(len(stored), 'aligned step')}, first at {stored[0]})."
        )
    sent = [
        one.step_id
        for one, other in pairs
        if one.events.has_binary_messages and other.events.has_binary_messages
    ]
    if sent and not event_obstacles:
        yield (
            "Binary WebSocket messages are compared by their size only (at "
            f"{counted(len(sent), 'aligned step')}, first at {sent[0]})."
        )


def _rules(before: PreparedCapture, after: PreparedCapture) -> Iterator[str]:
    if before.rules:
        yield (
            f"Both sides were compared after {counted(len(before.rules), 'caller rule')}, listed in "
            "normalization.rules: equal means equal after them."
        )
    bodies = before.retained_body_count + after.retained_body_count
    if bodies and any("events" in rule.artifacts for rule in before.rules):
        yield "Rules for events do not look inside network bodies, which are compared as bytes."


def _stated_by_one(before: PreparedCapture, after: PreparedCapture) -> Iterator[str]:
    if doubt := stated_by_one(before, after):
        yield f"{doubt.reason} {doubt.recovery}"


def _of_side(side: Side, capture: PreparedCapture) -> Iterator[str]:
    if not capture.eligible:
        yield (
            f"The {side} capture is not complete (missing: {listed(capture.missing)}; truncated: "
            f"{listed(capture.truncated)}), so nothing it agrees with can be called unchanged. "
            f"{seeing_all(side, attached=capture.attached)}"
        )
    if capture.contradictions:
        doubt = contradiction(side, capture.contradictions)
        yield f"{doubt.reason} Nothing it agrees with can be called unchanged. {doubt.recovery}"
    if capture.dropped_event_count:
        yield (f"The {side} capture did not keep {counted(capture.dropped_event_count, 'observed event')}.")
    if capture.limitation_count:
        yield (
            f"The {side} capture states {counted(capture.limitation_count, 'limitation')} of its own, to be "
            "read with this comparison."
        )
