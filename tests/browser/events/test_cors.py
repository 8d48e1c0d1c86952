"""Which requests a preflight is due to, were they cross-origin; ``test_requests_are_not_passed_over`` in
the folder beside this one holds the same against a real browser."""

from __future__ import annotations

import pytest

from rea_capture.browser.events.cors import Preflight, preflight_of

FORM = "application/x-www-form-urlencoded"
SENT_UNASKED = {"user-agent": "a (b)", "referer": "http://a.test/", "sec-ch-ua": '"a"'}


@pytest.mark.parametrize(
    ("method", "resource_type", "headers"),
    [
        ("GET", "fetch", {}),
        ("HEAD", "xhr", {"accept": "text/html, */*;q=0.1"}),
        ("GET", "fetch", {"accept-language": "de-DE, de;q=0.5", "content-language": "en"}),
        ("GET", "fetch", {"range": "bytes=0-"}),
        ("GET", "fetch", {"dpr": "2", "save-data": "on"}),
        ("POST", "fetch", {"content-type": f"{FORM};charset=UTF-8"}),
        ("POST", "fetch", {"content-type": "multipart/form-data; boundary=x"}),
        ("POST", "xhr", {}),
        ("POST", "ping", {"content-type": "text/plain;charset=UTF-8"}),
        ("POST", "ping", {"content-type": "text/ping", "ping-to": "http://a.test/"}),
        ("POST", "cspreport", {"content-type": "application/csp-report"}),
        ("POST", "document", {"content-type": "text/other"}),
        ("GET", "media", {"range": "bytes=0-1,3-4"}),
    ],
)
def test_what_a_form_or_the_browser_itself_could_send_needs_no_preflight(
    method: str, resource_type: str, headers: dict[str, str]
) -> None:
    assert preflight_of(method, resource_type, {**SENT_UNASKED, **headers}) is Preflight.NEVER


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("PUT", {}),
        ("patch", {}),
        ("GET", {"x-a": "1"}),
        ("GET", {"authorization": "Basic x"}),
        ("GET", {"cache-control": "no-cache"}),
        ("GET", {"accept": "a(b)"}),
        ("GET", {"accept": "a" * 129}),
        ("GET", {"accept-language": "de_DE"}),
        ("GET", {"range": "bytes=-1"}),
        ("GET", {"dpr": "1" * 129}),
        ("GET", dict.fromkeys(("accept", "dpr", "rtt", "ect", "width", "viewport-width"), "1" * 128)
         | dict.fromkeys(("device-memory", "downlink", "accept-language"), "1" * 128)),
        ("POST", {"content-type": "application/json"}),
        ("POST", {"content-type": "text/plain; a=(b)"}),
    ],
)  # fmt: skip
def test_what_only_a_script_could_send_needs_one(method: str, headers: dict[str, str]) -> None:
    for resource_type in ("fetch", "xhr", "ping", "other"):
        assert preflight_of(method, resource_type, {**SENT_UNASKED, **headers}) is Preflight.ALWAYS


@pytest.mark.parametrize(("resource_type", "headers"), [("xhr", {"content-type": FORM}), ("fetch", {})])
def test_a_watched_upload_and_a_stream_do_not_show(resource_type: str, headers: dict[str, str]) -> None:
    assert preflight_of("POST", resource_type, {**SENT_UNASKED, **headers}) is Preflight.POSSIBLE
