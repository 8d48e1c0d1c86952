"""The comparison: caller rules in, ``normalized_result`` of a comparison's Evidence out.

Below: ``base``, ``rules``. Above: ``evidence``, ``compare``, the doors.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field, model_validator

from rea_capture.contracts.base import InputModel, SafeInteger, Sha256Hex, record
from rea_capture.contracts.rules import RuleViolations, rule_set_faults
from rea_capture.limits import MAX_RULE_STRING_CHARACTERS, MAX_RULES

RuleArtifact = Literal["action_state", "dom", "accessibility", "url", "history", "storage", "events"]
ComparedArtifact = Literal[
    "action_state", "screenshot", "dom", "accessibility", "url", "history", "storage", "events"
]
Status = Literal["changed", "unchanged", "unknown"]
ComparedState = Literal["captured", "not_requested", "missing", "truncated"]

BuiltInRule = Literal[
    "ignore_step_elapsed_ms",
    "ignore_event_sequence",
    "ignore_event_step_index",
    "compare_screenshot_content_digest",
    "compare_normalized_text_content",
    "ignore_network_transaction_ids",
    "attribute_network_to_requesting_step",
    "compare_network_transactions_unordered",
    "preserve_redirect_transaction_ancestry",
]
BUILT_IN_RULES: Final[tuple[BuiltInRule, ...]] = get_args(BuiltInRule)

_RuleText = Annotated[str, Field(max_length=MAX_RULE_STRING_CHARACTERS)]
_NonEmptyRuleText = Annotated[str, Field(min_length=1, max_length=MAX_RULE_STRING_CHARACTERS)]


class Rule(InputModel):
    """Replace one exact literal in the named artifacts of both sides before they are compared."""

    rule_id: _NonEmptyRuleText
    artifacts: Annotated[tuple[RuleArtifact, ...], Field(min_length=1)]
    match: _NonEmptyRuleText
    replacement: _RuleText


class Normalization(InputModel):
    """Caller rules, applied in the order of their ids whatever order they come in."""

    rules: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES)] = ()

    @model_validator(mode="after")
    def _unique_ids(self) -> Normalization:
        faults = rule_set_faults(self.model_dump(mode="json"))
        if faults:
            raise RuleViolations(faults).as_pydantic()
        return self


@record
class RecordedRule:
    """A caller rule as the result repeats it; artifacts sorted and unique."""

    artifacts: tuple[RuleArtifact, ...]
    match: str
    replacement: str
    rule_id: str


@record
class NormalizationRecord:
    """Everything that was done to both sides before comparing, and the digest that commits to it."""

    built_in_rules: tuple[str, ...]
    rules: tuple[RecordedRule, ...]
    sha256: Sha256Hex


FailureCode = Literal[
    "duplicate_before_step_id",
    "duplicate_after_step_id",
    "missing_before_step",
    "missing_after_step",
    "action_mismatch",
    "capture_context_mismatch",
]


@record
class AlignmentFailure:
    """Why the two captures, or one step of them, do not line up."""

    code: FailureCode
    reason: str
    step_id: str | None


@record
class Alignment:
    """How the steps of the two captures line up by ``step_id``."""

    after_only: tuple[str, ...]
    aligned_steps: SafeInteger
    before_only: tuple[str, ...]
    failures: tuple[AlignmentFailure, ...]
    status: Literal["aligned", "partial", "failed"]


@record
class ArtifactDiff:
    """One artifact that changed, or about which nothing can be said; ``recovery`` says what to do."""

    after_sha256: Sha256Hex | None
    after_state: ComparedState
    artifact: ComparedArtifact
    before_sha256: Sha256Hex | None
    before_state: ComparedState
    reason: str | None
    recovery: str | None
    status: Literal["changed", "unknown"]


@record
class StepComparison:
    """One aligned step; unchanged artifacts have no row."""

    after_action: str
    after_step_index: SafeInteger
    artifact_diffs: tuple[ArtifactDiff, ...]
    before_action: str
    before_step_index: SafeInteger
    status: Status
    step_id: str


@record
class DiffTotals:
    """How many artifact rows there are over all steps."""

    total: SafeInteger


@record
class ComparisonResult:
    """A whole comparison."""

    alignment: Alignment
    artifact_diffs: DiffTotals
    comparison_kind: Literal["browser_scenario"]
    limitations: tuple[str, ...]
    normalization: NormalizationRecord
    overall_status: Status
    steps: tuple[StepComparison, ...]

    def __post_init__(self) -> None:
        if self.artifact_diffs.total != sum(len(step.artifact_diffs) for step in self.steps):
            raise ValueError("artifact_diffs.total is not the number of rows")
