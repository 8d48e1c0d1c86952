"""Laws of explained texts: nothing is lost, nothing is said twice, and the sides may be exchanged."""

from __future__ import annotations

import dataclasses
import random

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from rea_capture.canonical import record_bytes
from rea_capture.compare.explain.text import lines as line_differences
from rea_capture.compare.explain.text.common_runs import Steps, common_runs
from rea_capture.compare.explain.text.text import text_explanation
from rea_capture.contracts.line_splits import Split, most_pieces, pieces
from tests.compare.explain.text_cases import (
    HEAD,
    applied,
    assert_paths_lead_to_what_is_told,
    mirrored,
    told_lines,
)
from tests.fuzz.examples import examples

LAW = examples(60)

SPLITS = st.sampled_from(["lines", "markup"])
LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "<p>\n", "x\x0by\u2028\n"]), max_size=30)
MESSES = st.text(alphabet="<ab/ \n\t>!-\"'=é\x0b\x1c\u2028\r", max_size=60)
TEXTS = st.one_of(LINES.map("".join), MESSES, st.text(max_size=60))


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text and what became of it by cutting, inserting and moving lines."""
    before = draw(
        st.lists(st.text(alphabet="abc<>\n /", max_size=6).map(lambda text: text + "\n"), max_size=60)
    )
    after = list(before)
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(after)))
        cut = draw(st.integers(0, 3))
        after[at : at + cut] = draw(LINES)[: draw(st.integers(0, 3))]
    return "".join(before), "".join(after)


PAIRS = st.one_of(st.tuples(TEXTS, TEXTS), edited())

NAMES = st.sampled_from(["p", "div", "li", "ul", "b", "pre", "x-y", "section", "template"])
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["id", "class", "data-id", "title"]),
    st.sampled_from(["a", "b", "1 c", 'q"u', "-", "-1", "", "é.f#g", "x" * 300]),
    max_size=2,
)
WORDS = st.sampled_from(
    ["", "one", "two  words", " a longer text that weighs enough to be known ", "1 &lt; 2"]
)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def written(name: str, attributes: dict[str, str], inside: list[str]) -> str:
        told = "".join(f' {key}="{value.replace(chr(34), "&quot;")}"' for key, value in attributes.items())
        return f"<{name}{told}>{''.join(inside)}</{name}>"

    return st.builds(written, NAMES, ATTRIBUTES, st.lists(children, max_size=4))


NODES = st.recursive(st.one_of(WORDS, _element(WORDS)), _element, max_leaves=12)
PAGES = st.lists(NODES, max_size=5).map(lambda nodes: HEAD + "".join(nodes) + "</body></html>")


@st.composite
def page_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two pages that have parts in common, in any order and place."""
    shared = draw(st.lists(NODES, max_size=5))

    def page() -> str:
        nodes = draw(st.permutations(shared)) + draw(st.lists(NODES, max_size=2))
        inside = "".join(nodes)
        return HEAD + (f"<main>{inside}</main>" if draw(st.booleans()) else inside) + "</body></html>"

    return page(), page()


@LAW
@given(TEXTS, SPLITS)
def test_the_lines_of_a_text_joined_are_the_text(text: str, split: Split) -> None:
    lines = list(pieces(text, split))
    assert "".join(lines) == text
    assert all(lines)
    assert len(lines) <= most_pieces(text, split)
    assert not any("\n" in line[:-1] for line in lines)


@LAW
@given(PAIRS, st.booleans())
def test_a_difference_put_into_the_one_text_gives_the_other(pair: tuple[str, str], is_markup: bool) -> None:
    before, after = pair
    explanation = text_explanation(before, after, is_markup=is_markup)
    diff = explanation.diff
    assert diff.omitted_hunks == diff.omitted_lines == 0
    lines = list(pieces(before, explanation.split))
    assert applied(diff, lines) == after
    assert diff.added_lines - diff.removed_lines == len(list(pieces(after, explanation.split))) - len(lines)


