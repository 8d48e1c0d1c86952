"""The step records of a run that was stopped before its first step.

Below: ``completeness``, ``contracts``. Above: ``workflows.capture``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.capture.completeness import artifact_sections, missing_artifacts
from rea_capture.contracts.capture import Completeness, Section, Step
from rea_capture.contracts.scenario import Scenario
from rea_capture.contracts.step_kinds import START_STEP_ID, ActionKind
from rea_capture.contracts.urls import ObservedUrl

_NOWHERE: Final = ObservedUrl(origin=None, query_parameter_names=(), redacted=False, url="about:blank")


def steps_not_started(scenario: Scenario, reason: str) -> tuple[Step, ...]:
    """Every step of ``scenario`` as cancelled for ``reason``."""
    declared: list[tuple[str, ActionKind]] = [(START_STEP_ID, "goto_start")]
    declared += [(action.step_id, action.action) for action in scenario.actions]
    return tuple(
        _cancelled(scenario, index, step_id, kind, reason) for index, (step_id, kind) in enumerate(declared)
    )


def _cancelled(scenario: Scenario, index: int, step_id: str, kind: ActionKind, reason: str) -> Step:
    capture = scenario.capture
    at_end = capture.at_end if index == len(scenario.actions) else ()
    artifacts = missing_artifacts({*capture.after_each_step, *at_end}, reason)
    missing, _ = artifact_sections(artifacts)
    events: set[Section] = {"events"} if capture.families() else set()
    return Step(
        action=kind,
        after_url=_NOWHERE,
        artifacts=artifacts,
        before_url=_NOWHERE,
        completeness=Completeness.of(missing | events | {"action"}, set()),
        elapsed_ms=0,
        error=reason,
        event_sequence_end=0,
        event_sequence_start=1,
        status="cancelled",
        step_id=step_id,
        step_index=index,
    )
