"""A secret that a browser's preview has cut in two leaves neither piece."""

from __future__ import annotations

import time

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
        "Pass&#32;w&ouml;r\u2026",
        "\u2026&#32;&#10003;&#32;zebra",
        "Pass w\\\\u00f6rd\u2026",
        "%50%61%73%73%20\u2026",
        "&#80;&#97;&#115;&#115;\u2026",
        "Tr0ub4dor&am\u2026",
        "Tr0ub4dor%2\u2026",
        "\u2026mp;3 zebra",
        "\u2026&3\n    zebra",
        "Pass w\\u00\u2026",
    ],
)
def test_an_end_is_replaced_in_every_usual_spelling(cut: str) -> None:
    redactor = Redactor({"word": "Tr0ub4dor&3 zebra", "sign": "Pass w\u00f6rd \u2713 zebra"})
    redacted = redactor.abridged(cut)
    kept = redacted.replace("[REDACTED:word]", "").replace("[REDACTED:sign]", "")
    assert kept == "\u2026", redacted


@pytest.mark.parametrize(
    ("error", "redacted"),
    [
        ('"correct-ho"... is', '"[REDACTED:pass]"... is'),
        ('..."e": correct-ho"... is', '..."e": [REDACTED:pass]"... is'),
        ('..."t-horse-ba"... is', '..."[REDACTED:pass]"... is'),
        ('..."staple-42} "... is', '..."[REDACTED:pass]} "... is'),
        ('..."staple-42" is', '..."[REDACTED:pass]" is'),
        ('\\"correct-ho\\"... is', '\\"[REDACTED:pass]\\"... is'),
        ('"correct-ho"...', '"[REDACTED:pass]"...'),
    ],
)
def test_what_an_error_about_json_shows_of_a_secret_is_replaced(error: str, redacted: str) -> None:
    redactor = Redactor({"pass": "correct-horse-battery-staple-42"})
    beginning, end = "Unexpected token 'c', ", " not valid JSON" if error.endswith(" is") else ""
    assert redactor.abridged(beginning + error + end) == beginning + redacted + end


def test_three_dots_elsewhere_are_no_cut() -> None:
    redactor = Redactor({"pass": "correct-horse-battery-staple-42"})
    for text in ('say "correct"... or so', "correct...", '..."horse"', 'a "correct", and'):
        assert redactor.abridged(text) == text


def test_a_secret_inside_a_cut_one_leaves_no_piece_of_that() -> None:
    both = Redactor({"inner": "battery", "outer": "correct-horse-battery-staple-42"})
    assert both.abridged("{a: correct-horse-battery-sta\u2026}") == "{a: [REDACTED:outer]\u2026}"


def test_the_time_for_cuts_grows_with_the_text() -> None:
    redactor = Redactor({f"s{n}": f"{n}secret-value-{n}" * 20 for n in range(5)})
    text = ("1secr es secret-valu" * 5 + "\u2026") * 1_000
    started = time.process_time()
    redactor.abridged(text)
    assert time.process_time() - started < 10


def test_an_escape_cut_after_a_backslash_of_the_value_is_replaced() -> None:
    redactor = Redactor({"path": "C:\\\u2713 zebra"})
    assert redactor.abridged("is C:\\\\\\u27\u2026") == "is [REDACTED:path]\u2026"
