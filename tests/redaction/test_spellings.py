"""Every spelling of a secret that an ordinary encoder writes is found, in text and in bytes."""

from __future__ import annotations

import pytest

from rea_capture.redaction import Redactor
from tests.redaction.encoders import ENCODERS

SECRETS = {
    "quotes": 'it\'s "so" secret',
    "markup": "a<b>&c;d",
    "backslashes": "C:\\dir\\\\new\\",
    "backslash and letters": "x\\n\\u0041\\t",
    "percent": "50%25%2B+1 100%",
    "non-ASCII": "pä\u0308sswört ß",
    "astral": "key😀🔑end",
    "lines": "-----BEGIN\r\nab+/c=\nd\te-----END",
    "spaces": "two  words\xa0and more",
    "only signs": "\"&<\\>'",
    "no ASCII": "日本語パスワード",
    "quotes in a row": "''\"\"''",
    "slashes": "a/b//c",
    "looks encoded": "&amp;%41\\x41&#65;",
    "Korean": "\u1112\u1161\u11ab글",
    "controls": "a\x01b\x7fc\x85d",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("encoder", ENCODERS)
def test_a_spelling_is_replaced_whole_and_only_it(secret: str, encoder: str) -> None:
    spelled = ENCODERS[encoder](secret)
    redactor = Redactor({"id": secret})
    for before, after in (("x", "y"), ("", ""), ('{"a": <', "> 1}"), ("?a=", "#b")):
        expected = f"{before}[REDACTED:id]{after}"
        assert redactor.text(before + spelled + after) == expected
        assert redactor.data((before + spelled + after).encode()) == expected.encode()
        assert redactor.shows(before + spelled + after)


@pytest.mark.parametrize(
    ("secret", "spelled"),
    [
        ("p&q", "p\\u0026q"),
        ("p&q", "p&ampq"),
        ("p&q", "p&#038;q"),
        ("p&q", "p%26amp%3Bq"),
        ("p&q", "p%2526q"),
        ("p'q", "p&#39q"),
        ('p"q', "p&amp;amp;quot;q"),
        ('p"q', 'p\\\\\\"q'),
        ('p"q', "p\\u{22}q"),
        ("p\u00e9q", "p\\U000000E9q"),
        ("p\u00e9q", "p&eacute;q"),
        ("p\u00e9q", "p%e9q"),
        ("p q", "p\n        q"),
        ("p q", "p&nbsp;q"),
        ("p q", "p&#xA0;q"),
        ("p q", "p\\u00a0q"),
        ("p q", "p%0D%0Aq"),
        ("p q", "p \\\n    \\ q"),
        ("p\u00adq", "pq"),
        ("p\u200b q", "p q"),
        ("p\tq", "pq"),
        (" pq\n", "pq"),
        ("pqr", "p%71r"),
        ("pqr", "p\\x71r"),
        ("pqr", "p&#x71;r"),
        ("Host-Name-1", "host-name-1"),
        ("😀!", "\\ud83d\\uDE00!"),
        ("p\u20acq", "p\u00e2\u201a\u00acq"),
    ],
)
def test_a_rare_spelling_is_replaced(secret: str, spelled: str) -> None:
    assert Redactor({"id": secret}).text(f"<{spelled}>") == "<[REDACTED:id]>"


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        ("secret", "secre"),
        ("secret", "Secret"),
        ("a b", "ab"),
        ("a-b", "a - b"),
        ("a+b", "a b"),
        ("a&b", "a&amp;&b"),
        ("p'q", "p''' q"),
        ("a\\b", "ab"),
        ("p\nq", "pnq"),
        ("é!", "e!"),
    ],
)
def test_another_text_is_left_alone(secret: str, text: str) -> None:
    redactor = Redactor({"id": secret})
    assert redactor.text(text) == text
    assert redactor.data(text.encode()) == text.encode()
    assert not redactor.shows(text)


def test_legacy_bytes_are_redacted_and_binary_bytes_around_them_kept() -> None:
    noise = bytes(range(256))
    redacted = Redactor({"id": "grün&gelb"}).data(noise + "grün&gelb".encode("windows-1252") + noise)
    assert redacted == noise + b"[REDACTED:id]" + noise


@pytest.mark.parametrize(
    ("secret", "text", "expected"),
    [
        ("0;2", "%30;2", "[REDACTED:id]"),
        ("0;2", "%300;2", "%30[REDACTED:id]"),
        ("a0;x", "a%30;x", "[REDACTED:id]"),
        ("0;z", "&#x30;;z", "[REDACTED:id]"),
        (";;9z", ";&#59;9z", "[REDACTED:id]"),
    ],
)
def test_an_escape_that_ends_like_the_character_it_stands_for_is_replaced_whole(
    secret: str, text: str, expected: str
) -> None:
    assert Redactor({"id": secret}).text(text) == expected
