"""The list of usual spellings holds nothing that the grammar would not find, and what pages usually write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from rea_capture.redaction import Redactor
from rea_capture.redaction.spellings import trimmed
from rea_capture.redaction.usual import usual_spellings
from tests.property.test_redaction_laws import secrets
from tests.redaction.encoders import ENCODERS
from tests.redaction.test_spellings import SECRETS

USUAL_ENCODERS = (
    "raw",
    "percent",
    "percent, nothing safe",
    "percent, much safe",
    "percent, plus for space",
    "JSON",
    "JSON in ASCII",
    "JSON with escaped slashes",
    "HTML",
    "HTML text",
    "HTML attribute",
    "XML",
)
PRINTED_BY_SCRIPTS = "pä ss/\"wörd\"\\<1>&'x'"


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_each_is_found_whole_by_the_grammar(secret: str) -> None:
    redactor = Redactor({"id": secret})
    for spelling in usual_spellings(trimmed(secret)):
        assert redactor.text(f"<{spelling}>") == "<[REDACTED:id]>", spelling


@settings(max_examples=40, deadline=None)
@given(secrets)
def test_each_is_found_whatever_the_secret(secret: str) -> None:
    redactor = Redactor({"id": secret})
    for spelling in usual_spellings(trimmed(secret)):
        assert redactor.text(f"X{spelling}Y") == "X[REDACTED:id]Y", spelling


@pytest.mark.parametrize("encoder", USUAL_ENCODERS)
@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_what_usual_encoders_write_is_in_the_list(secret: str, encoder: str) -> None:
    assert ENCODERS[encoder](secret) in usual_spellings(secret)


@pytest.mark.parametrize(
    "spelling",
    [
        "p%C3%A4%20ss%2F%22w%C3%B6rd%22%5C%3C1%3E%26'x'",  # encodeURIComponent
        "p%C3%A4+ss%2F%22w%C3%B6rd%22%5C%3C1%3E%26'x'",
        "p%c3%a4%20ss%2f%22w%c3%b6rd%22%5c%3c1%3e%26%27x%27",
        "pä ss/\\\"wörd\\\"\\\\<1>&'x'",  # JSON.stringify
        "p\\u00e4 ss/\\\"w\\u00f6rd\\\"\\\\<1>&'x'",
        "pä ss/&quot;wörd&quot;\\&lt;1&gt;&amp;'x'",
        "pä ss/\"wörd\"\\&lt;1&gt;&amp;'x'",
    ],
)
def test_what_browsers_print_is_in_the_list(spelling: str) -> None:
    assert spelling in usual_spellings(PRINTED_BY_SCRIPTS)


def test_a_long_value_is_there_in_lower_case_and_a_short_one_is_not() -> None:
    assert usual_spellings("Host-Name-1") == ("Host-Name-1", "host-name-1")
    assert usual_spellings("Host-1") == ("Host-1",)
