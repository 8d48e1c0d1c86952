"""An explanation takes a bounded number of steps, however a page is made."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys

import pytest

from rea_capture.canonical import record_bytes
from rea_capture.compare import explain
from rea_capture.compare.explain.text.common_runs import Steps, common_runs
from rea_capture.compare.explain.text.page_tree import MAX_NODES, PageTooLargeError, read_page
from rea_capture.compare.explain.text.parse_cost import MAX_PARSE_STEPS, parse_steps, start_tags
from rea_capture.compare.explain.text.text import text_explanation
from rea_capture.contracts import line_splits
from tests.compare.explain.large_pages import LARGE, OTHER
from tests.compare.explain.text_cases import HEAD

MOST_BYTES = 150_000
"""Without bounds each of these pages would take minutes."""

FORMATS = "<p>" + "".join(f'<b id="{i}">' for i in range(300)) + "<p>x</p>" * 3_000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(LARGE, LARGE.replace("Item 7<", "Item seven<"), id="one text"),
        pytest.param(LARGE, LARGE.replace("EUR", "USD"), id="an eighth of the elements"),
        pytest.param(LARGE, OTHER, id="rewritten"),
        pytest.param(HEAD + "x" * 5_000_000 + "a", HEAD + "x" * 5_000_000 + "b", id="one line of 5 MB"),
        pytest.param(HEAD + "<p></p>" * 300_000, HEAD + "<b></b>" * 300_000, id="many tags"),
        pytest.param(HEAD + "\n" * 1_000_000, HEAD + "\n" * 900_000, id="many empty lines"),
        pytest.param(
            HEAD + "<div></div><p></p>" * 10_000, HEAD + "<p></p><b></b><div></div>" * 7_000, id="alike lines"
        ),
        pytest.param(HEAD + "<div>" * 100_000, HEAD + "<div>" * 90_000, id="nested"),
        pytest.param(HEAD + FORMATS, HEAD + FORMATS + "<p>x</p>", id="elements that a parser makes again"),
        pytest.param(
            HEAD + "<p " + " ".join(f"a{i}=1" for i in range(50_000)) + ">", HEAD + "<p>", id="attributes"
        ),
        pytest.param(HEAD + "<a b" * 500_000, HEAD + "<!--" * 500_000, id="what never ends"),
    ],
)
def test_no_page_gives_much(before: str, after: str) -> None:
    explanation = text_explanation(before, after, is_markup=True)
    assert len(record_bytes(explanation)) < MOST_BYTES
    assert explanation.diff.added_lines + explanation.diff.removed_lines > 0


def test_a_large_page_is_explained_element_by_element() -> None:
    elements = text_explanation(LARGE, LARGE.replace("EUR", "USD"), is_markup=True).elements
    assert elements is not None
    assert (elements.matched, elements.texts, elements.added, elements.removed) == (True, 2_500, 0, 0)


def test_a_rewritten_page_is_counted() -> None:
    explanation = text_explanation(LARGE, OTHER, is_markup=True)
    assert explanation.elements is not None
    assert not explanation.elements.matched
    assert explanation.summary.startswith("The documents are too large or have too little in common")


def test_steps_end_a_search_and_what_was_found_stays() -> None:
    one, other = [1, 2] * 5_000, [2, 1, 3] * 3_000
    steps = Steps(10_000)
    assert common_runs([0, *one, 9], [0, *other, 9], steps) == [(0, 0, 1), (10_001, 9_001, 1)]
    assert -10_000 < steps.left < 0


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 10_000,
        FORMATS * 3,
        "<b><table></b></table>" * 5_000,
        "<xmp></xmp></b></xmp>" + "<b>" * 5_000,
        '<a b"c>' + "<b>" * 5_000 + '<a b">',
        "<!-->" + "<b>" * 5_000 + "-->",
        "<svg><style>" + "<b>" * 5_000 + "</style>",
        "<svg><![CDATA[<!--]]>" + "<b>" * 5_000 + "-->",
        "<script><!--<script></script><style>--></script>" + "<b>" * 5_000 + "</style>",
        "<svg><style><!--</style>" + "<b>" * 5_000 + "-->",
        "<svg><foreignObject><style><a b='</style>" + "<b>" * 5_000 + "'>",
        "<svg><plaintext>" + "<b>" * 5_000,
        "</><b>" * 5_000,
        "<lin\u212a>" * 5_000,
        "<script></\u017fcript><!--</script>" + "<b>" * 5_000 + "-->",
        "<![CDATA[<plaintext>" + "<b>" * 5_000,
        "<style></style <xmp>" + "<b>" * 5_000,
        "<template><col><script></template>" + "<b>" * 5_000,
        "<p " + " ".join(f"a{i}" for i in range(20_000)) + ">",
        "<p " + "/".join(f"a{i}" for i in range(20_000)) + ">",
    ],
)
def test_work_cannot_be_hidden_from_being_counted(text: str) -> None:
    assert parse_steps(HEAD + text) > MAX_PARSE_STEPS


SLOW = {
    "comments that nothing ends": "<svg><foreignObject><style>" + "<!-- >" * 170_000,
    "comments in comments": "<!--" * 250_000,
    "half an end of a comment": "<!--" + "--!" * 330_000,
    "quotes that nothing closes": "<a b='" + '<a b="' * 166_001,
    "ends that end nothing": "</" * 500_000,
    "declarations": "<!" * 500_000,
    "a script that nothing ends": "<script><!--<script" + "</script" * 120_000,
    "raw content again and again": "<style></style" * 70_000,
    "signs of attributes": "<a " + "=" * 1_000_000,
    "white space before no value": "<a " + "b \t" * 330_000,
    "white space alone": " \t" * 500_000,
    "signs that start no tag": "< " * 500_000,
    "CDATA": "<![CDATA[" * 110_000,
}
"""A megabyte each, of what a pattern that goes back or starts anew would look at a million times."""


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW.keys())
def test_a_megabyte_of_markup_that_never_ends_is_read_once(text: str) -> None:
    """In a process of its own: what takes quadratic time would be hours, and nothing else ends it."""
    code = (
        "import sys; from rea_capture.compare.explain.text.parse_cost import parse_steps, start_tags\n"
        "from rea_capture.contracts.line_splits import pieces\n"
        "text = sys.stdin.read(); start_tags(text); print(parse_steps(text) >= 0, "
        "*(''.join(pieces(text, split)) == text for split in ('lines', 'markup')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["True", "True", "True"]


def test_no_pattern_of_the_room_goes_back() -> None:
    """Each repeat is possessive, so what it took is not given back and tried again."""
    found = 0
    modules = [each.name for each in pkgutil.walk_packages(explain.__path__, f"{explain.__name__}.")]
    for module in [*modules, line_splits.__name__]:
        for name, pattern in vars(importlib.import_module(module)).items():
            if isinstance(pattern, re.Pattern):
                found += 1
                plain = re.sub(r"\\.|\[(?:\\.|[^\]\\])+\]|\?\+", "x", pattern.pattern)
                assert not re.search(r"[*+](?!\+)(?<![*+]\+)|,\}", plain), (module, name, plain)
    assert found >= 8


@pytest.mark.parametrize(
    "text",
    [
        LARGE,
        "<script>" + '"<div>"' * 100_000 + "</script>",
        f'<img src="data:image/png;base64,{"A/b=" * 500_000}">',
        "<textarea>" + "<b>" * 100_000 + "</textarea>",
        "<br>" * 50_000,
        "<p>a</p><!-- " + "<div>" * 50_000 + " -->",
    ],
)
def test_what_is_little_work_is_counted_as_little(text: str) -> None:
    assert parse_steps(text) < MAX_PARSE_STEPS / 4


def test_a_page_of_more_nodes_than_are_looked_at_is_not_read() -> None:
    with pytest.raises(PageTooLargeError):
        read_page("a<!---->" * (MAX_NODES // 2 + 1), {})
    assert start_tags("<p>a</p><br>") == 2


def test_a_text_without_markup_needs_no_parser() -> None:
    code = (
        "import sys; from rea_capture.compare.explain.text.text import text_explanation as e;"
        "e('a', 'b', is_markup=False); print('selectolax' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"
