"""The pieces of sentences."""

from __future__ import annotations

import pytest

from rea_capture.wording import counted, listed, on_one_line, shortened


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", ""), ("abc", "abc"), ("abcd", "abc… (1 more character)"), ("abcdefg", "abc… (4 more characters)")],
)
def test_a_long_text_is_cut_and_the_rest_counted(text: str, expected: str) -> None:
    assert shortened(text, 3) == expected


def test_white_space_of_any_kind_becomes_one_space() -> None:
    assert on_one_line("\n a\t\r\n b\xa0c ") == "a b c"


@pytest.mark.parametrize(
    ("count", "expected"), [(0, "0 rules"), (1, "1 rule"), (2, "2 rules"), (1_234_567, "1,234,567 rules")]
)
def test_a_count_goes_with_its_noun(count: int, expected: str) -> None:
    assert counted(count, "rule") == expected


@pytest.mark.parametrize(
    ("names", "most", "expected"),
    [
        ([], None, "nothing"),
        ([], 2, "nothing"),
        (["a"], None, "a"),
        (["a", "b"], None, "a and b"),
        (["a", "b", "c"], None, "a, b and c"),
        (["a", "b", "c"], 3, "a, b and c"),
        (["a", "b", "c", "d"], 3, "a, b, c and 1 more"),
        (["a", "b", "c"], 1, "a and 2 more"),
    ],
)
def test_a_list_reads_as_a_sentence_does(names: list[str], most: int | None, expected: str) -> None:
    assert listed(names, most) == expected
