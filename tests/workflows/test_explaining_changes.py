"""Explanations: of every changed artifact, after the verdict, in bounds, and never instead of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rea_capture.compare.explain import bounds as bounds_of_the_whole
from rea_capture.compare.explain import explain as explaining
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison import EXPLANATION_KINDS, ArtifactDiff, ComparisonResult
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.compare import compare, compare_documents, compare_input
from tests import builders
from tests.evidence.sealed import plain, sealed_capture


def capture_of(version: int, *, dom: str | None = None, broken: bool = False) -> CaptureResult:
    """A capture in which every artifact of a step shows ``version``; ``broken`` without the document."""
    address = f"/v{version}"
    states: dict[str, Any] = {
        "screenshot": builders.screenshot(version),
        "dom": builders.text(dom or f"<main><p>Version {version}</p></main>"),
        "accessibility": builders.text(f"- main: Version {version}\n"),
        "url": builders.location(address),
        "history": builders.history(address),
        "storage": builders.storage(version=str(version)),
    }
    if broken:
        states["dom"] = builders.missing()
    step = builders.step("look", after=address, **states)
    return builders.capture((builders.start(), step), [builders.console(f"version {version}")])


BEFORE, AFTER = sealed_capture(capture_of(1)), sealed_capture(capture_of(2))


def rows(comparison: ComparisonEvidence) -> list[ArtifactDiff]:
    return list(rows_of(comparison.normalized_result))


def rows_of(result: ComparisonResult) -> Iterator[ArtifactDiff]:
    for step in result.steps:
        yield from step.artifact_diffs


def without_explanations(result: ComparisonResult) -> ComparisonResult:
    steps = tuple(
        replace(step, artifact_diffs=tuple(replace(row, explanation=None) for row in step.artifact_diffs))
        for step in result.steps
    )
    return replace(result, steps=steps)


def test_every_kind_of_artifact_that_changed_is_explained_in_its_kind() -> None:
    found = {row.artifact: row.explanation for row in rows(compare(BEFORE, AFTER))}
    assert set(found) == set(EXPLANATION_KINDS)
    assert {name: each.kind for name, each in found.items() if each is not None} == EXPLANATION_KINDS


def test_an_explanation_changes_nothing_else() -> None:
    with_them = compare(BEFORE, AFTER).normalized_result
    without = compare(BEFORE, AFTER, explain=False).normalized_result
    assert without_explanations(with_them) == without
    assert all(row.explanation is None for row in rows_of(without))


def test_a_document_without_explanations_has_no_such_field() -> None:
    assert b'"explanation"' not in evidence_bytes(compare(BEFORE, AFTER, explain=False))
    assert b'"explanation"' not in evidence_bytes(compare(BEFORE, BEFORE))


def test_an_explained_comparison_verifies_and_is_the_same_each_time() -> None:
    data = evidence_bytes(compare(BEFORE, AFTER))
    assert evidence_bytes(parse(data, "comparison").document) == data  # type: ignore[arg-type]  # it is Evidence
    assert evidence_bytes(compare(BEFORE, AFTER)) == data


def test_what_is_unknown_is_not_explained() -> None:
    partial = sealed_capture(capture_of(2, broken=True))
    found = {row.artifact: row for row in rows(compare(BEFORE, partial))}
    assert found["dom"].status == "unknown"
    assert found["dom"].explanation is None
    assert found["url"].explanation is not None


def test_caller_rules_apply_to_what_is_explained() -> None:
    before, after = (sealed_capture(capture_of(n, dom=f"<p>Build {n}<p>Price {n}")) for n in (1, 2))
    rules = {"rules": [{"rule_id": "b", "artifacts": ["dom"], "match": "Build 2", "replacement": "Build 1"}]}
    (row,) = (row for row in rows(compare(before, after, rules)) if row.artifact == "dom")
    assert row.explanation is not None
    assert row.explanation.kind == "text"
    changed = [
        line.text for hunk in row.explanation.diff.hunks for line in hunk.lines if line.change != "context"
    ]
    assert changed == ["<p>Price 1", "<p>Price 2"]


def test_swapping_the_sides_swaps_the_explanation() -> None:
    there, back = (
        {row.artifact: row.explanation for row in rows(compare(*sides))}
        for sides in ((BEFORE, AFTER), (AFTER, BEFORE))
    )
    assert there["dom"] is not None
    assert back["dom"] is not None
    assert there["dom"].kind == back["dom"].kind == "text"
    assert there["dom"].diff.added_lines == back["dom"].diff.removed_lines


def test_a_capture_that_becomes_another_while_it_is_compared_is_not_explained() -> None:
    files = iter([evidence_bytes(BEFORE), evidence_bytes(sealed_capture(capture_of(3)))])
    comparison = compare_documents(lambda: next(files), lambda: evidence_bytes(AFTER))
    assert comparison.normalized_result.overall_status == "changed"
    assert {row.explanation.summary for row in rows(comparison) if row.explanation} == {
        "Not explained: a capture became another one while it was compared."
    }


def test_a_capture_that_is_gone_when_it_is_read_again_costs_the_explanation_only(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    path.write_bytes(evidence_bytes(BEFORE))

    def read_once() -> bytes:
        data = path.read_bytes()
        path.unlink()
        return data

    comparison = compare_documents(read_once, lambda: evidence_bytes(AFTER))
    assert {row.explanation.summary for row in rows(comparison) if row.explanation} == {
        "Not explained: a capture could not be read a second time."
    }


def test_the_comparison_input_is_explained_too() -> None:
    data = json.dumps({"before_scenario": plain(BEFORE), "after_scenario": plain(AFTER)}).encode()
    assert compare_input(data).normalized_result == compare(BEFORE, AFTER).normalized_result
    assert all(row.explanation is None for row in rows(compare_input(data, explain=False)))


Spend = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.parametrize(
    ("bound", "artifacts"),
    [
        ("MAX_EXPLANATIONS_BYTES", set(EXPLANATION_KINDS)),
        ("MAX_EXPLAINED_PIXELS", {"screenshot"}),
        ("MAX_EXPLAINED_CHARACTERS", set(EXPLANATION_KINDS) - {"screenshot", "events"}),
        ("MAX_EXPLAINED_STEPS", {"dom", "accessibility", "events"}),
        ("MAX_EXPLAINED_CHANGES", {"url", "history", "storage", "action_state"}),
    ],
)
def test_past_a_bound_of_the_whole_an_artifact_has_a_reason_instead(
    monkeypatch: pytest.MonkeyPatch, bound: str, artifacts: set[str]
) -> None:
    monkeypatch.setattr(bounds_of_the_whole, bound, 0)
    found = {row.artifact: row.explanation for row in rows(compare(BEFORE, AFTER))}
    assert {name for name, each in found.items() if each is not None and each.kind == "none"} == artifacts
    assert all("of one comparison" in each.summary for each in found.values() if each and each.kind == "none")


SEVERAL = 6


def several(version: int) -> CaptureEvidence:
    """Steps that each have the same document."""
    document = f"<main><p>Version {version}</p><b>1</b></main>"
    steps = (
        builders.step(f"step-{index}", index, dom=builders.text(document)) for index in range(1, SEVERAL + 1)
    )
    return sealed_capture(builders.capture((builders.start(), *steps)))


def test_the_work_of_all_steps_is_bounded_not_only_that_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    def kinds() -> list[tuple[str, bool]]:
        found = [row.explanation for row in rows(compare(several(1), several(2))) if row.artifact == "dom"]
        return [
            (each.kind, each.kind == "text" and each.elements is not None and each.elements.matched)
            for each in found
            if each is not None
        ]

    assert kinds() == [("text", True)] * SEVERAL
    monkeypatch.setattr(bounds_of_the_whole, "MAX_EXPLAINED_PARSE_STEPS", 30)
    some = kinds()
    assert some == sorted(some, key=lambda one: not one[1])
    assert {("text", True), ("text", False)} == set(some)
    monkeypatch.setattr(bounds_of_the_whole, "MAX_EXPLAINED_STEPS", 5)
    assert kinds()[-1] == ("none", False)
    assert kinds()[0][0] == "text"


def test_a_defect_while_explaining_costs_no_verdict_and_quotes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def defective(*_: object, **__: object) -> None:
        raise ZeroDivisionError("what the page said")

    monkeypatch.setattr(explaining, "_text", defective)
    comparison = compare(BEFORE, AFTER)
    assert comparison.normalized_result.overall_status == "changed"
    (row,) = (row for row in rows(comparison) if row.artifact == "dom")
    assert row.explanation is not None
    assert row.explanation.summary == "Not explained: ZeroDivisionError, a defect of this program."
