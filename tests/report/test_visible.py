"""Nothing that is not seen is left in a text, and nothing that is seen is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.cli.terminal import printable
from rea_capture.compare.explain.shown_text import shown_text
from rea_capture.report.visible import visible
from rea_capture.visible import UNSEEN

UNSEEN_SIGNS = (
    "\x00\t\n\x0b\r\x1b\x1f\x7f\x80\x85\x9f\u2028\u2029\ud800\udfff\ufffe\uffff\ufdd0\U0001fffe\U0010ffff"
    "\xad\u0600\u0605\u061c\u06dd\u070f\u0890\u08e2\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2064"
    "\u2065\u2066\u2069\u206f\ufeff\ufff9\ufffb\U000110bd\U000110cd\U00013430\U0001343f\U0001bca0\U0001d173"
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufff0\U000e0000\U000e0001\U000e0020\U000e007f\U000e0fff"
    "\u180b\u180d\u180f\ufe00\ufe0e\ufe0f\U000e0100\U000e01ef"
)
SEEN_SIGNS = (
    " ~\\\xa0\xa1\xac\xae\xffΩЖאعक你"
    "\u2003\u2027\u202f\u205f\u2070\u3000\u3163\u3165\ufe10\ufefe\uffa1\ufffc\ufffd"
    "\u0606\u0301\u034e\u0350\u1161\u17b6\u1810\u180a\ue000\U0001fae8\U0001f600\U0001e030\U000dfff0\U000f0000"
    "\u0378\U00010d50"  # not in every edition of Unicode that a Python has
)


@pytest.mark.parametrize("sign", UNSEEN_SIGNS, ids=ascii)
def test_what_has_no_shape_is_written_out(sign: str) -> None:
    escape = ascii(sign)[1:-1]
    assert visible(f"a{sign}b") == f"a{escape}b"
    assert printable(f"a{sign}b") == (f"a{sign}b" if sign in "\t\n" else f"a{escape}b")
    is_space = sign in "\t\n\x0b\r\x1f\x85\u2028\u2029"
    assert shown_text(f"a{sign}b", 20) == ("a b" if is_space else f"a{escape}b")


@pytest.mark.parametrize("sign", SEEN_SIGNS, ids=ascii)
def test_what_has_a_shape_or_takes_room_stays(sign: str) -> None:
    assert visible(f"a{sign}b") == printable(f"a{sign}b") == f"a{sign}b"


def test_the_table_is_in_order_of_its_ranges_and_counts_what_it_should() -> None:
    signs = [code for first, last in UNSEEN for code in range(first, last + 1)]
    assert len(signs) == len(set(signs)) == 6_387


@given(st.text(alphabet=st.characters(codec=None)))
def test_the_text_is_on_one_line_and_well_formed(text: str) -> None:
    shown = visible(text)
    assert shown.splitlines() in ([], [shown])
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_an_escape_says_what_was_there() -> None:
    assert visible("a\nb\u202ec\x00") == "a\\nb\\u202ec\\x00"


def test_a_text_is_cut_and_the_rest_counted() -> None:
    assert visible("abcdef", 2) == "ab… (4 more characters)"
