"""Results in brief, for answers that do not hold the whole document.

Below: the contracts. Above: ``answers``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.comparison import AlignmentFailure, ComparisonResult, StepComparison
from rea_capture.contracts.selection import ARTIFACT_NAMES
from rea_capture.mcp_server.limits import MAX_SUMMARY_CHARACTERS, MAX_SUMMARY_LIMITATIONS, MAX_SUMMARY_STEPS
from rea_capture.mcp_server.messages import (
    CaptureSummary,
    ComparedArtifactSummary,
    ComparedStepSummary,
    ComparisonSummary,
    StepSummary,
)
from rea_capture.wording import shortened

T = TypeVar("T")


def capture_summary(result: CaptureResult) -> CaptureSummary:
    """``result`` in brief; of more steps than it lists, those that did not complete are listed first."""
    shown = _chosen(result.steps, [step.status != "completed" for step in result.steps])
    return CaptureSummary(
        browser=_cut(f"{result.browser.product} {result.browser.version} ({result.browser.mode})"),
        duration_ms=result.duration_ms,
        events_dropped=result.events.dropped,
        events_retained=result.events.retained,
        limitations=_limitations(result.limitations),
        limitations_omitted=max(0, len(result.limitations) - MAX_SUMMARY_LIMITATIONS),
        missing_sections=result.completeness.missing_sections,
        started_at=result.started_at,
        status=result.completeness.status,
        steps=tuple(map(_step, shown)),
        steps_by_status=dict(Counter(step.status for step in result.steps)),
        steps_omitted=len(result.steps) - len(shown),
        truncated_sections=result.completeness.truncated_sections,
    )


def comparison_summary(result: ComparisonResult) -> ComparisonSummary:
    """``result`` in brief: the steps that are not unchanged."""
    differing = [step for step in result.steps if step.status != "unchanged"]
    shown = _chosen(differing, [step.status == "changed" for step in differing])
    return ComparisonSummary(
        alignment=result.alignment.status,
        alignment_failures=tuple(
            _cut(_failure(failure)) for failure in result.alignment.failures[:MAX_SUMMARY_STEPS]
        ),
        limitations=_limitations(result.limitations),
        limitations_omitted=max(0, len(result.limitations) - MAX_SUMMARY_LIMITATIONS),
        overall_status=result.overall_status,
        steps=tuple(map(_compared, shown)),
        steps_by_status=dict(Counter(step.status for step in result.steps)),
        steps_omitted=len(differing) - len(shown),
    )


def _step(step: Step) -> StepSummary:
    states = {name: getattr(step.artifacts, name).state for name in ARTIFACT_NAMES}
    return StepSummary(
        action=step.action,
        artifacts={name: state for name, state in states.items() if state != "not_requested"},
        error=None if step.error is None else _cut(step.error),
        status=step.status,
        step_id=step.step_id,
    )


def _compared(step: StepComparison) -> ComparedStepSummary:
    return ComparedStepSummary(
        artifacts=tuple(
            ComparedArtifactSummary(
                artifact=diff.artifact,
                reason=None if diff.reason is None else _cut(diff.reason),
                recovery=None if diff.recovery is None else _cut(diff.recovery),
                status=diff.status,
            )
            for diff in step.artifact_diffs
        ),
        status=step.status,
        step_id=step.step_id,
    )


def _chosen(steps: Sequence[T], matters: Sequence[bool]) -> list[T]:
    """As many of ``steps`` as a summary lists, in their order: those that matter, then the others."""
    ranked = sorted(range(len(steps)), key=lambda index: not matters[index])[:MAX_SUMMARY_STEPS]
    return [steps[index] for index in sorted(ranked)]


def _failure(failure: AlignmentFailure) -> str:
    return failure.reason if failure.step_id is None else f"{failure.step_id}: {failure.reason}"


def _limitations(sentences: Iterable[str]) -> tuple[str, ...]:
    return tuple(_cut(sentence) for sentence in tuple(sentences)[:MAX_SUMMARY_LIMITATIONS])


def _cut(text: str) -> str:
    return shortened(text, MAX_SUMMARY_CHARACTERS)
