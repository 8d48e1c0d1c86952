"""What a report shows of comparisons, before anybody decides how it looks.

A report is made of :class:`Compared` records: a comparison and, where they are at hand, its captures. A
renderer reads the :class:`Report` that :func:`report_of` makes of them and no document. Whatever is in a
view was captured or may have been: a renderer escapes it.

Below: ``contracts``. Above: every renderer of this room, and whoever gives it documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison import (
    Alignment,
    AlignmentFailure,
    ArtifactDiff,
    ComparedArtifact,
    ComparedState,
    NormalizationRecord,
    Status,
    StepComparison,
)
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.contracts.provider import Provider

Side: TypeAlias = Literal["before", "after"]
SIDES: Final[tuple[Side, Side]] = get_args(Side)

COMPARED_ARTIFACTS: Final[tuple[ComparedArtifact, ...]] = get_args(ComparedArtifact)
"""In the order in which a report lists them."""

ArtifactStatus: TypeAlias = Literal[
    "changed",  # there is a row that says so
    "unknown",  # there is a row that says so, with a reason and a recovery
    "unchanged",  # both captures have it, and there is no row
    "not_requested",  # neither capture was asked for it
    "not_compared",  # one capture was not asked for it; another row of the step says so
    "untold",  # no row, and no captures to tell why: it is unchanged, or was not requested
]
StepStatus: TypeAlias = Literal["changed", "unknown", "unchanged", "not_aligned"]


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison to report, and its captures where they are at hand.

    That the captures are those of the comparison, by the digests in its ``parameters``, is for the caller
    to see to. ``name`` is how a reader calls the comparison: a file's name, say.
    """

    comparison: ComparisonEvidence
    before: CaptureEvidence | CaptureResult | None
    after: CaptureEvidence | CaptureResult | None
    name: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many artifacts changed or are unknown, and how many steps are of which status."""

    changed: int
    unknown: int
    steps_changed: int
    steps_unknown: int
    steps_unchanged: int
    steps_not_aligned: int

    @property
    def steps(self) -> int:
        """All steps, aligned or not."""
        return self.steps_changed + self.steps_unknown + self.steps_unchanged + self.steps_not_aligned


@dataclass(frozen=True, slots=True)
class ArtifactView:
    """One artifact of a step. ``row`` is there where it changed or is unknown.

    The states are null where there is no row and no capture to tell them.
    """

    artifact: ComparedArtifact
    status: ArtifactStatus
    before_state: ComparedState | None
    after_state: ComparedState | None
    row: ArtifactDiff | None


@dataclass(frozen=True, slots=True)
class StepView:
    """One step. A step that is not aligned is on one side, or named twice there; ``failures`` say which.

    Actions and indices are null on the side that has no such step, and where neither a row nor a capture
    tells them. ``before`` and ``after`` are the captured steps, where the captures are at hand.
    """

    step_id: str
    status: StepStatus
    before_action: str | None
    after_action: str | None
    before_step_index: int | None
    after_step_index: int | None
    artifacts: tuple[ArtifactView, ...]
    failures: tuple[AlignmentFailure, ...]
    before: Step | None
    after: Step | None


@dataclass(frozen=True, slots=True)
class CaptureView:
    """One side of a comparison: what the comparison has of it, and the capture, where it is at hand.

    ``sha256`` is the digest of the capture's result, ``evidence_id`` that of the Evidence it came in, null
    where it came without. ``evidence`` is null where only the result is at hand.
    """

    sha256: str
    evidence_id: str | None
    result: CaptureResult | None
    evidence: CaptureEvidence | None


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison with its steps in the order of the capture before.

    ``limitations`` are those of the comparison's Evidence; the captures have their own.
    """

    name: str
    evidence_id: str
    provider: Provider
    status: Status
    counts: Counts
    alignment: Alignment
    steps: tuple[StepView, ...]
    limitations: tuple[str, ...]
    normalization: NormalizationRecord
    before: CaptureView
    after: CaptureView


