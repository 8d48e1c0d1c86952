"""Which step of one capture answers to which of the other, and what prevents it.

    1. The contexts of the two captures agree, part by part.
    2. A step id that appears twice on a side is nobody's counterpart.
    3. A step id that only one side has is reported as missing on the other.
    4. What remains is aligned, in the order of the before side; an action of another kind is reported.

Below: ``prepared``, ``doubts``. Above: ``verdict``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rea_capture.compare.doubts import bounded
from rea_capture.compare.prepared import PreparedCapture, PreparedStep
from rea_capture.contracts.comparison import Alignment, AlignmentFailure, FailureCode, alignment_status

_MAX_VALUE_CHARACTERS: Final = 200
"""A context value is a word or an origin; whatever is longer need not be read whole in a reason."""


@dataclass(frozen=True, slots=True)
class AlignedCaptures:
    """The pairs of aligned steps and the record of how they were found."""

    pairs: tuple[tuple[PreparedStep, PreparedStep], ...]
    record: Alignment


def align(before: PreparedCapture, after: PreparedCapture) -> AlignedCaptures:
    """Align two captures by exact, unique step id."""
    before_counts = Counter(step.step_id for step in before.steps)
    after_counts = Counter(step.step_id for step in after.steps)
    before_only = tuple(step_id for step_id in before_counts if step_id not in after_counts)
    after_only = tuple(step_id for step_id in after_counts if step_id not in before_counts)
    counterparts = {step.step_id: step for step in after.steps if after_counts[step.step_id] == 1}
    pairs = tuple(
        (step, counterparts[step.step_id])
        for step in before.steps
        if before_counts[step.step_id] == 1 and step.step_id in counterparts
    )
    failures = (
        *_context_failures(before.context, after.context),
        *_duplicates("duplicate_before_step_id", "before", before_counts),
        *_duplicates("duplicate_after_step_id", "after", after_counts),
        *_missing("missing_before_step", "before", "after", after_only),
        *_missing("missing_after_step", "after", "before", before_only),
        *_action_failures(pairs),
    )
    record = Alignment(
        after_only=after_only,
        aligned_steps=len(pairs),
        before_only=before_only,
        failures=failures,
        status=alignment_status(len(pairs), failures),
    )
    return AlignedCaptures(pairs, record)


def _context_failures(
    before: Mapping[str, str | int | float], after: Mapping[str, str | int | float]
) -> Iterable[AlignmentFailure]:
    differing = [
        f"{part} is {_shown(before[part])} before and {_shown(after[part])} after"
        for part in before
        if before[part] != after[part]
    ]
    if differing:
        yield AlignmentFailure(
            code="capture_context_mismatch",
            reason=(
                f"The captures were made in different contexts: {'; '.join(differing)}. Capture both sides "
                "with the same browser, start origin and environment."
            ),
            step_id=None,
        )


def _shown(value: str | float) -> str:
    return bounded(json.dumps(value, ensure_ascii=False), _MAX_VALUE_CHARACTERS)


def _duplicates(code: FailureCode, side: str, counts: Mapping[str, int]) -> Iterable[AlignmentFailure]:
    for step_id, count in counts.items():
        if count > 1:
            yield AlignmentFailure(
                code=code,
                reason=(
                    f"The {side} capture has {count} steps with this step_id, so none of them is compared. "
                    "Give each step a step_id of its own."
                ),
                step_id=step_id,
            )


def _missing(code: FailureCode, side: str, other: str, step_ids: Iterable[str]) -> Iterable[AlignmentFailure]:
    for step_id in step_ids:
        yield AlignmentFailure(
            code=code,
            reason=(
                f"The {side} capture has no step with this step_id, only the {other} capture has. Capture "
                "both sides with the same actions to compare it."
            ),
            step_id=step_id,
        )


def _action_failures(pairs: Iterable[tuple[PreparedStep, PreparedStep]]) -> Iterable[AlignmentFailure]:
    for before, after in pairs:
        if before.action != after.action:
            yield AlignmentFailure(
                code="action_mismatch",
                reason=(
                    f"The step's action is {before.action} before and {after.action} after. Give both "
                    "scenarios the same action under this step_id."
                ),
                step_id=before.step_id,
            )
