"""The driver's errors become sentences that repeat nothing of the page, where it may have been cut."""

from __future__ import annotations

import pytest
from playwright.async_api import Error

from rea_capture.browser.failures import BROWSER_CLOSED, is_closing, reason_of

MAKE_IT_ONE = "; make the locator more specific, so that it matches one element"


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (
            'Locator.click: Error: strict mode violation: locator("p") resolved to 2 elements:\n'
            '    1) <p>correct horse…</p> aka get_by_text("correct horse")\n    2) <p>x</p> aka x\n\n'
            "Call log:\n  - waiting for locator(\"p\")\n",
            f'strict mode violation: locator("p") resolved to 2 elements{MAKE_IT_ONE}',
        ),
        (
            "Page.click: \"_react\" selector is not supported: locator(\"x\") resolved to 1 element:"
            "\n    1) <p>q…</p>",
            '"_react" selector is not supported: locator("x") resolved to 1 element',
        ),
        (
            'Locator.click: Selector "#f" resolved to <p title="a…">, <iframe> was expected'
            "…</p>, <iframe> was expected",
            'Selector "#f" resolved to an element, <iframe> was expected',
        ),
        (
            "Locator.fill: Expected an input but got JSHandle@<p>correct h…</p>",
            "Expected an input but got an element",
        ),
        (
            "Locator.click: Timeout 300ms exceeded.\nCall log:\n  - waiting for locator(\"#x\")\n"
            "    - locator resolved to visible <p>correct h…</p>\n"
            "    - <i>waiting for it…</i> intercepts pointer events\n",
            'Timeout 300ms exceeded while waiting for locator("#x")',
        ),
        (
            "Locator.fill: Error: Element is not an <input>, <textarea> or [contenteditable] element",
            "Error: Element is not an <input>, <textarea> or [contenteditable] element",
        ),
        (
            'Page.goto: net::ERR_ABORTED at http://a.test/\nCall log:\n  - navigating to "http://a.test/"',
            "net::ERR_ABORTED at http://a.test/",
        ),
    ],
)  # fmt: skip
def test_elements_of_the_page_are_dropped_and_the_rest_is_kept(message: str, sentence: str) -> None:
    assert reason_of(Error(message)) == sentence


@pytest.mark.parametrize(
    ("message", "closing"),
    [
        ("Page.goto: Target page, context or browser has been closed", True),
        ("Connection closed while reading from the driver", True),
        (BROWSER_CLOSED, True),
        ("Timeout 300ms exceeded.\nCall log:\n  - the dialog has been closed", False),
    ],
)
def test_errors_that_only_say_that_something_was_closed_are_known(message: str, closing: bool) -> None:
    assert is_closing(Error(message)) is closing
