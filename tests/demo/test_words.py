"""The demo says in words what a verdict rests on, and decides nothing."""

from __future__ import annotations

from typing import Any

from rea_capture import compare
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.events import AnyEvent
from rea_capture.demo.words import MAX_FACTS, verdict_words
from tests import builders as build


def words_for(before: CaptureResult, after: CaptureResult) -> str:
    return "\n".join(verdict_words(compare(before, after).normalized_result))


def capture_with(*events: AnyEvent, **states: Any) -> CaptureResult:
    step = build.step("look", **states)
    return build.capture([build.start(), step], events)


def test_equal_captures_need_one_line() -> None:
    same = capture_with(dom=build.text())
    assert words_for(same, same) == "unchanged: 2 steps aligned, 0 of them not the same"


def test_a_changed_text_is_shown_line_by_line() -> None:
    said = words_for(capture_with(dom=build.text("a\nold")), capture_with(dom=build.text("a\nnew")))
    assert "step look\n    dom: changed, " in said
    assert "\n      - old\n      + new" in said
    assert said.startswith("changed: ")


def test_long_differences_are_cut_and_counted() -> None:
    many = "\n".join(map(str, range(20)))
    said = words_for(capture_with(dom=build.text("")), capture_with(dom=build.text(many)))
    assert f"… and {20 - MAX_FACTS} more" in said


def test_new_requests_and_messages_are_named_with_their_answers() -> None:
    before = capture_with(*build.transaction(1), build.console("hello"))
    after = capture_with(*build.transaction(1, status=500), build.console("bye"))
    said = words_for(before, after)
    assert "~ GET http://shop.test/api: status 200 → 500" in said
    assert "- log: hello" in said
    assert "+ log: bye" in said


def test_different_pictures_are_told_in_pixels() -> None:
    said = words_for(
        capture_with(screenshot=build.screenshot(1)), capture_with(screenshot=build.screenshot(2))
    )
    assert "screenshot: changed, " in said
    assert "1 pixel differs" in said


def test_an_unknown_comes_with_its_reason_and_what_to_do() -> None:
    said = words_for(capture_with(dom=build.text()), capture_with(dom=build.missing("the page crashed")))
    assert said.startswith("unknown: ")
    assert "dom: unknown, On the after side dom is missing: the page crashed." in said
    assert "what to do: Capture the after side again" in said


def test_steps_that_do_not_align_are_named() -> None:
    before = build.capture([build.start(), build.step("old")])
    after = build.capture([build.start(), build.step("new")])
    said = words_for(before, after)
    assert said.count("not aligned: ") == 2
