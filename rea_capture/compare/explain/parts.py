"""What an explanation needs of one capture: the artifacts that changed, and no more.

A comparison never holds both captures at once; explaining does not either.

Below: ``contracts``, ``compare.rules``, ``step_events``. Above: ``explain``, and callers that hold one
capture at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from rea_capture.canonical import record_bytes
from rea_capture.compare.explain.events.step_events import StepEvents
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.comparison import ComparedArtifact, ComparisonResult, RecordedRule

_ACTION_STATE: Final = ("action", "after_url", "before_url", "error", "status")
_TEXTS: Final = frozenset({"dom", "accessibility"})

Key = tuple[str, ComparedArtifact]
"""A step's id and an artifact of it. Aligned steps have ids that occur once in each capture."""


@dataclass(frozen=True, slots=True)
class ChangedParts:
    """The changed artifacts of one side, after caller rules.

    A picture is its PNG in base64, a text its text, a value plain JSON. ``events`` is None where no
    events changed.
    """

    artifacts: Mapping[Key, Any]
    events: StepEvents | None
    positions: Mapping[str, int]


def changed_parts(capture: CaptureResult, result: ComparisonResult) -> ChangedParts:
    """What ``result`` calls changed, out of ``capture``, which is one of the two it compared."""
    rules = result.normalization.rules
    wanted = list(_changed(result))
    steps = {step.step_id: step for step in capture.steps}
    positions = {step_id: steps[step_id].step_index for step_id, _ in wanted}
    return ChangedParts(
        artifacts={
            (step_id, artifact): _part(steps[step_id], artifact, rules)
            for step_id, artifact in wanted
            if artifact != "events"
        },
        events=_events(capture, wanted, positions, rules),
        positions=positions,
    )


def _changed(result: ComparisonResult) -> Iterable[Key]:
    for step in result.steps:
        yield from ((step.step_id, row.artifact) for row in step.artifact_diffs if row.status == "changed")


def _events(
    capture: CaptureResult,
    wanted: Iterable[Key],
    positions: Mapping[str, int],
    rules: tuple[RecordedRule, ...],
) -> StepEvents | None:
    changed = {positions[step_id] for step_id, artifact in wanted if artifact == "events"}
    return StepEvents.of(capture, Replacements.of(rules, "events"), changed) if changed else None


def _part(step: Step, artifact: ComparedArtifact, rules: tuple[RecordedRule, ...]) -> Any:
    if artifact == "action_state":
        value: Any = {name: getattr(step, name) for name in _ACTION_STATE}
        return _plain(value, Replacements.of(rules, artifact))
    value = getattr(step.artifacts, artifact).value
    if artifact == "screenshot":
        return value.data_base64
    assert artifact != "events"
    replacements = Replacements.of(rules, artifact)
    return replacements.text(value.text) if artifact in _TEXTS else _plain(value, replacements)


def _plain(value: Any, rules: Replacements) -> Any:
    return orjson.loads(rules.normalized(record_bytes(value)))
