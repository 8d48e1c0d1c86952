"""The verdict over all steps, the limitations beside it, and the size of a prepared side."""

from __future__ import annotations

from rea_capture.compare import compare_captures, compare_prepared, prepare
from tests import builders as make


def test_one_changed_step_makes_the_whole_changed_whatever_else_is_unknown() -> None:
    before = make.capture([make.start(dom=make.text("one")), make.step(dom=make.missing())])
    after = make.capture([make.start(dom=make.text("two")), make.step(dom=make.missing())])
    result = compare_captures(before, after)
    assert [step.status for step in result.steps] == ["changed", "unknown"]
    assert result.overall_status == "changed"


def test_a_capture_that_is_not_eligible_is_never_unchanged_and_the_result_says_why() -> None:
    poorer = make.capture(missing=("screenshot",), truncated=("dom",))
    result = compare_captures(make.capture(), poorer)
    assert result.artifact_diffs.total == 0
    assert result.overall_status == "unknown"
    assert any(
        "after capture is not complete (missing: screenshot; truncated: dom)" in sentence
        for sentence in result.limitations
    )


def test_unchanged_says_what_it_speaks_of() -> None:
    capture = make.capture([make.start(dom=make.text(), url=make.location())], [make.console("x", 0)])
    result = compare_captures(capture, capture)
    assert result.overall_status == "unchanged"
    assert "actions, dom, url and events (console)" in result.limitations[0]


def test_the_limitations_of_each_side_are_counted() -> None:
    one = make.capture(limitations=["A closed shadow root is not in the dom."])
    result = compare_captures(one, make.capture(limitations=["First.", "Second."]))
    assert any("before capture states 1 limitation of" in sentence for sentence in result.limitations)
    assert any("after capture states 2 limitations of" in sentence for sentence in result.limitations)


def test_limitations_are_each_stated_once() -> None:
    poorer = make.capture(events=[make.console()], families=None, missing=("events",))
    limitations = compare_captures(poorer, poorer).limitations
    assert len(limitations) == len(set(limitations))


def test_prepared_captures_compare_like_captures() -> None:
    before, after = make.capture(events=[make.console("one")]), make.capture(events=[make.console("two")])
    assert compare_prepared(prepare(before), prepare(after)) == compare_captures(before, after)


def test_a_prepared_capture_is_small_whatever_the_capture_holds() -> None:
    small = make.capture([make.start(dom=make.text("x"))], [make.console("x", 0)])
    events = [event for number in range(1, 500) for event in make.transaction(number, 0)]
    large = make.capture(
        [make.start(dom=make.text("x" * 1_000_000))], [*events, make.console("x" * 1_000_000, 0)]
    )
    assert len(repr(prepare(large))) < len(repr(prepare(small))) + 100
