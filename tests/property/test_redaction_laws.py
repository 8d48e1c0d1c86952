"""Laws of redaction, for random secrets and random surroundings."""

from __future__ import annotations

import html
import json
from typing import Any
from urllib.parse import unquote

from hypothesis import assume, given
from hypothesis import strategies as st

from rea_capture.redaction import Redactor
from rea_capture.redaction.escapes import MAX_NESTED_ENCODINGS
from rea_capture.redaction.spellings import INVISIBLE, WHITE_SPACE
from tests.fuzz.examples import examples
from tests.redaction.encoders import ENCODERS

# Characters that encoders treat specially, letters that escapes are made of, and some of each plane.
ALPHABET = "\"'&<>\\%+/;#= \n\t\r\xa0au02n5xéß\u0301日😀-"
secrets = st.text(ALPHABET, min_size=2, max_size=12).filter(
    lambda value: len(value.strip(WHITE_SPACE + INVISIBLE)) >= 2
)
# No secret is made of these alone, and no escape ends or begins with them.
surroundings = st.text("XYZ,.:()[]{}|~^*\x00öж🚀", max_size=20)
encoders = st.sampled_from(sorted(ENCODERS))
several = st.dictionaries(st.sampled_from(["a", "b", "c", "ab"]), secrets, min_size=1, max_size=3)
texts = st.text(ALPHABET + "[]:REDACTab", max_size=60)
# An example tries every encoder or compiles several patterns; it takes some tens of milliseconds.
thorough = examples(40)


def trimmed(value: str) -> str:
    return value.strip(WHITE_SPACE + INVISIBLE)


@thorough
@given(secrets, encoders, surroundings, surroundings)
def test_every_spelling_is_replaced_and_its_surroundings_are_kept(
    secret: str, encoder: str, before: str, after: str
) -> None:
    spelled = ENCODERS[encoder](trimmed(secret))
    redactor = Redactor({"id": secret})
    expected = f"{before}[REDACTED:id]{after}"
    assert redactor.text(before + spelled + after) == expected
    assert redactor.data((before + spelled + after).encode()) == expected.encode()


@thorough
@given(secrets, encoders, encoders)
def test_encoders_in_a_row_are_followed(secret: str, first: str, second: str) -> None:
    nested = {name for name in ENCODERS if name.startswith(("percent", "JSON", "HTML", "XML"))}
    assume(first in nested and second in nested)
    assume("every" not in first + second and "three" not in first + second and "in JSON in" not in first)
    assume(first.count("JSON") + second.count("JSON") <= MAX_NESTED_ENCODINGS)
    spelled = ENCODERS[second](ENCODERS[first](trimmed(secret)))
    assert Redactor({"id": secret}).text(f"X{spelled}Y") == "X[REDACTED:id]Y"


@thorough
@given(secrets, st.data())
def test_it_never_matters_which_characters_are_escaped(secret: str, data: Any) -> None:
    spelled = "".join(
        data.draw(st.sampled_from(_ways(character, json_too="\\" not in secret)))
        for character in trimmed(secret)
    )
    assert Redactor({"id": secret}).text(f"X{spelled}Y") == "X[REDACTED:id]Y"


def _ways(character: str, json_too: bool) -> list[str]:
    percent = "".join(f"%{byte:02X}" for byte in character.encode())
    ways = [character, percent, percent.lower(), f"&#{ord(character)};", f"&#x{ord(character):x};"]
    return [*ways, json.dumps(character)[1:-1]] if json_too else ways


@thorough
@given(secrets, surroundings, surroundings)
def test_nothing_that_decodes_to_the_secret_remains(secret: str, before: str, after: str) -> None:
    value = "Zq" + trimmed(secret)  # a value like "00" would also be found within an escape
    redactor = Redactor({"id": value})
    for encode in ENCODERS.values():
        redacted = redactor.text(encode(before + value + after))
        assert value not in redacted
        assert value not in unquote(redacted)
        assert value not in html.unescape(redacted)
        assert not redactor.shows(redacted)
        document = redactor.text(json.dumps({"key": encode(before + value + after)}))
        assert value not in json.loads(document)["key"]


@thorough
@given(several, texts, st.lists(secrets, max_size=2))
def test_redacting_twice_is_redacting_once(values: dict[str, str], text: str, more: list[str]) -> None:
    redactor = Redactor(values)
    once = redactor.text(text.join([*values.values(), *more]))
    assert redactor.text(once) == once
    assert not redactor.shows(once)
    in_bytes = redactor.data(once.encode())
    assert redactor.data(in_bytes) == in_bytes


@thorough
@given(several, texts)
def test_the_order_of_secrets_never_matters(values: dict[str, str], text: str) -> None:
    whole = text.join(values.values()) + "".join(values.values())
    backwards = dict(reversed(values.items()))
    assert Redactor(values).text(whole) == Redactor(backwards).text(whole)
    assert Redactor(values).data(whole.encode()) == Redactor(backwards).data(whole.encode())


@thorough
@given(several, st.text("BDEFGHIJKLMNOPQ.,:()|~^ж🚀", max_size=60))
def test_a_text_without_a_secret_is_unchanged(values: dict[str, str], text: str) -> None:
    redactor = Redactor(values)
    assert redactor.text(text) == text
    assert redactor.data(text.encode()) == text.encode()
    assert not redactor.shows(text)


@thorough
@given(st.binary(max_size=80), st.binary(max_size=80), secrets)
def test_bytes_around_a_secret_are_kept(before: bytes, after: bytes, secret: str) -> None:
    redactor = Redactor({"id": "~" + trimmed(secret) + "~"})
    assume(b"~" not in before + after)
    assume(not any(sign in before + after for sign in (b"%", b"&", b"\\")))
    redacted = redactor.data(before + f"~{trimmed(secret)}~".encode() + after)
    assert redacted == before + b"[REDACTED:id]" + after


@thorough
@given(st.text("XYZ,.:жö🚀\x00", max_size=30), secrets, st.text("XYZ,.:жö🚀\x00", max_size=30))
def test_text_and_bytes_agree(before: str, secret: str, after: str) -> None:
    redactor = Redactor({"id": secret})
    for encode in ENCODERS.values():
        whole = before + encode(secret) + after
        assert redactor.data(whole.encode()).decode() == redactor.text(whole)
