"""URLs: what a scenario may name, how query entries are added, what is kept of an observed one."""

from __future__ import annotations

import pytest

from rea_capture.contracts.destinations import Destination, QueryEntry
from rea_capture.contracts.urls import (
    MAX_URL_CHARACTERS,
    observed_url,
    origin_of,
)
from rea_capture.contracts.values import LiteralValue
from rea_capture.redaction import Redactor


def observed(raw: str, **secrets: str) -> tuple[str, str | None, tuple[str, ...], bool]:
    seen = observed_url(raw, Redactor(secrets).text)
    return seen.url, seen.origin, seen.query_parameter_names, seen.redacted


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://Example.COM:80/x", "http://example.com"),
        ("https://example.com:8443/?a=b", "https://example.com:8443"),
        ("http://[::1]:3000/", "http://[::1]:3000"),
        ("ws://example.com/socket", "ws://example.com"),
        ("blob:https://example.com/3a1c", "https://example.com"),
        ("data:text/html,hi", None),
        ("about:blank", None),
        ("http://example.com:port/", None),
        ("", None),
        ("http://Bücher.example/x", "http://xn--bcher-kva.example"),
        ("http://bü..cher.de/", "http://bü..cher.de"),
    ],
)
def test_an_origin_is_printed_as_a_browser_prints_it(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


def test_an_ordinary_url_is_kept_whole_and_its_parameter_names_sorted() -> None:
    url = "http://127.0.0.1:3000/p?b=1&a=%20&b=2#part"
    assert observed(url) == (url, "http://127.0.0.1:3000", ("a", "b"), False)


def test_user_information_is_taken_out() -> None:
    assert observed("http://ada:lovelace@example.com/x") == (
        "http://example.com/x",
        "http://example.com",
        (),
        True,
    )


def test_a_secret_is_taken_out_of_url_and_parameter_names() -> None:
    url, _, names, redacted = observed("http://example.com/?to%20ken=1&q=to%20ken", s="to ken")
    assert url == "http://example.com/?[REDACTED:s]=1&q=[REDACTED:s]"
    assert names == ("[REDACTED:s]", "q")
    assert redacted


def test_the_random_part_of_a_blob_url_is_taken_out() -> None:
    first = observed("blob:http://example.com/2c2e527d-a8d4-42b8-8415-ed9bad1db5f5")
    second = observed("blob:http://example.com/15921392-7186-4867-a5cf-1bf70d207a2d")
    assert first == second == ("blob:http://example.com/[blob-id]", "http://example.com", (), True)


def test_a_very_long_url_keeps_its_head_and_a_digest_of_the_rest() -> None:
    long = "data:text/plain," + "x" * (2 * MAX_URL_CHARACTERS)
    url, *_ = observed(long)
    assert url.startswith(long[:MAX_URL_CHARACTERS])
    assert "more characters, sha256" in url
    assert observed(long) != observed(long[:-1] + "y")


def test_query_entries_are_added_in_order_before_the_fragment() -> None:
    entries = (("b", "1 & 2"), ("a", "é"))
    query = tuple(
        QueryEntry(name=name, value=LiteralValue(source="literal", value=value)) for name, value in entries
    )
    destination = Destination(url="http://example.com/x?first=0#part", query=query)
    resolved = destination.resolved(lambda value: value.value if isinstance(value, LiteralValue) else "")
    assert resolved == "http://example.com/x?first=0&b=1%20%26%202&a=%C3%A9#part"
