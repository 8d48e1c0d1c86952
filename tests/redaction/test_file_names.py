"""A secret in the name of a file is found as browsers write it there."""

from __future__ import annotations

import pytest

from rea_capture.redaction import Redactor

KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


@pytest.fixture
def redactor() -> Redactor:
    return Redactor({"key": KEY, "odd": '~a:b*c?"d\n<e>|f.', "address": "path/to?the=rest"})


@pytest.mark.parametrize(
    ("name", "redacted"),
    [
        ("key-wJalrXUtnFEMI_K7MDENG_bPxRfiCYEXAMPLEKEY.txt", "key-[REDACTED:key].txt"),
        ("wjalrxutnfemi_k7mdeng_bpxrficyexamplekey", "[REDACTED:key]"),
        (f"key-{KEY}.txt", "key-[REDACTED:key].txt"),
        ("_a_b_c__d__e__f_.txt", "[REDACTED:odd].txt"),
        ("x~a_b_c__d__e__f", "x[REDACTED:odd]"),
        ("bPxRfiCYEXAMPLEKEY.txt", "[REDACTED:key].txt"),
        ("wJalrXUtnFEMI_K7MDENG_bPxRfiCYEXAMPLEKEY-bPxRfiCYEXAMPLEKEY", "[REDACTED:key]-bPxRfiCYEXAMPLEKEY"),
        ("path_to_the=rest", "[REDACTED:address]"),
        ("[REDACTED:key]_a_b_c__d__e__f", "[REDACTED:key][REDACTED:odd]"),
    ],
)
def test_what_browsers_substitute_in_file_names_is_known(
    redactor: Redactor, name: str, redacted: str
) -> None:
    assert redactor.file_name(name) == redacted
    assert redactor.file_name(redacted) == redacted


def test_an_underscore_is_no_wildcard_elsewhere(redactor: Redactor) -> None:
    text = "wJalrXUtnFEMI_K7MDENG_bPxRfiCYEXAMPLEKEY"
    assert redactor.text(text) == text
    assert redactor.data(text.encode()) == text.encode()
    assert not redactor.shows(text)


def test_names_without_the_secret_are_left_alone(redactor: Redactor) -> None:
    for name in ("a_b.txt", "______", "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY", "", "report_K7MDENG.pdf"):
        assert redactor.file_name(name) == name
    assert Redactor({}).file_name("a_b") == "a_b"
    assert Redactor({"marks": "/:/:?"}).file_name("a_____b") == "a_____b"
    assert Redactor({"plain": "hunter22"}).file_name("my_hunter22_x.txt") == "my_[REDACTED:plain]_x.txt"
