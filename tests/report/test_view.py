"""The view says of every step and artifact what is known, and no more."""

from __future__ import annotations

import dataclasses

import pytest

from rea_capture import compare
from rea_capture.contracts.capture import CaptureResult
from rea_capture.report.view import COMPARED_ARTIFACTS, Compared, ComparisonView, StepView, report_of
from tests import builders
from tests.report.samples import alike, samples, shop


def seen(compared: Compared) -> ComparisonView:
    return report_of([compared]).comparisons[0]


def statuses(step: StepView) -> dict[str, str]:
    return {artifact.artifact: artifact.status for artifact in step.artifacts}


def test_every_aligned_step_has_every_artifact_in_one_order() -> None:
    view = seen(shop())
    aligned = [step for step in view.steps if step.status != "not_aligned"]
    assert len(aligned) == 4
    for step in aligned:
        assert tuple(artifact.artifact for artifact in step.artifacts) == COMPARED_ARTIFACTS


def test_an_artifact_without_a_row_is_what_the_captures_have_of_it() -> None:
    start, _, cart, pay = seen(shop()).steps[:4]
    assert statuses(start) == {
        "action_state": "unchanged",
        "screenshot": "unchanged",
        "dom": "not_requested",
        "accessibility": "not_requested",
        "url": "unchanged",
        "history": "not_requested",
        "storage": "not_requested",
        "events": "unchanged",
    }
    assert statuses(cart)["dom"] == "changed"
    assert statuses(pay)["screenshot"] == "unknown"


def test_without_captures_an_artifact_without_a_row_is_untold() -> None:
    view = seen(dataclasses.replace(shop(), before=None, after=None))
    assert {status for step in view.steps for status in statuses(step).values()} == {
        "changed",
        "unknown",
        "untold",
    }
    assert view.before.result is None
    assert view.before.sha256 == shop().comparison.parameters.before_sha256


def test_an_artifact_that_one_capture_was_not_asked_for_is_not_compared() -> None:
    one = builders.capture([builders.start(url=builders.location(), dom=builders.text("a"))])
    other = builders.capture([builders.start()])
    found = statuses(seen(Compared(compare(one, other), one, other, "x")).steps[0])
    assert sorted({found["url"], found["dom"]}) == ["not_compared", "unknown"]


def test_events_that_nobody_asked_for_are_not_unchanged() -> None:
    one = builders.capture(families=())
    assert statuses(seen(Compared(compare(one, one), one, one, "x")).steps[0])["events"] == "not_requested"


def test_events_that_the_captures_chose_differently_are_not_unchanged() -> None:
    one, other = builders.capture(families=("console",)), builders.capture(families=("network",))
    found = statuses(seen(Compared(compare(one, other), one, other, "x")).steps[0])
    assert found["events"] == "unknown"


def test_a_step_of_one_capture_stands_behind_the_step_that_it_follows() -> None:
    def capture(*names: str) -> CaptureResult:
        return builders.capture([
            builders.start(), *(builders.step(name, at) for at, name in enumerate(names, 1)),
        ])  # fmt: skip

    one, other = capture("a", "gone", "b"), capture("new", "a", "b", "last")
    view = seen(Compared(compare(one, other), one, other, "x"))
    names = [step.step_id for step in view.steps]
    assert names == ["scenario_start", "new", "a", "gone", "b", "last"]
    assert view.counts.steps_not_aligned == 3
    gone = view.steps[3]
    assert (gone.before_action, gone.after_action, gone.after_step_index) == ("click", None, None)
    assert [failure.code for failure in gone.failures] == ["missing_after_step"]


def test_a_step_of_one_capture_is_told_without_captures_too() -> None:
    view = seen(dataclasses.replace(shop(), before=None, after=None))
    last = view.steps[-1]
    assert (last.step_id, last.status, last.after) == ("thanks", "not_aligned", None)


def test_steps_that_share_an_id_are_all_there() -> None:
    twice = builders.capture([builders.start(), builders.step("a", 1), builders.step("a", 2)])
    once = builders.capture([builders.start(), builders.step("a", 1)])
    view = seen(Compared(compare(twice, once), twice, once, "x"))
    assert [step.step_id for step in view.steps].count("a") == 3
    assert all(step.failures for step in view.steps if step.step_id == "a")


def test_counts_are_of_rows_and_steps() -> None:
    view = seen(shop())
    rows = [row for step in view.steps for row in step.artifacts if row.row is not None]
    assert view.counts.changed == sum(row.status == "changed" for row in rows)
    assert view.counts.unknown == sum(row.status == "unknown" for row in rows)
    assert view.counts.steps == len(view.steps)


def test_the_whole_is_the_worst_of_all_and_counts_add_up() -> None:
    report = samples()
    assert report.status == "changed"
    assert report.statuses == {"changed": 2, "unknown": 0, "unchanged": 1}
    assert report.counts.changed == sum(view.counts.changed for view in report.comparisons)
    assert report_of([alike()]).status == "unchanged"


def test_unknown_is_the_whole_where_nothing_changed() -> None:
    one = builders.capture([builders.start(dom=builders.missing())])
    report = report_of([Compared(compare(one, one), one, one, "x"), alike()])
    assert report.status == "unknown"


def test_a_report_on_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        report_of([])
