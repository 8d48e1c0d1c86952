"""Which steps are compared with which, and what is said when they do not line up."""

from __future__ import annotations

from typing import Any

import pytest

from rea_capture.compare import compare_captures
from tests import builders as make


def codes(result: Any) -> list[tuple[str, str | None]]:
    return [(failure.code, failure.step_id) for failure in result.alignment.failures]


def test_steps_align_by_id_wherever_they_stand() -> None:
    before = make.capture([make.start(), make.step("a", 1), make.step("b", 2, dom=make.text())])
    after = make.capture([make.start(), make.step("b", 1, dom=make.text()), make.step("a", 2)])
    result = compare_captures(before, after)
    assert result.overall_status == "unchanged"
    assert result.alignment.aligned_steps == 3
    assert [(step.step_id, step.before_step_index, step.after_step_index) for step in result.steps] == [
        ("scenario_start", 0, 0),
        ("a", 1, 2),
        ("b", 2, 1),
    ]


def test_a_step_that_only_one_side_has_prevents_unchanged_and_is_named() -> None:
    before = make.capture([make.start(), make.step("a")])
    after = make.capture([make.start(), make.step("a"), make.step("b", 2)])
    result = compare_captures(before, after)
    assert result.overall_status == "unknown"
    assert result.alignment.status == "partial"
    assert result.alignment.after_only == ("b",)
    assert codes(result) == [("missing_before_step", "b")]
    assert codes(compare_captures(after, before)) == [("missing_after_step", "b")]
    assert "same actions" in result.alignment.failures[0].reason


def test_a_step_id_that_appears_twice_is_nobodys_counterpart() -> None:
    twice = make.capture([make.start(), make.step("a", 1), make.step("a", 2, dom=make.text())])
    once = make.capture([make.start(), make.step("a", 1, dom=make.text("other"))])
    result = compare_captures(twice, once)
    assert codes(result) == [("duplicate_before_step_id", "a")]
    assert result.overall_status == "unknown"
    assert [step.step_id for step in result.steps] == ["scenario_start"]
    assert codes(compare_captures(once, twice)) == [("duplicate_after_step_id", "a")]
    assert codes(compare_captures(twice, twice)) == [
        ("duplicate_before_step_id", "a"),
        ("duplicate_after_step_id", "a"),
    ]


def test_an_action_of_another_kind_is_a_change_of_the_scenario_and_not_of_the_page() -> None:
    before = make.capture([make.start(), make.step("a", action="click", dom=make.text())])
    after = make.capture([make.start(), make.step("a", action="press", dom=make.text())])
    result = compare_captures(before, after)
    assert codes(result) == [("action_mismatch", "a")]
    assert result.overall_status == "unknown"
    [row] = result.steps[1].artifact_diffs
    assert (row.artifact, row.status) == ("action_state", "unknown")
    assert "click before and a press after" in str(row.reason)


def test_a_difference_proves_a_change_even_where_the_action_is_of_another_kind() -> None:
    before = make.capture([make.start(), make.step("a", action="click", dom=make.text("one"))])
    after = make.capture([make.start(), make.step("a", action="press", dom=make.text("two"))])
    assert compare_captures(before, after).overall_status == "changed"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"product": "Chrome"}, 'browser.product is "Chromium" before and "Chrome" after'),
        ({"version": "157"}, 'browser.version is "156.0.1.2" before and "157" after'),
        ({"mode": "connect"}, 'browser.mode is "launch" before and "connect" after'),
        (
            {"start_origin": "https://shop.test"},
            'scenario.start_origin is "http://shop.test" before and "https://shop.test" after',
        ),
        (
            {"recorded_environment": make.environment(locale="de")},
            'scenario.environment.locale is "en-US" before and "de" after',
        ),
        (
            {"recorded_environment": make.environment(timezone="Europe/Berlin")},
            'scenario.environment.timezone is "UTC" before and "Europe/Berlin" after',
        ),
        (
            {"recorded_environment": make.environment(color_scheme="dark")},
            'scenario.environment.color_scheme is "light" before and "dark" after',
        ),
        (
            {"recorded_environment": make.environment(reduced_motion="no-preference")},
            'scenario.environment.reduced_motion is "reduce" before and "no-preference" after',
        ),
        (
            {"recorded_environment": make.environment(service_workers="allow")},
            'scenario.environment.service_workers is "block" before and "allow" after',
        ),
        (
            {"recorded_environment": make.environment(viewport={"width": 800, "height": 600})},
            "scenario.environment.viewport.height is 720 before and 600 after; "
            "scenario.environment.viewport.width is 1280 before and 800 after",
        ),
        (
            {"recorded_environment": make.environment(viewport={"device_scale_factor": 2})},
            "scenario.environment.viewport.device_scale_factor is 1 before and 2 after",
        ),
    ],
)
def test_a_context_mismatch_names_each_part_with_both_values(changes: dict[str, Any], named: str) -> None:
    result = compare_captures(make.capture(), make.capture(**changes))
    assert codes(result) == [("capture_context_mismatch", None)]
    assert f"{named}." in result.alignment.failures[0].reason
    assert result.alignment.status == "partial"
    assert result.overall_status == "unknown"


def test_a_page_controlled_value_in_a_reason_is_short_and_on_one_line() -> None:
    result = compare_captures(make.capture(), make.capture(product="Evil\n" * 10_000))
    [failure] = result.alignment.failures
    assert "\n" not in failure.reason
    assert len(failure.reason) < 600


def test_a_difference_proves_a_change_in_spite_of_another_context() -> None:
    before = make.capture([make.start(dom=make.text("one"))])
    after = make.capture([make.start(dom=make.text("two"))], version="157")
    assert compare_captures(before, after).overall_status == "changed"


def test_captures_without_a_common_step_fail_to_align() -> None:
    twice = make.capture([make.start(), make.step("scenario_start")])
    result = compare_captures(twice, make.capture())
    assert result.alignment.status == "failed"
    assert result.overall_status == "unknown"
    assert "nothing was compared" in result.limitations[0]
