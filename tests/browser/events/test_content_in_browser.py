"""Network content of real pages: which state each kind of response and request ends in."""

from __future__ import annotations

import base64
import gzip
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.async_api import Browser

from rea_capture.capture.content import REFETCH_LIMITATION
from rea_capture.contracts.capture_selection import NetworkContentSelection
from rea_capture.redaction import Redactor
from tests.browser.events.support import ALL_CONTENT, RESPONSE_BODIES, Observation, observing
from tests.loopback import Answer, Handler, Loopback, Seen

REQUEST_BODIES = NetworkContentSelection(request_body=True)
HEADERS = NetworkContentSelection(header_values=True)


def _raw(head: bytes, body: bytes = b"") -> Handler:
    """A handler that writes these bytes and hangs up."""

    def write(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        connection.wfile.write(head.replace(b"\n", b"\r\n") + b"\r\n\r\n" + body)

    return write


def _fetching(loopback: Loopback, options_of: dict[str, str]) -> str:
    """A page that fetches each path with its options and reads the answer; its title says when."""
    fetches = ", ".join(
        f"fetch({path!r}, {options}).then(r => r.text()).catch(() => 0)"
        for path, options in options_of.items()
    )
    return loopback.route(
        "/", f"<script>Promise.all([{fetches}]).then(() => document.title = 'done')</script>"
    )


async def _visit(seen: Observation, url: str) -> None:
    await seen.page.goto(url)
    await seen.page.wait_for_function("document.title === 'done'")
    await seen.until(
        lambda: len(seen.items("request-finished", "request-failed")) == len(seen.items("request"))
    )
    await seen.finish()


async def test_empty_bodies_that_nothing_contradicts_are_captured_empty(
    browser: Browser, loopback: Loopback
) -> None:
    empty: dict[str, Answer | Handler] = {
        "/204": Answer(b"", None, 204),
        "/205": Answer(b"", None, 205),
        "/length-zero": Answer(b"", "text/plain"),
        "/no-chunks": _raw(b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked", b"0\r\n\r\n"),
        "/ended": _raw(b"HTTP/1.1 200 OK\nContent-Type: text/plain"),
    }
    for path, answer in empty.items():
        loopback.route(path, answer)
    async with observing(browser, content=RESPONSE_BODIES) as seen:
        await _visit(seen, _fetching(loopback, dict.fromkeys(empty, "{}")))
        bodies = {path: seen.content("response", path).body for path in empty}
        assert {path: (body.state, body.bytes) for path, body in bodies.items()} == dict.fromkeys(
            empty, ("captured", 0)
        )
        assert seen.missing() == set()


async def test_a_204_that_the_page_does_not_look_at_is_captured_empty(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/x", Answer(b"", None, 204))
    start = loopback.route("/", "<script>fetch('/x').then(() => document.title = 'done')</script>")
    async with observing(browser, content=RESPONSE_BODIES) as seen:
        await _visit(seen, start)
        await seen.until(lambda: bool(seen.items("network-content")))
        assert seen.content("response", "/x").body.bytes == 0


async def test_an_empty_body_of_a_response_that_declares_a_length_is_never_captured(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/x", Answer("12345", "text/plain"))
    async with observing(browser, content=RESPONSE_BODIES) as seen:
        await _visit(seen, _fetching(loopback, {"/x": "{method: 'HEAD'}"}))
        body = seen.content("response", "/x").body
        assert (body.state, body.reason) == ("unavailable", "body-read-failed")
        assert "declares a length" in body.message
        assert seen.missing() == {"events"}


async def test_bodies_of_redirects_and_of_304_are_unavailable(browser: Browser, loopback: Loopback) -> None:
    loopback.route("/end", "end")
    loopback.route("/302", Answer("moved", "text/plain", 302, [("Location", "/end")]))
    loopback.route("/304", Answer(b"", None, 304))
    start = _fetching(loopback, {"/302": "{}", "/304": "{headers: {'If-None-Match': 'x'}}"})
    async with observing(browser, content=RESPONSE_BODIES) as seen:
        await _visit(seen, start)
        for status in ("302", "304"):
            body = seen.content("response", f"/{status}").body
            assert (body.state, body.reason) == ("unavailable", "body-read-failed")
            assert status in body.message
            assert f"The body of a response is missing: {body.message}" in seen.stated()
        assert seen.content("response", "/end").body.state == "captured"
        assert seen.missing() == {"events"}


@pytest.mark.parametrize(
    ("content_type", "exposed"), [("application/x-any", b"plain \xff"), ("text/plain", "plain ÿ".encode())]
)
async def test_a_body_is_what_the_browser_exposes_and_not_what_was_on_the_wire(
    browser: Browser, loopback: Loopback, content_type: str, exposed: bytes
) -> None:
    packed = Answer(gzip.compress(b"plain \xff"), content_type, headers=[("Content-Encoding", "gzip")])
    loopback.route("/x", packed)
    async with observing(browser, content=RESPONSE_BODIES) as seen:
        await _visit(seen, _fetching(loopback, {"/x": "{}"}))
        body = seen.content("response", "/x").body
        assert base64.b64decode(body.content) == exposed
        assert body.media_type == content_type
        assert seen.stated() == (REFETCH_LIMITATION,)


async def test_a_dropped_connection_leaves_no_body(browser: Browser, loopback: Loopback) -> None:
    loopback.route("/x", _raw(b"HTTP/1.1 200 OK\nContent-Length: 100", b"abc"))
    async with observing(browser, content=ALL_CONTENT) as seen:
        await _visit(seen, _fetching(loopback, {"/x": "{}"}))
        content = seen.content("response", "/x")
        assert content.body.reason == "request-failed"
        assert "CONTENT_LENGTH_MISMATCH" in content.body.message
        assert content.headers.state == "captured"
        assert seen.missing() == {"events"}


async def test_unfinished_streams_and_unanswered_requests_are_not_waited_for(
    browser: Browser, loopback: Loopback
) -> None:
    released = threading.Event()

    def stream(connection: BaseHTTPRequestHandler, request: Seen) -> None:
        if request.path == "/stream":
            connection.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n")
            connection.wfile.flush()
        released.wait(20)

    loopback.route("/stream", stream)
    loopback.route("/poll", stream)
    start = loopback.route(
        "/",
        "<script>fetch('/poll', {method: 'POST', body: 'q'}).catch(() => 0);"
        "new EventSource('/stream').onmessage = () => document.title = 'streaming'</script>",
    )
    try:
        async with observing(browser, content=ALL_CONTENT) as seen:
            await seen.page.goto(start)
            await seen.page.wait_for_function("document.title === 'streaming'")
            await seen.finish()
            stream_content = seen.content("response", "/stream")
            assert stream_content.body.reason == "response-unfinished"
            assert stream_content.headers.state == "captured"
            poll = seen.content("request", "/poll")
            assert (poll.headers.state, poll.headers.reason) == ("unavailable", "capture-ended")
            assert base64.b64decode(poll.body.content) == b"q"
            assert len(seen.items("request-unfinished")) == 2
            assert seen.missing() == {"events"}
    finally:
        released.set()


async def test_a_body_the_browser_did_not_keep_is_loaded_again_and_the_capture_says_so(
    browser: Browser, loopback: Loopback
) -> None:
    """A prefetched body is not kept; the driver loads the URL again for whoever asks for it."""
    loopback.route("/x", Answer("prefetched", "text/plain", headers=[("Cache-Control", "no-store")]))
    start = loopback.route(
        "/", '<link rel=prefetch href=/x onload="document.title = \'done\'" onerror="this.onload()">'
    )
    async with observing(browser, content=RESPONSE_BODIES) as seen:
        await _visit(seen, start)
        body = seen.content("response", "/x").body
        assert base64.b64decode(body.content) == b"prefetched"
        assert loopback.targets().count("GET /x") == 2
        general, loaded = sorted(seen.stated())
        assert loaded.endswith(f"and holds the body of that second answer: {loopback.origin}/x")
        assert general == REFETCH_LIMITATION


async def test_request_bodies_are_those_the_browser_exposes(browser: Browser, loopback: Loopback) -> None:
    requests: dict[str, tuple[str, bytes | None]] = {
        "/text": ("{method: 'POST', body: 'a\\0é'}", "a\0é".encode()),
        "/form": ("{method: 'PUT', body: new URLSearchParams({a: '1 2'})}", b"a=1+2"),
        "/get": ("{}", None),
        "/empty-post": ("{method: 'POST'}", None),
        "/empty-delete": ("{method: 'DELETE'}", None),
    }
    for path in requests:
        loopback.route(path, Answer("ok", "text/plain"))
    start = _fetching(loopback, {path: options for path, (options, _) in requests.items()})
    async with observing(browser, content=REQUEST_BODIES) as seen:
        await _visit(seen, start)
        for path, (_, expected) in requests.items():
            body = seen.content("request", path).body
            if expected is None:
                assert body.state == "not_exposed", path
            else:
                assert base64.b64decode(body.content) == expected
                assert body.representation == "browser-exposed-request-bytes"
        assert seen.content("request", "/text").headers.state == "not_requested"
        assert seen.missing() == set(), "nothing says that a body was hidden"


async def test_a_request_body_that_the_browser_hides_is_missing(browser: Browser, loopback: Loopback) -> None:
    loopback.route("/x", Answer("ok", "text/plain"))
    start = _fetching(loopback, {"/x": "{method: 'POST', body: new Blob(['hidden'])}"})
    async with observing(browser, content=REQUEST_BODIES) as seen:
        await _visit(seen, start)
        assert seen.content("request", "/x").body.state == "not_exposed"
        assert seen.missing() == {"events"}


async def test_header_values_keep_order_and_duplicates_and_hide_credentials(
    browser: Browser, loopback: Loopback
) -> None:
    sent = [
        ("X-Two", "1"),
        ("Set-Cookie", "a=1"),
        ("X-Two", "hunter2secret"),
        ("Set-Cookie", "b=2; HttpOnly"),
    ]
    loopback.route("/x", Answer("ok", "text/plain", headers=sent))
    start = _fetching(loopback, {"/x": "{headers: {Authorization: 'Basic abc'}}"})
    async with observing(browser, content=HEADERS, redactor=Redactor({"key": "hunter2secret"})) as seen:
        await seen.context.add_cookies([{"name": "c", "value": "1", "url": loopback.origin}])
        await _visit(seen, start)
        request = {item.name.lower(): item for item in seen.content("request", "/x").headers.items}
        assert (request["cookie"].value, request["cookie"].redacted) == (None, True)
        assert (request["authorization"].value, request["authorization"].redacted) == (None, True)
        assert request["user-agent"].value
        response = seen.content("response", "/x").headers.items
        two = [(item.value, item.redacted) for item in response if item.name.lower() == "x-two"]
        assert two == [("1", False), ("[REDACTED:key]", True)]
        cookies = [(item.value, item.redacted) for item in response if item.name.lower() == "set-cookie"]
        assert cookies == [(None, True), (None, True)]
        assert seen.content("request", "/x").body.state == "not_requested"


async def test_a_body_over_the_limit_is_unavailable_and_truncates(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/x", Answer("x" * 301, "text/plain"))
    async with observing(browser, content=RESPONSE_BODIES, max_network_body_bytes=300) as seen:
        await _visit(seen, _fetching(loopback, {"/x": "{}"}))
        body = seen.content("response", "/x").body
        assert (body.reason, body.observed, body.allowed) == ("body-size-limit", 301, 300)
        assert seen.truncated() == {"events"}
        assert seen.missing() == set()
