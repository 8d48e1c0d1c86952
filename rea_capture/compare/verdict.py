"""The comparison, step by step, and its verdict.

    1. Align the steps.
    2. Compare what each aligned step holds: action, artifacts, events. Limitations that only one of two
       complete captures states leave open, at the last aligned step, what the actions led to: they name
       no step.
    3. A step is changed if a row is, else unknown if a row is, else unchanged.
    4. The whole is changed if a step is; else unknown if a step is unknown, a capture is not eligible
       for equality or contradicts itself, or the alignment is not whole; else unchanged.

Below: the rest of the room. Above: ``workflows``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rea_capture.compare.align import AlignedCaptures, align
from rea_capture.compare.doubts import Doubt, Side
from rea_capture.compare.event_rows import event_rows, obstacles
from rea_capture.compare.limitations import limitations
from rea_capture.compare.prepare import prepare
from rea_capture.compare.prepared import PreparedCapture, PreparedStep
from rea_capture.compare.rows import action_rows, artifact_rows
from rea_capture.compare.rules import normalization_record
from rea_capture.compare.stated import stated_by_one
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import (
    ArtifactDiff,
    ComparisonResult,
    DiffTotals,
    Status,
    StepComparison,
    worst,
)
from rea_capture.errors import DefectError

if TYPE_CHECKING:
    from rea_capture.contracts.normalization import Normalization


def compare_captures(
    before: CaptureResult, after: CaptureResult, normalization: Normalization | None = None
) -> ComparisonResult:
    """Compare two captures that are both in memory; without ``normalization`` there are no caller rules."""
    rules = normalization.rules if normalization is not None else ()
    return compare_prepared(prepare(before, rules), prepare(after, rules), normalization)


def compare_prepared(
    before: PreparedCapture, after: PreparedCapture, normalization: Normalization | None = None
) -> ComparisonResult:
    """Compare two prepared captures.

    Raises :class:`DefectError` when one was prepared with other rules than ``normalization`` names:
    its digests would commit to a policy that the result does not state.
    """
    record = normalization_record(normalization)
    if before.rules != record.rules or after.rules != record.rules:
        raise DefectError("a capture was prepared with other rules than those of the comparison")
    aligned = align(before, after)
    everywhere = obstacles(before, after)
    steps = _compared_steps(aligned.pairs, everywhere, _interrupted(before, after), _besides(before, after))
    return ComparisonResult(
        alignment=aligned.record,
        artifact_diffs=DiffTotals(total=sum(len(step.artifact_diffs) for step in steps)),
        comparison_kind="browser_scenario",
        limitations=limitations(before, after, aligned.pairs, everywhere),
        normalization=record,
        overall_status=_overall(before, after, aligned, steps),
        steps=steps,
    )


def _interrupted(before: PreparedCapture, after: PreparedCapture) -> tuple[Side, ...]:
    sides: tuple[tuple[Side, PreparedCapture], ...] = (("before", before), ("after", after))
    return tuple(side for side, capture in sides if any(step.status != "completed" for step in capture.steps))


def _besides(before: PreparedCapture, after: PreparedCapture) -> tuple[Doubt, ...]:
    """What is in doubt although every step looks alike; incomplete captures have said why already."""
    doubt = stated_by_one(before, after) if before.eligible and after.eligible else None
    return (doubt,) if doubt else ()


def _compared_steps(
    pairs: Sequence[tuple[PreparedStep, PreparedStep]],
    everywhere: Sequence[Doubt],
    interrupted: Sequence[Side],
    besides: Sequence[Doubt],
) -> tuple[StepComparison, ...]:
    last = len(pairs) - 1
    return tuple(
        _compared_step(
            one,
            other,
            (
                *action_rows(one, other, besides if position == last else ()),
                *artifact_rows(one, other, interrupted),
                *event_rows(one, other, everywhere),
            ),
        )
        for position, (one, other) in enumerate(pairs)
    )


def _compared_step(
    before: PreparedStep, after: PreparedStep, rows: tuple[ArtifactDiff, ...]
) -> StepComparison:
    return StepComparison(
        after_action=after.action,
        after_step_index=after.step_index,
        artifact_diffs=rows,
        before_action=before.action,
        before_step_index=before.step_index,
        status=worst(row.status for row in rows),
        step_id=before.step_id,
    )


def _overall(
    before: PreparedCapture,
    after: PreparedCapture,
    aligned: AlignedCaptures,
    steps: Sequence[StepComparison],
) -> Status:
    status = worst(step.status for step in steps)
    sound = not (before.contradictions or after.contradictions)
    whole = before.eligible and after.eligible and sound and aligned.record.status == "aligned"
    return "unknown" if status == "unchanged" and not whole else status
