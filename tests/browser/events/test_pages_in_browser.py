"""Console, errors, frames, workers, WebSockets and downloads of real pages; listeners that fail."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page

from rea_capture.browser.events.icons import ICON_LIMITATION
from rea_capture.redaction import Redactor
from tests.browser.events.support import observing
from tests.browser.events.websocket_server import BINARY, CLOSE, TEXT, ServerSocket
from tests.loopback import Answer, Loopback, Seen


async def test_an_exception_that_leaves_a_bare_listener_is_raised_from_an_unrelated_call(
    browser: Browser,
) -> None:
    """Why every listener here is guarded: this is what the driver does with one that is not."""
    context = await browser.new_context()
    page = await context.new_page()

    def bare(message: ConsoleMessage) -> None:
        message.text.encode()

    page.on("console", bare)
    with pytest.raises(UnicodeEncodeError):
        await _log_and_ask(page)
    await context.close()


async def _log_and_ask(page: Page) -> None:
    for _ in range(100):
        await page.evaluate("console.log('\\ud800')")
        await page.title()


async def test_a_lone_surrogate_in_a_console_message_is_replaced_and_the_capture_goes_on(
    browser: Browser, loopback: Loopback
) -> None:
    start = loopback.route("/", "<script>console.warn('a\\ud800b', 1); console.error('after')</script>")
    async with observing(browser, "console") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: len(seen.items("console")) >= 2)
        first, second = seen.items("console")[:2]
        assert (first.level, first.text, first.url.url) == ("warning", "a\ufffdb 1", start)
        assert (second.level, second.text) == ("error", "after")
        assert seen.missing() == set()


async def test_a_fault_in_a_listener_is_recorded_and_never_raised(browser: Browser) -> None:
    def broken(_: str) -> bool:
        raise KeyError("a defect")

    async with observing(browser, "console", private_console=broken) as seen:
        for _ in range(3):
            await seen.page.evaluate("console.log('x')")
        await seen.until(lambda: bool(seen.missing()))
        assert await seen.page.title() == ""
        assert seen.stated() == ("A console message could not be recorded (KeyError).",)
        assert seen.missing() == {"events"}
        assert seen.recorder.last_sequence == 0


async def test_console_messages_of_our_own_take_no_sequence_number(browser: Browser) -> None:
    async with observing(browser, "console", private_console=lambda text: text.startswith("ours")) as seen:
        await seen.page.evaluate("console.log('ours 1'); console.log('theirs'); console.log('ours 2')")
        await seen.until(lambda: bool(seen.items("console")))
        await seen.finish()
        assert [(event.sequence, event.text) for event in seen.items("console")] == [(1, "theirs")]


async def test_a_missing_site_icon_is_no_event_of_the_page_and_the_capture_says_so(
    browser: Browser, loopback: Loopback
) -> None:
    start = loopback.route("/", "<title>a</title><script>fetch('/favicon.ico'); fetch('/gone')</script>")
    async with observing(browser, "console", "network") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: bool(seen.items("console")))
        await seen.until(lambda: "GET /favicon.ico" in loopback.targets())
        await seen.page.evaluate("fetch('/gone')")
        await seen.until(lambda: len(seen.items("console")) == 2)
        assert {event.url.url for event in seen.items("console")} == {f"{loopback.origin}/gone"}
        assert seen.of("request", "/favicon.ico") == []
        assert ICON_LIMITATION in seen.limitations.sentences()


async def test_uncaught_errors_and_rejections_keep_message_and_stack(
    browser: Browser, loopback: Loopback
) -> None:
    start = loopback.route(
        "/",
        "<script>Promise.reject('\\udfff'); setTimeout(() => { throw new TypeError('s3cret!') })</script>",
    )
    async with observing(browser, "page-errors", redactor=Redactor({"token": "s3cret!"})) as seen:
        await seen.page.goto(start)
        await seen.until(lambda: len(seen.items("page-error")) == 2)
        by_message = {event.message: event.stack for event in seen.items("page-error")}
        assert by_message["\ufffd"] is None
        stack = by_message["[REDACTED:token]"]
        assert stack.startswith("TypeError: [REDACTED:token]\n    at")


async def test_frames_and_workers_are_recorded_with_names_and_urls(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/frame", "<p>frame</p>")
    loopback.route("/worker.js", Answer("postMessage(1)", "text/javascript"))
    start = loopback.route(
        "/",
        "<iframe name=inner src=/frame></iframe><script>w = new Worker('/worker.js');"
        "w.onmessage = () => { w.terminate(); document.title = 'ready' }</script>",
    )
    async with observing(browser, "frames", "workers") as seen:
        await seen.page.goto(start)
        await seen.page.wait_for_function("document.title === 'ready'")
        await seen.until(lambda: bool(seen.items("worker-closed")))
        await seen.page.evaluate("document.querySelector('iframe').remove()")
        await seen.until(lambda: bool(seen.items("frame-detached")))
        await seen.finish()
        navigated = {event.url.url: event.name for event in seen.items("frame-navigated")}
        assert navigated == {start: None, f"{loopback.origin}/frame": "inner"}
        assert len(seen.items("frame-attached")) == 1
        (detached,) = seen.items("frame-detached")
        assert (detached.url.url, detached.name) == (f"{loopback.origin}/frame", "inner")
        assert [event.kind for event in seen.items("worker-created", "worker-closed")] == [
            "worker-created",
            "worker-closed",
        ]
        assert seen.items("worker-created")[0].url.url == f"{loopback.origin}/worker.js"
        assert seen.missing() == set()


async def test_websocket_messages_are_recorded_in_both_directions(
    browser: Browser, loopback: Loopback
) -> None:
    def talk(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        socket = ServerSocket(connection)
        opcode, payload = socket.receive()
        socket.send(opcode, b"echo " + payload)
        socket.send(BINARY, b"\xff" * 300)
        socket.receive()
        socket.send(TEXT, b"x" * 70_000)
        socket.send(CLOSE, (1000).to_bytes(2, "big"))
        socket.receive()

    loopback.route("/ws", talk)
    start = loopback.route(
        "/",
        "<script>s = new WebSocket(`ws://${location.host}/ws?k=hunter2secret`);"
        "s.onopen = () => { s.send('hunter2secret é'); s.send(new Uint8Array(3)) }</script>",
    )
    redactor = Redactor({"key": "hunter2secret"})
    async with observing(browser, "websockets", redactor=redactor) as seen:
        await seen.page.goto(start)
        await seen.until(lambda: bool(seen.items("websocket-closed")))
        await seen.finish()
        (opened,) = seen.items("websocket-opened")
        assert opened.url.url == f"{loopback.origin.replace('http', 'ws')}/ws?k=[REDACTED:key]"
        sent = seen.items("websocket-frame-sent")
        assert [(frame.payload_type, frame.payload_bytes) for frame in sent] == [("text", 16), ("binary", 3)]
        assert [frame.payload_text for frame in sent] == ["[REDACTED:key] é", None]
        received = seen.items("websocket-frame-received")
        assert [(frame.payload_type, frame.payload_bytes, frame.truncated) for frame in received] == [
            ("text", 21, False),
            ("binary", 300, False),
            ("text", 70_000, True),
        ]
        assert received[0].payload_text == "echo [REDACTED:key] é"
        assert seen.truncated() == {"events", "websockets"}


async def test_a_download_is_cancelled_and_recorded(browser: Browser, loopback: Loopback) -> None:
    released: list[bool] = []

    def endless(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        connection.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=report.bin\r\n"
            b"Content-Type: application/octet-stream\r\n\r\n"
        )
        try:
            while True:
                connection.wfile.write(b"x" * 65_536)
        except OSError:
            released.append(True)

    loopback.route("/file", endless)
    start = loopback.route("/", "<a id=a href=/file download>get</a>")
    async with observing(browser, "downloads") as seen:
        await seen.page.goto(start)
        await seen.page.click("#a")
        await seen.until(lambda: bool(seen.items("download-cancelled")))
        await seen.finish()
        (event,) = seen.items("download-cancelled")
        assert (event.suggested_filename, event.url.url) == ("report.bin", f"{loopback.origin}/file")
        await seen.until(lambda: bool(released))
        assert seen.missing() == set()


async def test_nothing_selected_records_nothing(browser: Browser, loopback: Loopback) -> None:
    start = loopback.route("/", "<script>console.log(1); window.open('/x')</script>")
    async with observing(browser) as seen:
        await seen.page.goto(start)
        await seen.until(lambda: len(seen.context.pages) == 2)
        await seen.finish()
        assert seen.recorder.last_sequence == 0
        assert seen.missing() == set()
        assert seen.stated() == ()


async def test_every_listener_is_taken_off_at_the_end(browser: Browser) -> None:
    async with observing(
        browser, "console", "page-errors", "network", "websockets", "frames", "workers", "popups"
    ) as seen:
        await seen.finish()
        # The driver's own bookkeeping is the only place that knows; nothing public counts listeners.
        for owner in (seen.context, seen.page):
            emitter = owner._impl_obj
            for event in (
                "request",
                "response",
                "console",
                "weberror",
                "page",
                "popup",
                "websocket",
                "worker",
            ):
                assert emitter.listener_count(event) == 0, event
