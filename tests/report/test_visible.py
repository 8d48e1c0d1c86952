"""Nothing that is not seen is left in a text, and nothing that is seen is touched."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.report.visible import visible


def test_exactly_what_has_no_shape_is_written_out() -> None:
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        # Later editions of Unicode only add signs; those of this Python are what can be asked about.
        expected = unicodedata.category(sign) in unseen or code in {0xFFFE, 0xFFFF}
        written = visible(sign) != sign
        assert written == expected or unicodedata.category(sign) == "Cn", hex(code)


@given(st.text(alphabet=st.characters(codec=None)))
def test_the_text_is_on_one_line_and_well_formed(text: str) -> None:
    shown = visible(text)
    assert shown.splitlines() in ([], [shown])
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_an_escape_says_what_was_there() -> None:
    assert visible("a\nb\u202ec\x00") == "a\\nb\\u202ec\\x00"


def test_a_text_is_cut_and_the_rest_counted() -> None:
    assert visible("abcdef", 2) == "ab… (4 more characters)"
