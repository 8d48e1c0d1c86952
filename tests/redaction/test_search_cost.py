"""Texts made to be slow to search. With a search that is not near linear these tests never end."""

from __future__ import annotations

import pytest

from rea_capture.redaction import Redactor

MEGABYTE = 1_000_000
# Secrets of hundreds of characters, and megabytes that nearly match at every place.
HOSTILE = {
    "one letter": ("a" * 999 + "b", "a" * MEGABYTE),
    "itself all over": ("a" * 1000, "a" * MEGABYTE),
    "pairs": ("a-" * 99 + "bc", "a-" * (MEGABYTE // 2)),
    "words": ("a " * 99 + "bc", ("a " * 198 + "c b") * 2500),
    "backslashes": ('"\\' * 99 + "x", "\\" * MEGABYTE + "x"),
    "white space": ("a b" * 99, "ab" + " " * MEGABYTE + "ba"),
    "beginnings": ("Xy" + "q1-" * 99 + "zz", ("Xy" + "q1-" * 99 + "z") * 3000),
    "quotes": ("'" * 199, "x'" * (MEGABYTE // 2)),
    "percents": ("%25" * 99 + "z", "%25" * (MEGABYTE // 3)),
    "ampersands": ("&amp;" * 49 + "z", "&amp;" * (MEGABYTE // 5)),
    "escaped letters": ("secret" * 33, "\\x73\\x65" * (MEGABYTE // 8)),
}


@pytest.mark.parametrize(("secret", "text"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_searched_to_its_end(secret: str, text: str) -> None:
    redactor = Redactor({"id": secret})
    redacted = redactor.text(text + "\n" + secret + "\n")
    assert redacted.endswith("[REDACTED:id]\n")
    assert not redactor.shows(redacted)


def test_runs_that_could_be_split_in_many_ways_do_not_multiply() -> None:
    secret = "\\ \"' + &%" * 6 + "!"
    text = ("\\ \"' + &%" * 6 + "?") * 50 + "\\\\\\ " * 2000
    redactor = Redactor({"id": secret})
    assert redactor.text(text) == text
    assert redactor.text(text + "X" + secret) == text + "X" + "[REDACTED:id]"
