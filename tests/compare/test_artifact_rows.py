"""Rows of actions and artifacts: what has one, and what it says."""

from __future__ import annotations

from typing import Any

import pytest

from rea_capture.compare import compare_captures
from rea_capture.contracts.comparison import ArtifactDiff
from rea_capture.contracts.selection import ARTIFACT_NAMES
from tests import builders as make

ONE_AND_TWO: dict[str, tuple[Any, Any]] = {
    "screenshot": (make.screenshot(1), make.screenshot(2)),
    "dom": (make.text("one"), make.text("two")),
    "accessibility": (make.text("one"), make.text("two")),
    "url": (make.location("/one"), make.location("/two")),
    "history": (make.history(length=1), make.history(length=2)),
    "storage": (make.storage(basket="1"), make.storage(basket="2")),
}


def rows(before: dict[str, Any], after: dict[str, Any]) -> list[ArtifactDiff]:
    """The rows of one step that differs as the arguments of ``make.step`` say."""
    result = compare_captures(
        make.capture([make.start(), make.step(**before)]), make.capture([make.start(), make.step(**after)])
    )
    assert result.steps[0].artifact_diffs == ()
    return list(result.steps[1].artifact_diffs)


@pytest.mark.parametrize("name", ARTIFACT_NAMES)
def test_equal_artifacts_have_no_row(name: str) -> None:
    one, _ = ONE_AND_TWO[name]
    assert rows({name: one}, {name: one}) == []


@pytest.mark.parametrize("name", ARTIFACT_NAMES)
def test_different_artifacts_have_a_changed_row_with_both_digests(name: str) -> None:
    one, two = ONE_AND_TWO[name]
    [row] = rows({name: one}, {name: two})
    assert (row.artifact, row.status, row.reason, row.recovery) == (name, "changed", None, None)
    assert (row.before_state, row.after_state) == ("captured", "captured")
    assert None not in (row.before_sha256, row.after_sha256)


@pytest.mark.parametrize("name", ARTIFACT_NAMES)
@pytest.mark.parametrize("lesser", [make.missing("The page hung."), make.truncated()])
def test_an_artifact_not_fully_seen_is_unknown_on_whichever_side(name: str, lesser: Any) -> None:
    one, _ = ONE_AND_TWO[name]
    [row] = rows({name: one}, {name: lesser})
    assert (row.artifact, row.status, row.after_state) == (name, "unknown", lesser.state)
    assert row.before_sha256 is not None
    assert row.after_sha256 is None
    assert lesser.reason.rstrip(".") in str(row.reason)
    assert "after side" in str(row.reason)
    assert "after side" in str(row.recovery)
    [mirrored] = rows({name: lesser}, {name: one})
    assert (mirrored.status, mirrored.before_state) == ("unknown", lesser.state)
    [both] = rows({name: lesser}, {name: lesser})
    assert both.status == "unknown"
    assert "before side" in str(both.reason)
    assert "after side" in str(both.reason)


def test_a_truncated_artifact_says_how_much_was_kept() -> None:
    [row] = rows({"dom": make.text()}, {"dom": make.truncated(observed=2_000, retained=1_000)})
    assert "1000 of 2000 bytes" in str(row.reason)


def test_a_captured_artifact_that_its_step_calls_incomplete_is_not_taken_as_equal() -> None:
    [row] = rows({"url": make.location()}, {"url": make.location(), "missing": ["url"]})
    assert (row.artifact, row.status) == ("url", "unknown")
    assert row.before_sha256 == row.after_sha256


def test_a_difference_proves_a_change_although_the_step_is_incomplete() -> None:
    [row] = rows(
        {"url": make.location("/one")}, {"url": make.location("/two"), "missing": ["url", "events"]}
    )[:1]
    assert (row.artifact, row.status) == ("url", "changed")


def test_line_ends_are_content() -> None:
    [row] = rows({"dom": make.text("a\r\nb")}, {"dom": make.text("a\nb")})
    assert row.status == "changed"


def test_what_neither_side_requested_has_no_row() -> None:
    assert rows({}, {}) == []


def test_artifacts_requested_on_one_side_only_share_one_row() -> None:
    at_end = {name: one for name, (one, _) in ONE_AND_TWO.items() if name != "url"}
    [row] = rows({**at_end, "url": make.location()}, {"url": make.location()})
    assert (row.artifact, row.status) == ("screenshot", "unknown")
    assert (row.before_state, row.after_state) == ("captured", "not_requested")
    assert "screenshot, dom, accessibility, history and storage were requested only before" in str(row.reason)
    assert "after_each_step" in str(row.recovery)


def test_that_row_does_not_hide_what_both_sides_requested() -> None:
    found = rows(
        {"dom": make.text(), "url": make.location("/one")},
        {"url": make.location("/two"), "storage": make.storage()},
    )
    assert [(row.artifact, row.status) for row in found] == [("dom", "unknown"), ("url", "changed")]
    assert "dom was requested only before and storage was requested only after" in str(found[0].reason)


def test_an_added_last_step_is_reported_once_at_the_earlier_last_step() -> None:
    at_end = {name: one for name, (one, _) in ONE_AND_TWO.items()}
    before = make.capture([make.start(), make.step("a", **at_end)])
    after = make.capture([make.start(), make.step("a"), make.step("b", 2, **at_end)])
    result = compare_captures(before, after)
    assert result.artifact_diffs.total == 1
    assert sum("requested different artifacts" in sentence for sentence in result.limitations) == 1
    assert result.overall_status == "unknown"


def test_when_an_action_failed_the_moved_end_is_explained() -> None:
    at_end: dict[str, Any] = {"dom": make.text()}
    before = make.capture([make.start(), make.step("a"), make.step("b", 2, **at_end)])
    after = make.capture(
        [make.start(), make.step("a", status="failed", **at_end), make.step("b", 2, status="cancelled")]
    )
    result = compare_captures(before, after)
    assert result.overall_status == "changed"
    lopsided = [row for step in result.steps for row in step.artifact_diffs if row.artifact == "dom"]
    assert len(lopsided) == 2
    assert all("Not every action completed on the after side" in str(row.recovery) for row in lopsided)


def test_an_action_that_failed_alike_is_unknown() -> None:
    [row] = rows({"status": "failed"}, {"status": "failed"})
    assert (row.artifact, row.status) == ("action_state", "unknown")
    assert row.before_sha256 == row.after_sha256 is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"status": "failed"}),
        ({"status": "failed", "error": "No such element."}, {"status": "failed", "error": "Timeout."}),
        ({"after": "/one"}, {"after": "/two"}),
        ({"before": "/one"}, {"before": "/two"}),
    ],
)
def test_an_action_that_ended_otherwise_is_changed(before: dict[str, Any], after: dict[str, Any]) -> None:
    [row] = rows(before, after)
    assert (row.artifact, row.status) == ("action_state", "changed")


@pytest.mark.parametrize("other", ["completed", "failed", "cancelled"])
def test_an_action_that_was_never_run_says_nothing(other: str) -> None:
    [row] = rows({"status": other}, {"status": "cancelled"})
    assert (row.artifact, row.status) == ("action_state", "unknown")


def test_elapsed_time_is_not_compared() -> None:
    assert rows({"elapsed_ms": 1}, {"elapsed_ms": 9_999}) == []
