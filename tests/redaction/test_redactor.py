"""What a Redactor promises besides knowing spellings: markers, overlaps, refusals."""

from __future__ import annotations

import pickle

import pytest

from rea_capture.errors import SecretRefusedError
from rea_capture.redaction import NO_SECRETS, Redactor, well_formed


@pytest.mark.parametrize("value", ["", "x", " ", " x\n", "\u200bx\u00a0", "\t\n", "x\u00ad"])
def test_a_value_of_fewer_than_two_visible_characters_is_refused(value: str) -> None:
    with pytest.raises(SecretRefusedError, match="'pin'"):
        Redactor({"pin": value})


def test_a_refusal_never_shows_the_value() -> None:
    with pytest.raises(SecretRefusedError) as caught:
        Redactor({"pin": "Ω"})
    assert "Ω" not in str(caught.value)
    with pytest.raises(SecretRefusedError) as caught:
        Redactor({"pin": "Ω[REDACTED:pin]"})
    assert "Ω" not in str(caught.value)


def test_a_short_value_is_accepted_and_named() -> None:
    redactor = Redactor({"b": "abc", "a": " xy ", "c": "abcd"})
    assert redactor.short_secret_ids == ("a", "b")
    assert redactor.text("xy and abc") == "[REDACTED:a] and [REDACTED:b]"


def test_needles_are_every_usual_spelling_longest_first() -> None:
    needles = Redactor({"a": "ab", "b": " one\n two\u00a0three ", "c": "ab"}).needles()
    assert {"one two three", "one%20two%20three", "one\\n two\\u00a0three", "ab"} < {*needles}
    assert len({*needles}) == len(needles)
    assert [len(needle) for needle in needles] == sorted(map(len, needles), reverse=True)


def test_nothing_printable_shows_a_value() -> None:
    redactor = Redactor({"id": "hunter2"})
    assert "hunter2" not in f"{redactor!r} {redactor} {[redactor]}"
    assert "hunter2" not in repr([getattr(redactor, name) for name in ("_secrets", "_markers")])


def test_a_redactor_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Redactor({}).anything = 1


def test_a_redactor_cannot_be_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Redactor({"id": "hunter2"}))


def test_the_longest_of_overlapping_secrets_wins_and_no_fragment_stays() -> None:
    redactor = Redactor({"short": "word", "long": "password1", "tail": "d1-end"})
    assert redactor.text("my password1-end, a word") == "my [REDACTED:long], a [REDACTED:short]"


def test_occurrences_that_overlap_themselves_are_replaced_together() -> None:
    assert Redactor({"id": "aba"}).text("-ababa-") == "-[REDACTED:id]-"
    assert Redactor({"id": "-a-"}).text("x-a-a-a-x") == "x[REDACTED:id]x"
    assert Redactor({"id": "--"}).text("a---b") == "a[REDACTED:id]b"


def test_equal_values_take_the_first_secret_id() -> None:
    assert Redactor({"b": "same", "a": "same"}).text("same") == "[REDACTED:a]"
    assert Redactor({"a": "same", "b": "same"}).text("same") == "[REDACTED:a]"


@pytest.mark.parametrize("value", ["REDACTED", "ED:a", "[REDACTED:", "]x", "x[", "a]", "[REDACTED"])
def test_a_value_like_a_part_of_a_marker_corrupts_none(value: str) -> None:
    redactor = Redactor({"a": value, "b": "other"})
    once = redactor.text(f"other {value} x[REDACTED:a]x")
    assert once == "[REDACTED:b] [REDACTED:a] x[REDACTED:a]x"
    assert redactor.text(once) == once
    assert redactor.data(once.encode()) == once.encode()
    assert not redactor.shows(once)


def test_a_marker_of_an_unknown_secret_is_ordinary_text() -> None:
    assert Redactor({"a": "REDACTED"}).text("[REDACTED:zz]") == "[[REDACTED:a]:zz]"


def test_a_replacement_is_never_searched_again() -> None:
    assert Redactor({"abc": "xyz", "z": "abc"}).text("xyz abc") == "[REDACTED:abc] [REDACTED:z]"


def test_without_secrets_only_surrogates_change() -> None:
    assert NO_SECRETS.text("a\ud800b") == "a\ufffdb"
    assert NO_SECRETS.data(b"\xff\x00") == b"\xff\x00"
    assert not NO_SECRETS.shows("anything [REDACTED:x]")
    assert NO_SECRETS.needles() == ()
    same = "plain"
    assert NO_SECRETS.text(same) is same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ud83d\ude00", "😀"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("a\udfff", "a\ufffd"),
        ("\ud800", "\ufffd"),
        ("é\x00\ufffd😀", "é\x00\ufffd😀"),
    ],
)
def test_each_lone_surrogate_becomes_one_replacement_character(text: str, expected: str) -> None:
    assert well_formed(text) == expected


def test_a_secret_beside_or_with_surrogates_is_found() -> None:
    assert Redactor({"id": "hunter2"}).text("\ud800hunter2") == "\ufffd[REDACTED:id]"
    assert Redactor({"id": "ab\udc80c"}).text("ab\udc80c") == "[REDACTED:id]"