@LAW
@given(PAIRS, st.booleans())
def test_exchanged_texts_have_the_same_difference_with_its_words_exchanged(
    pair: tuple[str, str], is_markup: bool
) -> None:
    one = text_explanation(*pair, is_markup=is_markup)
    other = text_explanation(*reversed(pair), is_markup=is_markup)
    assert mirrored(one) == dataclasses.replace(other, summary="")


@LAW
@given(page_pairs())
def test_exchanged_pages_have_the_same_changes_with_their_words_exchanged(pair: tuple[str, str]) -> None:
    one = text_explanation(*pair, is_markup=True)
    other = text_explanation(*reversed(pair), is_markup=True)
    assert mirrored(one) == dataclasses.replace(other, summary="")


@LAW
@given(page_pairs())
def test_each_path_finds_the_element_that_is_told_of_and_no_other(pair: tuple[str, str]) -> None:
    elements = text_explanation(*pair, is_markup=True).elements
    assert elements is not None
    for item in elements.items:
        assert_paths_lead_to_what_is_told(item, *pair)


@LAW
@given(page_pairs())
def test_every_change_is_either_shown_or_counted(pair: tuple[str, str]) -> None:
    elements = text_explanation(*pair, is_markup=True).elements
    assert elements is not None
    counts = (elements.added, elements.removed, elements.moved, elements.texts, elements.attributes)
    assert sum(counts) == len(elements.items) + elements.omitted


@LAW
@given(page_pairs())
def test_pages_with_the_same_elements_and_texts_have_no_changed_element(pair: tuple[str, str]) -> None:
    elements = text_explanation(*pair, is_markup=True).elements
    assert elements is not None
    parsed = [LexborHTMLParser(page, scripting=True).html for page in pair]
    changes = len(elements.items) + elements.omitted
    assert changes == 0 or parsed[0] != parsed[1]


@LAW
@given(PAIRS)
def test_explaining_again_gives_the_same_bytes(pair: tuple[str, str]) -> None:
    first, second = (record_bytes(text_explanation(*pair, is_markup=True)) for _ in range(2))
    assert first == second


@LAW
@given(st.lists(st.integers(0, 5), max_size=40), st.lists(st.integers(0, 5), max_size=40), st.integers(0, 60))
def test_common_runs_rise_and_are_the_same_on_both_sides_whatever_the_budget(
    one: list[int], other: list[int], steps: int
) -> None:
    low_x = low_y = 0
    for x, y, length in common_runs(one, other, Steps(steps)):
        assert x >= low_x
        assert y >= low_y
        assert one[x : x + length] == other[y : y + length] != []
        low_x, low_y = x + length, y + length


def _long(seed: int) -> list[str]:
    chance = random.Random(seed)
    lines = ["a\n", "b\n", "c" * 900 + "\n", "d\n"]
    return [chance.choice(lines) for _ in range(chance.randrange(300, 900))]


LONG = st.integers(0, 2**32).map(_long)


@examples(40)
@given(LONG, LONG, st.integers(0, 3))
def test_what_is_left_out_of_a_long_difference_is_counted_exactly(
    one: list[str], other: list[str], every: int
) -> None:
    before = [line if index % 10 < every else f"{index}{line}" for index, line in enumerate(one)]
    after = [line if index % 10 < every else f"{index}.{line}" for index, line in enumerate(other)]
    diff = line_differences.line_diff(before, after)
    assert told_lines(diff) + diff.omitted_lines == diff.added_lines + diff.removed_lines
    shown = [line for hunk in diff.hunks for line in hunk.lines]
    assert len(shown) <= line_differences.MAX_DIFF_LINES
    assert sum(len(line.text) for line in shown) <= line_differences.MAX_DIFF_CHARACTERS
    for hunk in diff.hunks:
        sides = ((before, hunk.before_start, "added"), (after, hunk.after_start, "removed"))
        for side, start, foreign in sides:
            mine = [line for line in hunk.lines if line.change != foreign]
            for line, whole in zip(mine, side[start : start + len(mine)], strict=True):
                assert line.text == whole[: len(line.text)]
                assert line.omitted_characters == len(whole) - len(line.text)
