"""A comparison in brief says what changed, the most telling first, and counts whatever it leaves out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict

from rea_capture.contracts.comparison import ComparedArtifact, ComparisonResult
from rea_capture.mcp_server.limits import (
    DEFAULT_INLINE_BYTES,
    MAX_SUMMARY_ARTIFACTS,
    MAX_SUMMARY_CHARACTERS,
    MAX_SUMMARY_FAILURES,
    MAX_SUMMARY_LIMITATIONS,
)
from rea_capture.mcp_server.messages import ComparisonSummary
from rea_capture.mcp_server.paging import part_of
from rea_capture.mcp_server.summaries import comparison_summary
from tests.evidence.sealed import plain
from tests.report.reported import (
    changed,
    comparison,
    failure,
    pixel_explanation,
    step,
    text_explanation,
    unknown,
    value_explanation,
)

MANY: tuple[ComparedArtifact, ...] = ("accessibility", "dom", "events", "history", "screenshot", "url")


def listed(summary: ComparisonSummary) -> list[tuple[str, str, str | None]]:
    """Step, artifact and sentence of each row, in the order of the summary."""
    return [(each.step_id, row.artifact, row.summary) for each in summary.steps for row in each.artifacts]


def test_each_change_has_its_sentence_and_the_most_telling_comes_first() -> None:
    evidence = comparison(
        step("first", unknown("events"), index=0),
        step("same", index=1),
        step(
            "second",
            unknown("action_state", reason="why", recovery="what"),
            changed("dom", text_explanation(summary="A button came.")),
            changed("screenshot", pixel_explanation(summary="9 pixels changed.")),
            changed("url", value_explanation(summary="It led elsewhere.")),
            index=2,
        ),
        step("third", changed("dom"), index=3),
    )
    summary = comparison_summary(evidence.normalized_result)
    assert listed(summary) == [
        ("second", "url", "It led elsewhere."),
        ("second", "dom", "A button came."),
        ("second", "screenshot", "9 pixels changed."),
        ("second", "action_state", None),
        ("third", "dom", None),
        ("first", "events", None),
    ]
    row = summary.steps[0].artifacts[-1]
    assert (row.status, row.reason, row.recovery) == ("unknown", "why", "what")
    assert summary.steps_by_status == {"unknown": 1, "unchanged": 1, "changed": 2}
    assert summary.steps_omitted == summary.alignment_failures_omitted == 0
    assert [each.artifacts_omitted for each in summary.steps] == [0, 0, 0]


def test_the_pointer_of_a_row_leads_to_all_of_it() -> None:
    evidence = comparison(
        step("same", index=0),
        step("one", unknown("events"), changed("dom", text_explanation(summary="this one")), index=1),
    )
    row = comparison_summary(evidence.normalized_result).steps[0].artifacts[0]
    document = json.dumps(plain(evidence)).encode()
    assert part_of(document, row.pointer)["explanation"]["summary"] == "this one"


def large() -> ComparisonResult:
    """More of everything than a summary has room for, in the longest sentences."""
    text = "s" * 1_000
    rows = [changed(artifact, None) for artifact in MANY]
    steps = [step(f"step {number}", *rows, index=number) for number in range(100)]
    steps += [
        step(f"step {number}", unknown("dom", reason=text, recovery=text), index=number)
        for number in range(100, 120)
    ]
    failures = [failure(step_id=f"lost {number}", reason=text) for number in range(30)]
    limitations = [f"{text}{number}" for number in range(50)]
    return comparison(*steps, failures=failures, limitations=limitations).normalized_result


def test_of_many_changes_the_first_of_each_artifact_is_told_before_the_second_of_any() -> None:
    summary = comparison_summary(large())
    kinds = Counter(artifact for _, artifact, _ in listed(summary))
    assert kinds.total() == MAX_SUMMARY_ARTIFACTS
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert set(kinds) == set(MANY)
    assert [each.step_id for each in summary.steps] == [f"step {n}" for n in range(len(summary.steps))]


def test_whatever_is_left_out_is_counted() -> None:
    result = large()
    summary = comparison_summary(result)
    assert len(summary.alignment_failures) == MAX_SUMMARY_FAILURES
    assert summary.alignment_failures_omitted == len(result.alignment.failures) - MAX_SUMMARY_FAILURES
    assert len(summary.limitations) == MAX_SUMMARY_LIMITATIONS
    assert summary.limitations_omitted == len(result.limitations) - MAX_SUMMARY_LIMITATIONS
    assert len(summary.steps) + summary.steps_omitted == 120
    last = summary.steps[-1]
    assert len(last.artifacts) + last.artifacts_omitted == len(MANY)
    assert last.artifacts_omitted > 0


def test_the_largest_summary_is_smaller_than_evidence_that_is_answered_whole() -> None:
    text = "s" * 1_000
    steps = [
        step(f"step {number}", unknown(reason=text, recovery=text), index=number) for number in range(99)
    ]
    failures = [failure(step_id=f"lost {number}", reason=text) for number in range(30)]
    limitations = [f"{text}{number}" for number in range(50)]
    unknowns = comparison(*steps, failures=failures, limitations=limitations).normalized_result
    for result in (unknowns, large()):
        assert len(json.dumps(asdict(comparison_summary(result)))) < DEFAULT_INLINE_BYTES
    row = comparison_summary(unknowns).steps[0].artifacts[0]
    assert row.reason == f"{'s' * MAX_SUMMARY_CHARACTERS}… ({1_000 - MAX_SUMMARY_CHARACTERS} more characters)"
    long = comparison(step("one", changed("dom", text_explanation(summary=text))))
    assert comparison_summary(long.normalized_result).steps[0].artifacts[0].summary == row.reason
