"""Network events of real pages: the first request, ancestry, popups, failures, what never ends."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.async_api import Browser

from rea_capture.browser.events.preflights import PREFLIGHT_LIMITATION
from rea_capture.browser.events.viewer import VIEWER_LIMITATION
from tests.browser.events.support import observing
from tests.loopback import Answer, Loopback, Seen

PDF = b"""%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj
trailer<</Root 1 0 R>>
%%EOF"""


async def test_the_start_page_and_its_redirect_chain_over_two_origins_are_linked(
    browser: Browser, loopback: Loopback, other_loopback: Loopback
) -> None:
    end = loopback.route("/end", "<h1>end</h1>")
    middle = other_loopback.route("/middle", Answer(status=307, headers=[("Location", end)]))
    start = loopback.route("/start", Answer(status=302, headers=[("Location", middle)]))
    async with observing(browser, "network") as seen:
        await seen.page.goto(start)
        await seen.finish()
        documents = [event for event in seen.items("request") if event.resource_type == "document"]
        assert [event.url.url for event in documents] == [start, middle, end]
        assert [event.redirected_from_transaction_id for event in documents] == [None, 1, 2]
        assert [event.redirected_from_transaction_state for event in documents] == ["root", None, None]
        assert [event.status for event in seen.items("response")][:3] == [302, 307, 200]
        assert documents[0].sequence == 1
        assert seen.missing() == set()


async def test_a_redirect_loop_ends_in_a_failure_with_its_whole_ancestry(
    browser: Browser, loopback: Loopback
) -> None:
    url = loopback.route("/loop", Answer(status=302, headers=[("Location", "/loop")]))
    async with observing(browser, "network") as seen:
        with pytest.raises(Exception, match="ERR_TOO_MANY_REDIRECTS"):
            await seen.page.goto(url)
        await seen.finish()
        requests = seen.items("request")
        assert len(requests) > 10
        assert [event.redirected_from_transaction_id for event in requests] == [
            None,
            *range(1, len(requests)),
        ]
        (failed,) = seen.items("request-failed")
        assert failed.failure == "net::ERR_TOO_MANY_REDIRECTS"


async def test_a_popup_that_redirects_is_in_the_events_from_its_first_request(
    browser: Browser, loopback: Loopback, other_loopback: Loopback
) -> None:
    end = other_loopback.route("/end", "<title>end</title><script>console.log('early')</script>")
    hop = loopback.route("/hop", Answer(status=302, headers=[("Location", end)]))
    start = loopback.route("/", f"<script>window.open({hop!r}, 'help')</script>")
    async with observing(browser, "network", "popups", "console") as seen:
        await seen.page.goto(start)
        await seen.until(
            lambda: bool(seen.items("popup-opened")) and bool(seen.of("request-finished", "/end"))
        )
        await seen.finish()
        (first,), (second,) = seen.of("request", "/hop"), seen.of("request", "/end")
        assert first.redirected_from_transaction_state == "root"
        assert second.redirected_from_transaction_id == first.transaction_id
        assert [event.url.url for event in seen.items("popup-opened")] == [end]
        assert "early" in [event.text for event in seen.items("console")]
        assert seen.missing() == set(), "nothing selected is lost with a popup"


async def test_popups_of_popups_are_discovered_and_their_early_events_stated_as_lost(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/two", "<title>two</title>")
    loopback.route("/one", "<script>window.open('/two')</script>")
    start = loopback.route("/", "<script>window.open('/one', '', 'noopener')</script>")
    async with observing(browser, "popups", "frames", "workers", "downloads") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: len(seen.items("popup-opened")) == 2)
        two = next(page for page in seen.context.pages if page.url.endswith("/two"))
        await two.close()
        await seen.until(lambda: bool(seen.items("popup-closed")))
        await seen.finish()
        assert {event.url.url[-4:] for event in seen.items("popup-opened")} == {"/one", "/two"}
        assert [event.url.url[-4:] for event in seen.items("popup-closed")] == ["/two"]
        assert seen.missing() == {"events", "frames", "workers"}
        (sentence,) = seen.stated()
        assert sentence.endswith("are lost: downloads, frames, workers.")


async def test_a_connection_dropped_amid_a_body_fails_and_nothing_is_made_up(
    browser: Browser, loopback: Loopback
) -> None:
    def drop(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        connection.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")

    loopback.route("/drop", drop)
    start = loopback.route("/", "<script>fetch('/drop').then(r => r.text()).catch(() => 0)</script>")
    async with observing(browser, "network") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: bool(seen.of("request-failed", "/drop")))
        (failed,) = seen.of("request-failed", "/drop")
        assert (failed.status, failed.failure) == (200, "net::ERR_CONTENT_LENGTH_MISMATCH")
        assert seen.of("request-finished", "/drop") == []


async def test_a_refused_connection_fails_without_a_response(browser: Browser) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with observing(browser, "network") as seen:
        with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
            await seen.page.goto(f"http://127.0.0.1:{port}/")
        await seen.finish()
        first, second = seen.items("request", "response", "request-failed", "request-finished")[:2]
        assert (first.kind, second.kind) == ("request", "request-failed")
        assert (second.status, second.failure) == (None, "net::ERR_CONNECTION_REFUSED")


async def test_a_long_poll_and_a_stream_are_unfinished_and_do_not_hold_the_end_up(
    browser: Browser, loopback: Loopback
) -> None:
    released = threading.Event()

    def poll(_: BaseHTTPRequestHandler, __: Seen) -> None:
        released.wait(20)

    def stream(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        connection.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n")
        connection.wfile.flush()
        released.wait(20)

    loopback.route("/poll", poll)
    loopback.route("/stream", stream)
    start = loopback.route(
        "/",
        "<script>fetch('/poll').catch(() => 0);"
        "new EventSource('/stream').onmessage = () => document.title = 'streaming'</script>",
    )
    try:
        async with observing(browser, "network") as seen:
            await seen.page.goto(start)
            await seen.page.wait_for_function("document.title === 'streaming'")
            await seen.finish()
            unfinished = {event.url.url: event.status for event in seen.items("request-unfinished")}
            assert unfinished == {loopback.origin + "/poll": None, loopback.origin + "/stream": 200}
            assert seen.missing() == set()
    finally:
        released.set()


async def test_a_preflight_is_said_to_be_missing_and_the_request_behind_it_is_in(
    browser: Browser, loopback: Loopback, other_loopback: Loopback
) -> None:
    allowed = [
        (f"Access-Control-Allow-{name}", value)
        for name, value in (("Origin", "*"), ("Methods", "PUT"), ("Headers", "x-a"))
    ]
    url = other_loopback.route("/cors", Answer("ok", headers=allowed))
    options = "{method: 'PUT', headers: {'x-a': 'b'}, body: 'q'}"
    start = loopback.route("/", f"<script>fetch({url!r}, {options}).then(r => r.text())</script>")
    async with observing(browser, "network") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: bool(seen.of("request-finished", "/cors")))
        assert other_loopback.targets() == ["OPTIONS /cors", "PUT /cors"]
        (request,) = seen.of("request", "/cors")
        assert request.method == "PUT"
        assert "x-a" in request.header_names
        await seen.finish()
        assert seen.missing() == {"events"}
        assert PREFLIGHT_LIMITATION in seen.stated()


async def test_sixty_concurrent_requests_of_one_url_are_sixty_whole_transactions(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/r", Answer("r", headers=[("Cache-Control", "no-store")]))
    start = loopback.route(
        "/",
        "<script>Promise.all([...Array(60)].map(() => fetch('/r').then(r => r.text())))"
        ".then(() => document.title = 'done')</script>",
    )
    async with observing(browser, "network") as seen:
        await seen.page.goto(start)
        await seen.page.wait_for_function("document.title === 'done'")
        await seen.until(lambda: len(seen.of("request-finished", "/r")) == 60)
        await seen.finish()
        for kind in ("request", "response", "request-finished"):
            assert len({event.transaction_id for event in seen.of(kind, "/r")}) == 60
        sequences = [event.sequence for event in seen.recorder.events().items]
        assert sequences == list(range(1, len(sequences) + 1))


async def test_a_request_that_is_all_but_over_at_the_end_is_recorded_as_over(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/r", Answer("r" * 50_000, "text/plain"))
    start = loopback.route(
        "/",
        "<script>Promise.all([...Array(20)].map((_, i) => fetch('/r?' + i).then(r => r.text())))"
        ".then(() => document.title = 'done')</script>",
    )
    async with observing(browser, "network") as seen:
        await seen.page.goto(start, wait_until="commit")
        await seen.page.wait_for_function("document.title === 'done'")
        await seen.finish()
        assert len(seen.items("request-finished")) == len(seen.items("request")) == 21


async def test_what_happens_after_the_end_is_not_observed(browser: Browser, loopback: Loopback) -> None:
    start = loopback.route("/", "<title>a</title>")
    async with observing(browser, "network", "console", "popups") as seen:
        await seen.page.goto(start)
        await seen.finish()
        last = seen.recorder.last_sequence
        await seen.page.evaluate("console.log('late'); fetch('/late').then(r => r.text())")
        await seen.page.evaluate("window.open('/late') && 0")
        assert seen.recorder.last_sequence == last


async def test_a_document_is_in_the_events_and_the_viewer_that_shows_it_is_not(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/a.pdf", Answer(PDF, "application/pdf"))
    start = loopback.route("/", "<embed src='/a.pdf' type='application/pdf' width=300 height=300>")
    async with observing(browser, "network", "frames") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: VIEWER_LIMITATION in seen.stated())
        await seen.until(lambda: len(seen.of("request", "/a.pdf")) > 1)  # the viewer loads it, too
        await seen.finish()
        urls = {event.url.url for event in seen.items("request", "response", "request-finished")}
        assert urls == {start, f"{loopback.origin}/a.pdf"}
        assert {event.name for event in seen.items("frame-attached", "frame-navigated")} == {None}
        assert seen.missing() == set()
