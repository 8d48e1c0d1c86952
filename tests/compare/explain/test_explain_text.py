"""Differences by line: how texts are split, what a hunk has, what is left out, and the sentence above all."""

from __future__ import annotations

import dataclasses

import pytest

from rea_capture.compare.explain.text import lines as line_differences
from rea_capture.compare.explain.text.lines import line_diff, text_diff
from rea_capture.compare.explain.text.text import text_explanation
from rea_capture.contracts.explanation import TextDiff
from rea_capture.contracts.line_splits import pieces
from tests.compare.explain.text_cases import HEAD, applied, mirrored_diff, told_lines


def shown(diff: TextDiff) -> list[str]:
    sign = {"context": " ", "removed": "-", "added": "+"}
    return [sign[line.change] + line.text for hunk in diff.hunks for line in hunk.lines]


def test_markup_is_split_before_each_tag_that_has_more_than_indentation_before_it() -> None:
    text = "<!DOCTYPE html><ul>\n  <li>a < b</li>\n\t<li>c  <b>d</b> <!-- e --></ul>"
    assert list(pieces(text, "markup")) == [
        "<!DOCTYPE html>",
        "<ul>\n",
        "  <li>a < b",
        "</li>\n",
        "\t<li>c  ",
        "<b>d",
        "</b> ",
        "<!-- e -->",
        "</ul>",
    ]


def test_lines_end_after_a_line_feed_only() -> None:
    assert list(pieces("a\x0bb\x85c\u2028d\r\ne<p>", "lines")) == ["a\x0bb\x85c\u2028d\r\n", "e<p>"]


def test_a_hunk_has_three_lines_around_what_changed_and_says_where_it_is() -> None:
    before = [f"{number}\n" for number in range(20)]
    after = [*before[:10], "new\n", *before[11:]]
    diff = line_diff(before, after)
    assert shown(diff) == [" 7\n", " 8\n", " 9\n", "-10\n", "+new\n", " 11\n", " 12\n", " 13\n"]
    (hunk,) = diff.hunks
    assert (hunk.before_start, hunk.before_count, hunk.after_start, hunk.after_count) == (7, 7, 7, 7)


@pytest.mark.parametrize(("apart", "hunks"), [(6, 1), (7, 2)])
def test_changes_whose_context_would_touch_are_one_hunk(apart: int, hunks: int) -> None:
    same = [f"{number}\n" for number in range(apart)]
    diff = line_diff(["a\n", *same, "b\n"], ["c\n", *same, "d\n"])
    assert len(diff.hunks) == hunks


def test_a_missing_end_of_the_last_line_is_a_difference() -> None:
    explanation = text_explanation("a\nb\n", "a\nb", is_markup=False)
    assert shown(explanation.diff) == [" a\n", "-b\n", "+b"]
    assert explanation.elements is None
    assert explanation.split == "lines"


def test_a_line_that_moved_among_many_alike_is_told_alone() -> None:
    alike = ["<div>\n", "</div>\n"] * 500
    before = [*alike, "<p>once</p>\n", *alike]
    diff = line_diff(before, [*alike, "<p>once</p>\n", "<p>twice</p>\n", *alike])
    assert (diff.added_lines, diff.removed_lines) == (1, 0)


def test_a_long_line_is_cut_and_says_by_how_much() -> None:
    diff = text_diff("x" * 5_000 + "a\n", "x" * 5_000 + "b\n", "lines")
    most = line_differences.MAX_LINE_CHARACTERS
    assert [(len(line.text), line.omitted_characters) for line in diff.hunks[0].lines] == [
        (most, 5_002 - most)
    ] * 2


def test_of_a_long_stretch_either_side_is_shown_and_later_changes_are_seen_too() -> None:
    before = [f"b{number}\n" for number in range(900)] + ["end\n"] * 20 + ["x\n"]
    after = [f"a{number}\n" for number in range(700)] + ["end\n"] * 20 + ["y\n"]
    diff = line_diff(before, after)
    first, last = diff.hunks
    assert {line.change for line in first.lines} == {"removed", "added"}
    assert first.before_count == first.after_count == line_differences.MAX_STRETCH_LINES
    assert [line.text for line in last.lines][-2:] == ["x\n", "y\n"]
    assert (diff.removed_lines, diff.added_lines, diff.omitted_hunks) == (901, 701, 0)
    assert diff.omitted_lines == 901 + 701 - told_lines(diff)
    assert mirrored_diff(diff) == line_diff(after, before)


def test_each_hunk_of_a_cut_difference_can_be_put_into_the_text() -> None:
    before = [f"{number}\n" for number in range(3_000)]
    after = [line if number % 9 else f"new {line}" for number, line in enumerate(before)]
    diff = line_diff(before, after)
    assert len(diff.hunks) == line_differences.MAX_HUNKS
    assert diff.omitted_hunks == 334 - line_differences.MAX_HUNKS
    part = applied(diff, before)
    assert part.startswith("new 0\n1\n")
    assert part.count("new") == told_lines(diff) / 2


def test_more_lines_than_are_compared_are_counted_and_begin_to_be_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line_differences, "MAX_COMPARED_LINES", 100)
    before, after = "".join(f"<p>{n}" for n in range(200)), "".join(f"<b>{n}" for n in range(99))
    diff = text_diff(before, after, "markup")
    assert (diff.removed_lines, diff.added_lines) == (200, 99)
    assert shown(diff)[:2] == ["-<p>0", "-<p>1"]
    assert diff == line_diff(list(pieces(before, "markup")), list(pieces(after, "markup")))
    assert diff.omitted_lines == 299 - told_lines(diff)


@pytest.mark.parametrize(
    ("before", "after", "summary"),
    [
        ("<p>a</p><p>b</p>", "<p>c</p><p>d</p>", "2 texts changed; 2 lines removed, 2 added."),
        (
            '<p class="x">a</p><i>b</i>', '<p class="y">b</p><i>b</i><b>n</b>',
            "1 text and 1 attribute changed, 1 element added; 1 line removed, 3 added.",
        ),
        ("<p>a</p>", "", "1 element removed; 2 lines removed."),
        (
            "<p>a</p>", "<p>a</p>\n<!-- b -->",
            "No element changed, only what is between them (white space, comments, the doctype or the order"
            " of text); 1 line removed, 2 added.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_says_what_changed_with_counts(before: str, after: str, summary: str) -> None:
    assert text_explanation(HEAD + before, HEAD + after, is_markup=True).summary == summary


def test_the_sentence_for_a_text_without_elements_has_lines_alone() -> None:
    explanation = text_explanation("- a\n", "- a\n- b\n- c\n", is_markup=False)
    assert explanation.summary == "2 lines added."


def test_texts_that_are_the_same_differ_in_nothing() -> None:
    explanation = text_explanation("a", "a", is_markup=False)
    assert explanation.diff == TextDiff(
        added_lines=0, hunks=(), omitted_hunks=0, omitted_lines=0, removed_lines=0
    )
    assert dataclasses.asdict(explanation)["summary"] == "No line differs."