@dataclass(frozen=True, slots=True)
class Report:
    """Comparisons in the order they were given, and what comes out of all of them.

    ``status`` is changed if any is, else unknown if any is, else unchanged. ``counts`` are sums, and
    ``statuses`` how many comparisons are of which.
    """

    comparisons: tuple[ComparisonView, ...]
    status: Status
    statuses: Mapping[Status, int]
    counts: Counts


def report_of(compared: Iterable[Compared]) -> Report:
    """The report on ``compared``. Raises ``ValueError`` when there is none: nothing is not unchanged."""
    views = tuple(_comparison(one) for one in compared)
    if not views:
        raise ValueError("a report is about at least one comparison")
    found = Counter(view.status for view in views)
    statuses: dict[Status, int] = {name: found[name] for name in ("changed", "unknown", "unchanged")}
    return Report(
        comparisons=views,
        status=next(name for name, count in statuses.items() if count),
        statuses=statuses,
        counts=_sum(view.counts for view in views),
    )


def _sum(counts: Iterable[Counts]) -> Counts:
    rows = list(counts)
    return Counts(
        changed=sum(row.changed for row in rows),
        unknown=sum(row.unknown for row in rows),
        steps_changed=sum(row.steps_changed for row in rows),
        steps_unknown=sum(row.steps_unknown for row in rows),
        steps_unchanged=sum(row.steps_unchanged for row in rows),
        steps_not_aligned=sum(row.steps_not_aligned for row in rows),
    )


def _comparison(one: Compared) -> ComparisonView:
    evidence, result = one.comparison, one.comparison.normalized_result
    parameters = evidence.parameters
    before = _capture(one.before, parameters.before_sha256, parameters.before_evidence_id)
    after = _capture(one.after, parameters.after_sha256, parameters.after_evidence_id)
    steps = tuple(_steps(one.comparison, before.result, after.result))
    return ComparisonView(
        name=one.name,
        evidence_id=evidence.evidence_id,
        provider=evidence.provider,
        status=result.overall_status,
        counts=_counts(steps),
        alignment=result.alignment,
        steps=steps,
        limitations=evidence.limitations,
        normalization=result.normalization,
        before=before,
        after=after,
    )


def _capture(
    given: CaptureEvidence | CaptureResult | None, sha256: str, evidence_id: str | None
) -> CaptureView:
    evidence = given if isinstance(given, CaptureEvidence) else None
    result = given.normalized_result if isinstance(given, CaptureEvidence) else given
    return CaptureView(sha256=sha256, evidence_id=evidence_id, result=result, evidence=evidence)


def _counts(steps: Iterable[StepView]) -> Counts:
    of_steps: Counter[str] = Counter()
    of_artifacts: Counter[str] = Counter()
    for step in steps:
        of_steps[step.status] += 1
        of_artifacts.update(artifact.status for artifact in step.artifacts)
    return Counts(
        changed=of_artifacts["changed"],
        unknown=of_artifacts["unknown"],
        steps_changed=of_steps["changed"],
        steps_unknown=of_steps["unknown"],
        steps_unchanged=of_steps["unchanged"],
        steps_not_aligned=of_steps["not_aligned"],
    )


def _steps(
    comparison: ComparisonEvidence, before: CaptureResult | None, after: CaptureResult | None
) -> list[StepView]:
    """Aligned steps in the order of the comparison, and each other one behind the step it follows."""
    result = comparison.normalized_result
    failures: dict[str | None, list[AlignmentFailure]] = {}
    for failure in result.alignment.failures:
        failures.setdefault(failure.step_id, []).append(failure)
    events = _events_status(before, after)
    aligned = [_aligned(step, before, after, failures.get(step.step_id, ()), events) for step in result.steps]
    known = {step.step_id for step in aligned}
    lone = [
        *_lone_steps("before", before, known, failures),
        *_lone_steps("after", after, known, failures),
    ]
    lone += _unseen_steps(known | {step.step_id for step in lone}, failures)
    return sorted([*aligned, *lone], key=_places(aligned))


