"""Texts made to be slow to search. With a search that is not near linear these tests never end."""

from __future__ import annotations

import pytest

from rea_capture.redaction import Redactor

MEGABYTE = 1_000_000
# Secrets of about a thousand characters, and megabytes that nearly match at every place.
HOSTILE = {
    "one letter": ("a" * 999 + "b", "a" * MEGABYTE),
    "itself all over": ("a" * 1000, "a" * MEGABYTE),
    "pairs": ("a-" * 499 + "bc", "a-" * (MEGABYTE // 2)),
    "words": ("a " * 499 + "bc", ("a " * 998 + "c b") * 500),
    "backslashes": ('"\\' * 500 + "x", "\\" * MEGABYTE + "x"),
    "white space": ("a b" * 333, "ab" + " " * MEGABYTE + "ba"),
    "beginnings": ("Xy" + "q1-" * 332 + "zz", ("Xy" + "q1-" * 332 + "z") * 1000),
    "quotes": ("'" * 1000, "x'" * (MEGABYTE // 2)),
    "percents": ("%25" * 300 + "z", "%25" * (MEGABYTE // 3)),
    "ampersands": ("&amp;" * 200 + "z", "&amp;" * (MEGABYTE // 5)),
    "escaped letters": ("secret" * 160, "\\x73\\x65" * (MEGABYTE // 8)),
}


@pytest.mark.parametrize(("secret", "text"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_searched_to_its_end(secret: str, text: str) -> None:
    redactor = Redactor({"id": secret})
    redacted = redactor.text(text + "\n" + secret + "\n")
    assert redacted.endswith("[REDACTED:id]\n")
    assert not redactor.shows(redacted)


def test_runs_that_could_be_split_in_many_ways_do_not_multiply() -> None:
    secret = "\\ \"' + &%" * 12 + "!"
    text = ("\\ \"' + &%" * 12 + "?") * 50 + "\\\\\\ " * 2000
    redactor = Redactor({"id": secret})
    assert redactor.text(text) == text
    assert redactor.text(text + "X" + secret) == text + "X" + "[REDACTED:id]"
