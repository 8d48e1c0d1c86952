"""Markdown for a pull request: what it says, how long it is, and that nothing captured is markup in it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.contracts.explanation import TextExplanation
from rea_capture.report.markdown import MAX_MARKDOWN_CHARACTERS, markdown
from rea_capture.report.markdown_text import code, fence, html_code, sentence
from rea_capture.report.view import report_of
from rea_capture.report.visible import visible
from tests import builders
from tests.evidence.sealed import sealed_capture
from tests.report.rendered import Rendered, on_github, rendered
from tests.report.reported import (
    changed,
    compared,
    comparison,
    everything_in,
    failure,
    report,
    step,
    text_diff,
    text_explanation,
    unknown,
)

HOSTILE = [
    "<script>alert(1)</script>",
    "</details><h1>free</h1>",
    "<img src=x onerror=alert(1)> <!-- ",
    "![x](https://evil.test/x.png) [y](javascript:alert(1))",
    "https://evil.test www.evil.test evil.test mail@evil.test",
    "@octocat @org/team #1 GH-1 owner/repo#2 :smile:",
    "deadbeef deadbeefdeadbeefdeadbeefdeadbeefdeadbeef 1234567",
    "a | b || c \\| d \\\\| e |",
    "`one` ``two`` ```three``` ~~~ ````four",
    "``` \n```\n# heading\n- list\n> quote\n---\n| a | b |\n| - | - |",
    "\u202e\u2066gnp.exe\u2069 \u200b\ufeff\x00\x1b[31m\r\n\x85\u2028",
    "*bold* _it_ **b** ~~s~~ [^1] [x] $a$ $$b$$ &amp; &#64;octocat &lt;b&gt;",
    "# heading",
    "- [ ] task",
    "1. one",
    "    code",
    "[a]: https://evil.test",
    "\\",
    " ",
    "`",
    "```",
    "  ````",
    "~~~",
    "`" * 33,
    "`" * 90,
    "`" * 300,
    "",
    "${{ secrets.TOKEN }} {{ x }} <% y %>",
]
ALLOWED_KINDS = {
    "heading_open", "heading_close", "inline", "text", "softbreak", "code_inline", "fence", "html_block",
    "paragraph_open", "paragraph_close", "bullet_list_open", "bullet_list_close",
    "list_item_open", "list_item_close", "table_open", "table_close", "thead_open", "thead_close",
    "tbody_open", "tbody_close", "tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close",
}  # fmt: skip
hostile_texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=60),
    st.text(alphabet="`|\\<>@#*_[]()!&;:/.- \n\tab1", max_size=60),
    st.lists(st.sampled_from(HOSTILE), max_size=3).map(" ".join),
)


def as_code(text: str) -> str:
    """How ``text`` is shown in code: without more backticks in a row than a renderer knows."""
    return re.sub("`{33,}", lambda run: rf"\x60{{{len(run[0])}}}", visible(text))


TAGS = {
    "h2", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "details", "summary"
}  # fmt: skip


def assert_it_is_harmless(text: str) -> Rendered:
    """Both renderers see our own structure only, and nothing outside code that GitHub makes a link of."""
    page, github = rendered(text), on_github(text)
    assert page.kinds <= ALLOWED_KINDS, page.kinds - ALLOWED_KINDS
    assert len(page.headings) == 1
    assert set(page.html_tags) <= {"details", "/details", "summary", "/summary", "code", "/code"}
    assert page.html_attributes == []
    assert github.tags <= TAGS, github.tags - TAGS
    assert github.attributes <= {"lang"}
    assert github.open_tags == []
    for plain in ("\n".join((*page.text, *page.html_text)), "\n".join(github.text)):
        assert not re.search(r"[@#<>`|\\/&*_~\[\]{}$]", plain), plain
        assert not re.search(r"\b[0-9a-fA-F]{7,}\b|\w\.\w*[A-Za-z]|\b[Gg][Hh]-\d", plain), plain
    assert github.cells_of_rows | {len(row) for row in page.table_rows} == {4}
    assert_its_details_are_closed(page)
    return page


def assert_its_details_are_closed(page: Rendered) -> None:
    depth = 0
    for tag in page.html_tags:
        if tag in {"details", "/details"}:
            depth += 1 if tag == "details" else -1
            assert depth in {0, 1}
    assert depth == 0
    assert page.html_tags.count("summary") == page.html_tags.count("details")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_never_markup_a_mention_or_a_link(text: str) -> None:
    assert_it_is_harmless(markdown(report(everything_in(text), comparison(step()), names=[text, "other"])))


@given(text=hostile_texts, name=hostile_texts)
def test_any_text_anywhere_is_never_markup(text: str, name: str) -> None:
    written = markdown(report(everything_in(text), comparison(step()), names=[name, "other"]))
    page = assert_it_is_harmless(written)
    # Two comparisons, seven findings, and a heading each.
    assert len(page.table_rows) == 1 + 2 + 1 + 7


@given(hostile_texts)
def test_a_code_span_is_one_and_shows_its_text(text: str) -> None:
    page, github = (render(f"before {code(text)} after\n") for render in (rendered, on_github))
    [shown] = page.code
    assert page.text == ["before ", " after"]
    if text.strip(" "):
        assert shown == "".join(github.code) == as_code(text)


@given(hostile_texts)
def test_a_code_span_stays_in_its_cell(text: str) -> None:
    table = f"| a | b |\n| --- | --- |\n| {code(text, in_cell=True)} | last |\n"
    page, github = rendered(table), on_github(table)
    assert [len(row) for row in page.table_rows] == [2, 2]
    assert page.table_rows[1][1] == "last"
    assert github.cells_of_rows == {2}
    if text.strip(" "):
        assert "".join(page.code) == "".join(github.code) == as_code(text)


@given(st.lists(hostile_texts, max_size=4))
def test_a_fence_holds_its_lines_and_ends_after_them(lines: list[str]) -> None:
    block = f"{fence(lines)}\n\nafter\n"
    page, github = rendered(block), on_github(block)
    content = "".join(f"{as_code(line)}\n" for line in lines)
    assert page.fences == [content]
    assert "".join(github.code) == content
    assert page.text == ["after"]
    assert "".join(github.text).split() == ["after"]


@given(hostile_texts)
def test_a_summary_holds_its_text_as_code(text: str) -> None:
    page = rendered(f"<details><summary>{html_code(text)}</summary>\n\nafter\n\n</details>\n")
    assert "".join(page.html_code) == visible(text)
    assert page.text == ["after"]


@given(hostile_texts)
def test_a_sentence_shows_its_words_in_their_order(text: str) -> None:
    page = rendered(f"- {sentence(text)} end\n")
    assert page.kinds <= ALLOWED_KINDS
    assert "".join(page.inline).split() == [*as_code(text).split(), "end"]


def test_plain_words_are_not_code() -> None:
    text = "The dom is missing before (the page's own page-errors), 2 of 1,024 (0.18 %); it took 1.5 s."
    assert sentence(text) == text
    assert sentence("The page says Sold-out @all") == "The page says `Sold-out @all`"


def test_the_verdict_comes_first_and_in_figures() -> None:
    text = markdown(
        report(
            comparison(step("a", changed()), step("b", unknown(), index=1), step("c", index=2)),
            comparison(step("d")),
        )
    )
    page = rendered(text)
    assert page.headings == ["Verdict: changed"]
    assert "1 comparison changed and 1 comparison unchanged. 1 artifact changed, 1 unknown." in text
    assert "Of 4 steps: 1 changed, 1 unknown, 2 unchanged." in text


def test_each_finding_has_a_row_and_each_explanation_a_fold() -> None:
    text = markdown(
        report(
            comparison(
                step("cart", changed("dom", text_explanation()), unknown("url", "No address.", "Go on.")),
                failures=[failure(step_id="gone")],
            )
        )
    )
    page = rendered(text)
    assert page.table_rows == [
        ["step", "what", "verdict", "why"],
        ["`gone`", "missing after step", "unknown", "Only one side has the step."],
        ["`cart`", "dom", "changed", "A line differs."],
        ["`cart`", "url", "unknown", "No address."],
    ]
    assert page.fences == ["@@ -1,2 +1,2 @@\n Total 24.90\n-Total 24.90\n+Total 249.00\n"]
    assert "main > p text: Total 24.90\\n -> Total 249.00\\n" in page.code
    assert "- Go on. (for 1 row)" in text


def test_an_unknown_without_a_row_says_so_and_what_to_do() -> None:
    text = markdown(report(comparison(step("a"), status="unknown", limitations=["The capture was cut."])))
    assert "| verdict | unknown | No difference was found" in text
    assert "Do what the limitations name" in text
    assert "- The capture was cut." in text


def test_an_unchanged_comparison_has_no_rows_and_its_provenance() -> None:
    evidence = comparison(step("a"))
    text = markdown(report(evidence))
    assert rendered(text).table_rows == []
    assert evidence.evidence_id in text
    assert "a" * 64 in text


def test_provenance_says_when_and_with_what_captures_were_made() -> None:
    capture = sealed_capture(builders.capture(steps=(builders.start(), builders.step())))
    one = compared(comparison(step("start", changed())), before=capture, after=capture)
    text = markdown(report_of([one]))
    result = capture.normalized_result
    assert f"`{result.started_at}` to `{result.finished_at}`" in text
    assert result.browser.version in text


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("sign", ["x", "🌈", "` ", "|", "\\|", "word "])
def test_a_large_report_stays_within_its_characters_and_counts_what_is_left_out(sign: str) -> None:
    steps = [
        step(
            f"{sign * 50} {number}",
            changed("dom", text_explanation(sign * 200, sign * 199, summary=sign * 600)),
            unknown("url", reason=sign * 600, recovery=f"{sign * 300} {number}"),
            index=number,
        )
        for number in range(120)
    ]
    sides = [comparison(*steps, limitations=[f"{n} {sign * 900}" for n in range(40)]), comparison(*steps)] * 2
    text = markdown(report(*sides, names=[f"{sign * 90}{n}" for n in range(4)]))
    assert MAX_MARKDOWN_CHARACTERS - 12_000 < utf16(text) <= MAX_MARKDOWN_CHARACTERS
    page = assert_it_is_harmless(text)
    [last] = [line for line in text.splitlines() if line.startswith("Left out to keep this short: ")]
    shown = len(page.table_rows) - 2 - 4
    assert f"{4 * 240 - shown} rows" in last
    folds = page.html_tags.count("details") - 3
    assert f"{4 * 120 - folds} explanations" in last
    assert re.search(r"\d+ recoveries and \d+ limitations\.", last)


def test_a_report_that_fits_leaves_nothing_out() -> None:
    assert "Left out" not in markdown(report(everything_in("some text")))


def test_a_long_difference_is_cut_at_a_line_and_counted() -> None:
    lines = [("+", f"line {number}\n") for number in range(500)]
    explanation = TextExplanation(
        diff=text_diff(*lines, omitted_lines=7), elements=None, split="lines", summary="Many lines."
    )
    page = rendered(markdown(report(comparison(step("a", changed("accessibility", explanation))))))
    [block] = page.fences
    assert "+line 58\n... and 448 more lines\n" in block


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [("a\n", "b", ["b"]), ("a", "b\n", ["a"]), ("a", "b", []), ("a\n", "b\n", [])],
)
def test_a_line_end_that_one_text_lacks_is_shown(before: str, after: str, shown: list[str]) -> None:
    explanation = TextExplanation(
        diff=text_diff(("-", before), ("+", after)), elements=None, split="lines", summary="A line."
    )
    [block] = rendered(markdown(report(comparison(step("a", changed("accessibility", explanation)))))).fences
    lines = block.splitlines()
    assert [lines[at - 1][1:] for at, line in enumerate(lines) if line == "\\ No line end"] == shown


def test_a_limitation_of_several_comparisons_is_said_once() -> None:
    one = comparison(step("a"), limitations=["It was cut.", "It was cut."])
    text = markdown(report(one, comparison(step("b"), limitations=["It was cut.", "Other."])))
    assert "- It was cut. (of 2 comparisons)\n- Other. (of 1 comparison)\n" in text


def test_the_same_documents_give_the_same_text() -> None:
    one = report(everything_in("x"), everything_in("y"))
    assert markdown(one) == markdown(report(everything_in("x"), everything_in("y")))
