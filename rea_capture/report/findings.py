"""What a comparison found, one after the other: the same in every form of a report.

A finding is a changed or unknown row, a failure of the alignment, or that nothing can be said and no row says
why. So each comparison that is not ``unchanged`` has one at least.

Below: ``view``. Above: the renderers of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from rea_capture.contracts.comparison import AlignmentFailure, ArtifactDiff, FailureCode
from rea_capture.contracts.explanation import AnyExplanation
from rea_capture.report.view import ComparisonView

_SAME_SCENARIO: Final = "Capture both sides with the same scenario, then compare again."
_ONE_ID_EACH: Final = "Give each step of the scenario a step_id of its own, capture again and compare."

_RECOVERIES: Final[Mapping[FailureCode, str]] = {
    "duplicate_before_step_id": _ONE_ID_EACH,
    "duplicate_after_step_id": _ONE_ID_EACH,
    "missing_before_step": _SAME_SCENARIO,
    "missing_after_step": _SAME_SCENARIO,
    "action_mismatch": _SAME_SCENARIO,
    "capture_context_mismatch": (
        "Capture both sides with the same browser, environment and origin, then compare again."
    ),
}
"""A failure of the alignment has a reason and no recovery of its own."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that changed or is unknown.

    ``subject`` is an artifact, the code of a failure, or ``verdict``; ``step_id`` null where it is about no
    step. ``reason`` is a sentence and may quote a page; ``recovery`` is there where it is unknown.
    """

    status: Literal["changed", "unknown"]
    step_id: str | None
    subject: str
    reason: str
    recovery: str | None
    explanation: AnyExplanation | None


def findings(view: ComparisonView) -> tuple[Finding, ...]:
    """Those of ``view``: of the alignment, then those of each step in its order."""
    found = (*map(_of_failure, view.alignment.failures), *_of_rows(view))
    if view.status == "unknown" and not found:
        return (_NOTHING_SAID,)
    return found


def _of_failure(failure: AlignmentFailure) -> Finding:
    return Finding(
        status="unknown",
        step_id=failure.step_id,
        subject=failure.code,
        reason=failure.reason,
        recovery=_RECOVERIES[failure.code],
        explanation=None,
    )


def _of_rows(view: ComparisonView) -> Iterator[Finding]:
    for step in view.steps:
        for artifact in step.artifacts:
            if artifact.row is not None:
                yield finding_of_row(step.step_id, artifact.row)


def finding_of_row(step_id: str, row: ArtifactDiff) -> Finding:
    """What ``row`` of the step ``step_id`` says."""
    return Finding(
        status=row.status,
        step_id=step_id,
        subject=row.artifact,
        reason=_reason(row),
        recovery=row.recovery,
        explanation=row.explanation,
    )


def _reason(row: ArtifactDiff) -> str:
    if row.explanation is not None:
        return row.explanation.summary
    if row.reason is not None:
        return row.reason
    return f"It differs (sha256 {row.before_sha256} before, {row.after_sha256} after)."


_NOTHING_SAID: Final = Finding(
    status="unknown",
    step_id=None,
    subject="verdict",
    reason="No difference was found, and the captures do not show that there is none.",
    recovery="Do what the limitations name, capture both sides whole, then compare again.",
    explanation=None,
)