def _places(aligned: Iterable[StepView]) -> Callable[[StepView], tuple[float, int]]:
    """Where a step belongs: by its index before; one that is only after, behind the one it follows."""
    pairs = sorted((step.after_step_index or 0, step.before_step_index or 0) for step in aligned)

    def place(step: StepView) -> tuple[float, int]:
        if step.before_step_index is not None:
            return step.before_step_index, -1
        if step.after_step_index is None:
            return float("inf"), 0
        follows = [before for after, before in pairs if after < step.after_step_index]
        return (follows[-1] if follows else -1), step.after_step_index

    return place


def _aligned(
    step: StepComparison,
    before: CaptureResult | None,
    after: CaptureResult | None,
    failures: Iterable[AlignmentFailure],
    events: ArtifactStatus,
) -> StepView:
    one = _step_at(before, step.before_step_index)
    other = _step_at(after, step.after_step_index)
    rows = {row.artifact: row for row in step.artifact_diffs}
    return StepView(
        step_id=step.step_id,
        status=step.status,
        before_action=step.before_action,
        after_action=step.after_action,
        before_step_index=step.before_step_index,
        after_step_index=step.after_step_index,
        artifacts=tuple(_artifact(name, rows.get(name), one, other, events) for name in COMPARED_ARTIFACTS),
        failures=tuple(failures),
        before=one,
        after=other,
    )


def _step_at(capture: CaptureResult | None, index: int) -> Step | None:
    return capture.steps[index] if capture is not None and index < len(capture.steps) else None


def _artifact(
    name: ComparedArtifact,
    row: ArtifactDiff | None,
    before: Step | None,
    after: Step | None,
    events: ArtifactStatus,
) -> ArtifactView:
    if row is not None:
        return ArtifactView(name, row.status, row.before_state, row.after_state, row)
    if before is None or after is None:
        return ArtifactView(name, "untold", None, None, None)
    if name == "events":
        return ArtifactView(name, events, None, None, None)
    if name == "action_state":
        return ArtifactView(name, "unchanged", "captured", "captured", None)
    one: ComparedState = getattr(before.artifacts, name).state
    other: ComparedState = getattr(after.artifacts, name).state
    return ArtifactView(name, _status_without_row(one, other), one, other, None)


def _status_without_row(before: ComparedState, after: ComparedState) -> ArtifactStatus:
    if before == after == "captured":
        return "unchanged"
    return "not_requested" if before == after == "not_requested" else "not_compared"


def _events_status(before: CaptureResult | None, after: CaptureResult | None) -> ArtifactStatus:
    """What it means for a step of these captures to have no row of events."""
    if before is None or after is None:
        return "untold"
    one, other = before.scenario, after.scenario
    if (one.event_families, one.network_content) != (other.event_families, other.network_content):
        return "not_compared"
    return "unchanged" if one.event_families else "not_requested"


def _lone_steps(
    side: Side,
    capture: CaptureResult | None,
    aligned: set[str],
    failures: Mapping[str | None, list[AlignmentFailure]],
) -> Iterator[StepView]:
    """Steps of one capture that were compared with none."""
    for step in () if capture is None else capture.steps:
        if step.step_id not in aligned:
            yield _lone(step.step_id, failures, **{side: step})


def _unseen_steps(
    shown: set[str], failures: Mapping[str | None, list[AlignmentFailure]]
) -> Iterator[StepView]:
    """Steps that were compared with none, and of which no capture is at hand."""
    for step_id in failures:
        if step_id is not None and step_id not in shown:
            yield _lone(step_id, failures)


def _lone(
    step_id: str,
    failures: Mapping[str | None, list[AlignmentFailure]],
    before: Step | None = None,
    after: Step | None = None,
) -> StepView:
    return StepView(
        step_id=step_id,
        status="not_aligned",
        before_action=None if before is None else before.action,
        after_action=None if after is None else after.action,
        before_step_index=None if before is None else before.step_index,
        after_step_index=None if after is None else after.step_index,
        artifacts=(),
        failures=tuple(failures.get(step_id, ())),
        before=before,
        after=after,
    )
