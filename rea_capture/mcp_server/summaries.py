"""Results in brief, for answers that do not hold the whole document.

Below: the contracts, ``workflows.telling``. Above: ``answers``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.comparison import (
    AlignmentFailure,
    ArtifactDiff,
    ComparisonResult,
    StepComparison,
)
from rea_capture.contracts.selection import ARTIFACT_NAMES
from rea_capture.mcp_server.limits import (
    MAX_SUMMARY_ARTIFACTS,
    MAX_SUMMARY_CHARACTERS,
    MAX_SUMMARY_FAILURES,
    MAX_SUMMARY_LIMITATIONS,
    MAX_SUMMARY_STEPS,
)
from rea_capture.mcp_server.messages import (
    CaptureSummary,
    ComparedArtifactSummary,
    ComparedStepSummary,
    ComparisonSummary,
    StepSummary,
)
from rea_capture.wording import shortened
from rea_capture.workflows.telling import telling_rank

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
    """``result`` in brief: the steps that are not unchanged, with the most telling of their rows."""
    differing = sum(step.status != "unchanged" for step in result.steps)
    steps = _compared_steps(result.steps)
    failures = result.alignment.failures
    return ComparisonSummary(
        alignment=result.alignment.status,
        alignment_failures=tuple(_cut(_failure(failure)) for failure in failures[:MAX_SUMMARY_FAILURES]),
        alignment_failures_omitted=max(0, len(failures) - MAX_SUMMARY_FAILURES),
        limitations=_limitations(result.limitations),
        limitations_omitted=max(0, len(result.limitations) - MAX_SUMMARY_LIMITATIONS),
        overall_status=result.overall_status,
        steps=tuple(steps),
        steps_by_status=dict(Counter(step.status for step in result.steps)),
        steps_omitted=differing - len(steps),
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


def _compared_steps(steps: Sequence[StepComparison]) -> list[ComparedStepSummary]:
    """The steps with a row that is chosen, in their order, those that changed before the others."""
    chosen = _chosen_rows(steps)
    shown = [
        ComparedStepSummary(
            artifacts=tuple(_compared(steps[index].artifact_diffs[row], index, row) for row in rows),
            artifacts_omitted=len(steps[index].artifact_diffs) - len(rows),
            status=steps[index].status,
            step_id=steps[index].step_id,
        )
        for index, rows in sorted(chosen.items())
    ]
    return sorted(shown, key=lambda step: step.status != "changed")


def _chosen_rows(steps: Sequence[StepComparison]) -> dict[int, list[int]]:
    """For the place of each step that is listed, those of its rows, the most telling first.

    What changed comes before what is unknown; then the first of each artifact before the second of any: one
    change of a page shows in the same artifact of every step that follows.
    """
    seen: Counter[tuple[str, str]] = Counter()
    ranked = []
    for index, step in enumerate(steps):
        for row, diff in enumerate(step.artifact_diffs):
            kind = (diff.status, diff.artifact)
            unknown, place = telling_rank(diff)
            ranked.append((unknown, seen[kind], place, index, row))
            seen[kind] += 1
    chosen: dict[int, list[tuple[bool, int, int]]] = {}
    for unknown, _, place, index, row in sorted(ranked)[:MAX_SUMMARY_ARTIFACTS]:
        chosen.setdefault(index, []).append((unknown, place, row))
    return {index: [row for *_, row in sorted(rows)] for index, rows in chosen.items()}


def _compared(diff: ArtifactDiff, step: int, row: int) -> ComparedArtifactSummary:
    return ComparedArtifactSummary(
        artifact=diff.artifact,
        pointer=f"/normalized_result/steps/{step}/artifact_diffs/{row}",
        reason=None if diff.reason is None else _cut(diff.reason),
        recovery=None if diff.recovery is None else _cut(diff.recovery),
        status=diff.status,
        summary=None if diff.explanation is None else _cut(diff.explanation.summary),
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
