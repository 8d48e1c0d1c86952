"""A secret that a browser's preview has cut in two leaves neither piece."""

from __future__ import annotations

import pytest

from rea_capture.redaction import Redactor

TOKEN = "eyJhbGciOi-0123456789-abcdefghijklmnopqrstuvwxyz-" * 3


@pytest.fixture
def redactor() -> Redactor:
    return Redactor({"token": TOKEN, "word": "Tr0ub4dor&3 zebra"})


def test_both_ends_of_a_long_secret_are_replaced(redactor: Redactor) -> None:
    cut = f"{{token: {TOKEN[:50]}\u2026{TOKEN[-49:]}}}"
    assert redactor.abridged(cut) == "{token: [REDACTED:token]\u2026[REDACTED:token]}"


def test_the_beginning_and_the_end_of_a_short_one_are_replaced(redactor: Redactor) -> None:
    assert redactor.abridged("[zzTr0ub4do\u2026yy]") == "[zz[REDACTED:word]\u2026yy]"
    assert redactor.abridged("[zz\u2026zebra yy]") == "[zz\u2026[REDACTED:word] yy]"
    assert redactor.abridged("?q=Tr0ub4dor%263%20z\u2026") == "?q=[REDACTED:word]\u2026"


def test_ordinary_text_with_an_ellipsis_is_left_alone(redactor: Redactor) -> None:
    for text in ("and so on\u2026", "\u2026more", "a\u2026b\u2026c", "Loading\u2026"):
        assert redactor.abridged(text) == text
    assert Redactor({}).abridged("Loading\u2026") == "Loading\u2026"


def test_a_whole_secret_is_replaced_as_ever(redactor: Redactor) -> None:
    assert redactor.abridged(f"is {TOKEN}\u2026") == "is [REDACTED:token]\u2026"


@pytest.mark.parametrize(
    "cut",
    [
        "Tr0ub4dor&amp;3 z\u2026",
        "\u2026or&amp;3 zebra",
        "\u2026rd \\u2713 zebra",
        "Pass w\\u00f6rd\u2026",
        "pass w\u00f6rd\u2026",
        "Pass%20w%c3%b6rd\u2026",
    ],
)
def test_an_end_is_replaced_in_every_usual_spelling(cut: str) -> None:
    redactor = Redactor({"word": "Tr0ub4dor&3 zebra", "sign": "Pass w\u00f6rd \u2713 zebra"})
    redacted = redactor.abridged(cut)
    kept = redacted.replace("[REDACTED:word]", "").replace("[REDACTED:sign]", "")
    assert kept == "\u2026", redacted
