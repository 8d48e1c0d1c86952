"""Comparisons made by hand, for tests of what is made of them.

Below: the contracts, the evidence room, the view. Above: the tests of the report room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison import (
    Alignment,
    AlignmentFailure,
    ArtifactDiff,
    ComparedArtifact,
    ComparisonResult,
    DiffTotals,
    FailureCode,
    NormalizationRecord,
    Status,
    StepComparison,
    alignment_status,
    worst,
)
from rea_capture.contracts.comparison_evidence import ComparisonEvidence, ComparisonParameters
from rea_capture.contracts.explanation import (
    AnyExplanation,
    DiffLine,
    ElementChange,
    ElementChanges,
    EventsExplanation,
    FamilyDiff,
    FieldChange,
    Hunk,
    NetworkChanges,
    PixelExplanation,
    PixelTolerance,
    Region,
    Size,
    TextDiff,
    TextExplanation,
    TransactionChange,
    ValueChange,
    ValueExplanation,
    VerticalShift,
)
from rea_capture.evidence import seal_comparison
from rea_capture.report.view import Compared, Report, report_of

BEFORE_SHA256 = "b" * 64
AFTER_SHA256 = "a" * 64


_CHANGES: Final[Mapping[str, Literal["context", "removed", "added"]]] = {
    " ": "context",
    "-": "removed",
    "+": "added",
}


def text_diff(*lines: tuple[str, str], omitted_lines: int = 0) -> TextDiff:
    """A difference of one hunk; each of ``lines`` is a sign (space, minus or plus) and the text."""
    diff_lines = tuple(
        DiffLine(change=_CHANGES[sign], omitted_characters=0, text=text) for sign, text in lines
    )
    removed = sum(sign == "-" for sign, _ in lines)
    added = sum(sign == "+" for sign, _ in lines)
    hunk = Hunk(
        after_count=len(lines) - removed,
        after_start=0,
        before_count=len(lines) - added,
        before_start=0,
        lines=diff_lines,
    )
    return TextDiff(
        added_lines=added,
        hunks=(hunk,) if lines else (),
        omitted_hunks=0,
        omitted_lines=omitted_lines,
        removed_lines=removed,
    )


def text_explanation(
    before: str = "Total 24.90\n", after: str = "Total 249.00\n", summary: str = "A line differs."
) -> TextExplanation:
    """``before`` became ``after``, as one line and as the text of one element."""
    change = ElementChange(
        after=after,
        after_path="main > p",
        before=before,
        before_path="main > p",
        change="text",
        name=None,
    )
    return TextExplanation(
        diff=text_diff((" ", before), ("-", before), ("+", after)),
        elements=ElementChanges(
            added=0, attributes=0, items=(change,), matched=True, moved=0, omitted=0, removed=0, texts=1
        ),
        split="lines",
        summary=summary,
    )


def pixel_explanation(summary: str = "Pixels differ.") -> PixelExplanation:
    """A small box differs, and content below it moved."""
    return PixelExplanation(
        after=Size(height=720, width=1280),
        before=Size(height=720, width=1280),
        changed_parts_per_million=10,
        changed_pixels=9,
        compared_pixels=921_600,
        joined_regions=0,
        regions=(Region(changed_pixels=9, height=3, width=3, x=4, y=5),),
        shift=VerticalShift(direction="down", from_y=8, pixels=2),
        summary=summary,
        tolerance=PixelTolerance(
            antialiased_pixels=7, below_threshold_pixels=6, method="pixelmatch", threshold_percent=10
        ),
    )


def value_explanation(
    words: str = "The path changed.", summary: str = "A value differs."
) -> ValueExplanation:
    """One value changed."""
    change = ValueChange(after='"/b"', before='"/a"', change="changed", path="/url", words=words)
    return ValueExplanation(changes=(change,), omitted=0, summary=summary)


def events_explanation(
    words: str = "GET /cart answered 500, not 200.",
    line: str = "console log: ready",
    summary: str = "Events.",
) -> EventsExplanation:
    """One transaction changed, and one line of the console is new."""
    change = TransactionChange(
        after_id=1,
        after_status=500,
        after_url=f"http://shop.test/{words}",
        before_id=1,
        before_status=200,
        before_url="http://shop.test/cart",
        change="changed",
        fields=(FieldChange(after="500", before="200", event="response", field="status"),),
        method="GET",
        omitted_fields=0,
        redirected_from=(),
        words=words,
    )
    network = NetworkChanges(added=0, changed=1, items=(change,), omitted=0, removed=0, reordered=1)
    family = FamilyDiff(diff=text_diff(("+", line)), family="console")
    return EventsExplanation(families=(family,), interleaved=False, network=network, summary=summary)


def changed(artifact: ComparedArtifact = "dom", explanation: AnyExplanation | None = None) -> ArtifactDiff:
    """A row that says changed."""
    return ArtifactDiff(
        after_sha256=AFTER_SHA256,
        after_state="captured",
        artifact=artifact,
        before_sha256=BEFORE_SHA256,
        before_state="captured",
        explanation=explanation,
        reason=None,
        recovery=None,
        status="changed",
    )


def unknown(
    artifact: ComparedArtifact = "screenshot",
    reason: str = "The picture is missing after.",
    recovery: str = "Capture again.",
) -> ArtifactDiff:
    """A row that says unknown."""
    return ArtifactDiff(
        after_sha256=None,
        after_state="missing",
        artifact=artifact,
        before_sha256=BEFORE_SHA256,
        before_state="captured",
        reason=reason,
        recovery=recovery,
        status="unknown",
    )


def step(step_id: str = "cart", *rows: ArtifactDiff, index: int = 0) -> StepComparison:
    """An aligned step with ``rows``."""
    return StepComparison(
        after_action="click",
        after_step_index=index,
        artifact_diffs=rows,
        before_action="click",
        before_step_index=index,
        status=worst(row.status for row in rows),
        step_id=step_id,
    )


def failure(
    code: FailureCode = "missing_after_step",
    step_id: str | None = "gone",
    reason: str = "Only one side has the step.",
) -> AlignmentFailure:
    """A failure of the alignment."""
    return AlignmentFailure(code=code, reason=reason, step_id=step_id)


def comparison(
    *steps: StepComparison,
    failures: Sequence[AlignmentFailure] = (),
    limitations: Iterable[str] = (),
    status: Status | None = None,
    before_sha256: str = BEFORE_SHA256,
    after_sha256: str = AFTER_SHA256,
) -> ComparisonEvidence:
    """Evidence of a comparison with ``steps``; ``status`` is the verdict where they do not give it."""
    found = worst(each.status for each in steps)
    if found == "unchanged" and (failures or not steps):
        found = "unknown"
    result = ComparisonResult(
        alignment=Alignment(
            after_only=tuple(str(each.step_id) for each in failures if each.code == "missing_before_step"),
            aligned_steps=len(steps),
            before_only=tuple(str(each.step_id) for each in failures if each.code == "missing_after_step"),
            failures=tuple(failures),
            status=alignment_status(len(steps), failures),
        ),
        artifact_diffs=DiffTotals(total=sum(len(each.artifact_diffs) for each in steps)),
        comparison_kind="browser_scenario",
        limitations=tuple(limitations),
        normalization=NormalizationRecord.of(()),
        overall_status=status or found,
        steps=steps,
    )
    return seal_comparison(
        result,
        ComparisonParameters(
            after_evidence_id=None,
            after_sha256=after_sha256,
            before_evidence_id=None,
            before_sha256=before_sha256,
            normalization_sha256=result.normalization.sha256,
        ),
    )


def compared(
    evidence: ComparisonEvidence,
    name: str = "shop.json",
    before: CaptureEvidence | CaptureResult | None = None,
    after: CaptureEvidence | CaptureResult | None = None,
) -> Compared:
    """``evidence`` to report."""
    return Compared(comparison=evidence, before=before, after=after, name=name)


def report(*evidence: ComparisonEvidence, names: Sequence[str] = ()) -> Report:
    """The report on ``evidence``, called ``names`` or by number, without captures."""
    called = names or [f"comparison-{number}.json" for number in range(len(evidence))]
    return report_of(compared(each, name) for each, name in zip(evidence, called, strict=True))


def everything_in(text: str) -> ComparisonEvidence:
    """A comparison that says ``text`` wherever one may say what was captured."""
    steps = (
        step(
            text,
            changed("dom", text_explanation(f"{text}\n", f"new {text}", summary=text)),
            changed("events", events_explanation(words=text, line=text, summary=text)),
            changed("screenshot", pixel_explanation(summary=text)),
            changed("url", value_explanation(words=text, summary=text)),
            unknown("history", reason=text, recovery=text),
        ),
    )
    return comparison(
        *steps,
        failures=[
            failure(step_id=f"{text} gone", reason=text),
            failure("capture_context_mismatch", None, text),
        ],
        limitations=[text, f"The page says: {text}"],
    )
