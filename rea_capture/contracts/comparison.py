"""The comparison: the ``normalized_result`` of its Evidence.

Below: ``base``, ``explanation``, ``canonical``. Above: ``normalization``, ``evidence``, ``compare``, doors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, get_args

from rea_capture.canonical import value_sha256
from rea_capture.contracts.base import SafeInteger, Sha256Hex, record, record_with_absent_fields
from rea_capture.contracts.explanation import Explanation

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


@record
class RecordedRule:
    """A caller rule as the result repeats it; artifacts sorted and unique."""

    artifacts: tuple[RuleArtifact, ...]
    match: str
    replacement: str
    rule_id: str


@record
class NormalizationRecord:
    """Everything that was done to both sides before comparing, and the digest that commits to it.

    ``sha256`` is that of the RFC 8785 form of ``{built_in_rules, rules}``: built-in rules in the
    order the wire format lists them, caller rules in ascending order of ``rule_id``, the artifacts of
    each sorted and unique.
    """

    built_in_rules: tuple[str, ...]
    rules: tuple[RecordedRule, ...]
    sha256: Sha256Hex

    def __post_init__(self) -> None:
        if self.sha256 != _commitment(self.built_in_rules, self.rules):
            raise ValueError("sha256 is not the digest of built_in_rules and rules")

    @classmethod
    def of(cls, rules: tuple[RecordedRule, ...]) -> NormalizationRecord:
        """The record of the built-in rules and of ``rules``, in the order and form they are recorded."""
        sha256 = _commitment(BUILT_IN_RULES, rules)
        return cls(built_in_rules=BUILT_IN_RULES, rules=rules, sha256=sha256)


def _commitment(built_in_rules: Sequence[str], rules: Iterable[RecordedRule]) -> str:
    plain = [
        {
            "artifacts": list(rule.artifacts),
            "match": rule.match,
            "replacement": rule.replacement,
            "rule_id": rule.rule_id,
        }
        for rule in rules
    ]
    return value_sha256({"built_in_rules": list(built_in_rules), "rules": plain})


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

    def __post_init__(self) -> None:
        if self.status != alignment_status(self.aligned_steps, self.failures):
            raise ValueError("status is not the one that aligned_steps and failures give")
        for code, only in (("missing_before_step", "after_only"), ("missing_after_step", "before_only")):
            reported = {failure.step_id for failure in self.failures if failure.code == code}
            if reported != set(getattr(self, only)):
                raise ValueError(f"{only} does not name the steps that failures report as {code}")


def alignment_status(
    aligned_steps: int, failures: Sequence[AlignmentFailure]
) -> Literal["aligned", "partial", "failed"]:
    """The status of an alignment; without an aligned step there is nothing that agrees."""
    return "failed" if not aligned_steps else "partial" if failures else "aligned"


EXPLANATION_KINDS: Final[Mapping[ComparedArtifact, str]] = {
    "accessibility": "text",
    "action_state": "values",
    "dom": "text",
    "events": "events",
    "history": "values",
    "screenshot": "pixels",
    "storage": "values",
    "url": "values",
}
"""The kind of the explanation of each artifact, where there is one."""


@record_with_absent_fields("explanation")
class ArtifactDiff:
    """One artifact that changed, or about which nothing can be said; ``recovery`` says what to do.

    ``explanation`` is what the change looks like. It was made after ``status`` and is absent where nobody
    asked for it.
    """

    after_sha256: Sha256Hex | None
    after_state: ComparedState
    artifact: ComparedArtifact
    before_sha256: Sha256Hex | None
    before_state: ComparedState
    explanation: Explanation | None = None
    reason: str | None
    recovery: str | None
    status: Literal["changed", "unknown"]

    def __post_init__(self) -> None:
        if self.explanation is None:
            return
        if self.status != "changed":
            raise ValueError("explanation is for what changed")
        if self.explanation.kind not in {EXPLANATION_KINDS[self.artifact], "none"}:
            raise ValueError(f"explanation of kind {self.explanation.kind!r} is not for {self.artifact}")


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

    def __post_init__(self) -> None:
        if self.status != worst(row.status for row in self.artifact_diffs):
            raise ValueError("status is not the one that artifact_diffs give")


def worst(statuses: Iterable[Status]) -> Status:
    """Changed if any of ``statuses`` is, else unknown if any is, else unchanged."""
    found = set(statuses)
    return "changed" if "changed" in found else "unknown" if "unknown" in found else "unchanged"


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
        if self.alignment.aligned_steps != len(self.steps):
            raise ValueError("alignment.aligned_steps is not the number of steps")
        found = worst(step.status for step in self.steps)
        if found == "unchanged" and self.alignment.status != "aligned":
            found = "unknown"
        # That a capture was not eligible for equality is not in the result: unknown may have that reason.
        if self.overall_status not in {found, "unknown" if found == "unchanged" else found}:
            raise ValueError("overall_status is not the one that steps and alignment give")
