"""Which addresses a policy of origins allows."""

from __future__ import annotations

import pytest

from rea_capture.contracts.runtime.policy import allows

POLICY = ("http://127.0.0.1:8000", "https://example.com")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/page?a=1#part",
        "https://example.com:443/",
        "blob:http://127.0.0.1:8000/3b0c6f4e-8b0e-4c55-9a52-0d2b6c2b6f11",
        "about:blank",
        "",
    ],
)
def test_what_is_of_a_listed_origin_and_a_blank_page_are_allowed(url: str) -> None:
    assert allows(POLICY, url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8001/",
        "http://example.com/",
        "blob:http://127.0.0.1:8001/3b0c6f4e-8b0e-4c55-9a52-0d2b6c2b6f11",
        "blob:null/3b0c6f4e-8b0e-4c55-9a52-0d2b6c2b6f11",
        "blob:blob:http://127.0.0.1:8000/x",
        "data:text/html,x",
        "about:srcdoc",
        "file:///etc/hosts",
        "http://somebody@127.0.0.1:8000/",
        "http://[",
    ],
)
def test_nothing_else_is_allowed_but_by_a_policy_that_allows_everything(url: str) -> None:
    assert not allows(POLICY, url)
    assert allows("*", url)
