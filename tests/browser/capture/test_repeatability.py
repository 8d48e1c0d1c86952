"""What the network decides, and not the page, changes no verdict; what the page does still does."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

import pytest

from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult
from tests.browser.capture.conftest import ALL_FAMILIES, RunScenario, css, pause
from tests.browser.events.websocket_server import TEXT, ServerSocket
from tests.loopback import Answer, Handler, Loopback, Seen

TURN_TIMEOUT_S: Final = 10.0
SLOW_S: Final = 0.1
"""An answer that a step which ends after a frame does not see."""

CLICK: Final[dict[str, Any]] = {
    "step_id": "go",
    "action": "click",
    "locator": css("#go"),
    "timeout_ms": 20_000,
}
DONE: Final[dict[str, Any]] = {
    "step_id": "done", "action": "wait_for", "locator": css("body[data-heard='2']"), "timeout_ms": 20_000,
}  # fmt: skip
HEARD: Final = "heard = () => { const d = document.body.dataset; d.heard = 1 + (+d.heard || 0) };"


EVENTS: Final[dict[str, Any]] = {"events": ALL_FAMILIES}


class Turns:
    """Answers ``first`` and only then ``second``, whichever is asked for first."""

    def __init__(self, first: str, second: str) -> None:
        self._second = second
        self._passed = threading.Event()
        self._first = first

    def take(self, name: str) -> None:
        """Wait for the turn of ``name``."""
        if name == self._second:
            assert self._passed.wait(TURN_TIMEOUT_S)

    def done(self, name: str) -> None:
        """``name`` has had its turn."""
        if name == self._first:
            self._passed.set()


def in_turn(turns: Turns, name: str, body: str, content_type: str) -> Handler:
    """Answer with ``body`` when it is the turn of ``name``."""

    def answer(connection: BaseHTTPRequestHandler, _: Seen) -> Answer | None:
        turns.take(name)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.wfile.write((head + body).encode())
        connection.wfile.flush()
        return None

    return answer


def socket_in_turn(turns: Turns, name: str) -> Handler:
    """Greet on a WebSocket when it is the turn of ``name``, and wait for the page to leave."""

    def answer(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        socket = ServerSocket(connection)
        turns.take(name)
        socket.send(TEXT, b"greeting")
        assert socket.receive() == (TEXT, b"heard")
        turns.done(name)
        socket.receive()

    return answer


def slow(body: str, content_type: str = "text/plain") -> Handler:
    """Answer with ``body`` after a while."""

    def answer(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        time.sleep(SLOW_S)
        return Answer(body, content_type)

    return answer


def told(turns: Turns, name: str) -> Handler:
    """Where the page says that it has heard what ``name`` was; answers at once."""

    def answer(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        turns.done(name)
        return Answer("", "text/plain")

    return answer


def greeting(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    """A WebSocket that greets after a while."""
    socket = ServerSocket(connection)
    time.sleep(SLOW_S)
    socket.send(TEXT, b"greeting")
    socket.receive()


def swallowing(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    """A WebSocket that takes two messages and answers once."""
    socket = ServerSocket(connection)
    socket.receive()
    socket.receive()
    socket.send(TEXT, b"taken")
    socket.receive()


def verdict(before: CaptureResult, after: CaptureResult) -> tuple[str, list[tuple[str, str]]]:
    """The verdict, and each artifact with the step it differs in."""
    comparison = compare_captures(before, after)
    rows = [(step.step_id, str(row.artifact)) for step in comparison.steps for row in step.artifact_diffs]
    return comparison.overall_status, rows


def said(result: CaptureResult, step_id: str) -> list[str]:
    """What was logged, thrown and received on sockets in a step, in order."""
    (step,) = [step for step in result.steps if step.step_id == step_id]
    names = {"console": "text", "page-error": "message", "websocket-frame-received": "payload_text"}
    return [
        str(getattr(event, names[event.kind]))
        for event in result.events.items
        if event.step_index == step.step_index and event.kind in names
    ]


async def test_whether_a_socket_or_an_answer_comes_first_leaves_no_trace(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route(
        "/",
        f"<button id=go>Go</button><body><script>{HEARD} go.onclick = () => {{"
        "const s = new WebSocket(`ws://${location.host}/ws`);"
        "s.onmessage = () => { s.send('heard'); heard() };"
        "fetch('/text').then(r => r.text())"
        ".then(t => { console.log(t); return fetch('/told') }).then(heard) }"
        "</script>",
    )
    results = []
    for first, second in (("socket", "text"), ("text", "socket")):
        turns = Turns(first, second)
        loopback.route("/ws", socket_in_turn(turns, "socket"))
        loopback.route("/text", in_turn(turns, "text", "answer", "text/plain"))
        loopback.route("/told", told(turns, "text"))
        results.append((await run_scenario(url, [CLICK, DONE], capture=EVENTS)).normalized_result)
    assert said(results[0], "go") == ["answer", "greeting"]
    assert verdict(*results) == ("unchanged", [])


async def test_which_frame_loads_first_leaves_no_trace(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route(
        "/", f"<body><script>{HEARD}</script><iframe src=/one></iframe><iframe src=/two></iframe>"
    )
    loopback.route("/shared.js", Answer("console.log('shared'); throw 'thrown'", "text/javascript"))
    results = []
    for first, second in (("one", "two"), ("two", "one")):
        turns = Turns(first, second)
        loopback.route("/told", told(turns, first))
        for name in ("one", "two"):
            page = (
                f"<script>console.log('{name}')</script><script src=/shared.js></script>"
                "<script>fetch('/told').then(() => parent.heard())</script>"
            )
            loopback.route(f"/{name}", in_turn(turns, name, page, "text/html"))
        results.append((await run_scenario(url, [DONE], capture=EVENTS)).normalized_result)
    assert sorted(said(results[0], "scenario_start")) == [
        "one",
        "shared",
        "shared",
        "thrown",
        "thrown",
        "two",
    ]
    assert verdict(*results) == ("unchanged", [])


async def test_what_a_click_sets_off_belongs_to_it_however_slow_the_answer(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/text", slow("answer"))
    loopback.route("/worker.js", slow("console.log('worker')", "text/javascript"))
    loopback.route("/frame", slow("<script>console.log('frame')</script>", "text/html"))
    loopback.route("/ws", greeting)
    url = loopback.route(
        "/",
        "<button id=go>Go</button><p id=out></p><script>go.onclick = () => { console.log('clicked');"
        "fetch('/text').then(r => r.text()).then(t => { out.textContent = t; console.log(t) });"
        "new Worker('/worker.js'); new WebSocket(`ws://${location.host}/ws`);"
        "const f = document.createElement('iframe'); f.src = '/frame'; document.body.append(f) }</script>",
    )
    capture = {"events": ALL_FAMILIES, "after_each_step": ["dom"]}
    result = (await run_scenario(url, [CLICK, pause()], capture=capture)).normalized_result
    assert said(result, "go") == ["clicked", "answer", "frame", "worker", "greeting"]
    dom = result.steps[1].artifacts.dom
    assert dom.state == "captured"
    assert '<p id="out">answer</p>' in dom.value.text


async def test_a_page_that_is_reached_by_a_click_has_arrived_when_the_step_ends(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/slow.js", slow("console.log('script')", "text/javascript"))
    loopback.route(
        "/arrival", "<script src=/slow.js></script><script>onload = () => console.log('loaded')</script>"
    )
    url = loopback.route("/", "<a id=go href=/arrival>Go</a>")
    result = (await run_scenario(url, [CLICK, pause()], capture=EVENTS)).normalized_result
    assert said(result, "go") == ["script", "loaded"]


async def test_a_request_that_is_never_answered_holds_no_step_up_for_long(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    released = threading.Event()

    def hangs(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        released.wait(60)
        return Answer("late")

    loopback.route("/hangs", hangs)
    url = loopback.route("/", "<script>fetch('/hangs').catch(() => 0); onclick = () => 0</script><p id=go>x")
    try:
        result = (await run_scenario(url, [CLICK, pause()], capture=EVENTS)).normalized_result
    finally:
        released.set()
    assert [step.status for step in result.steps] == ["completed"] * 3
    assert [event.kind for event in result.events.items][-1] == "request-unfinished"


async def test_the_random_name_of_a_script_made_by_the_page_leaves_no_trace(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route(
        "/",
        "<body><script>const u = URL.createObjectURL("
        "new Blob(['function f() { throw new Error(\"x\") } f()'],"
        "{type: 'text/javascript'})); console.log(u); const s = document.createElement('script');"
        "s.src = u; document.body.append(s)</script>",
    )
    results = [(await run_scenario(url, capture=EVENTS)).normalized_result for _ in range(2)]
    (error,) = [event for event in results[0].events.items if event.kind == "page-error"]
    assert "[blob-id]" in (error.stack or "")
    assert verdict(*results) == ("unchanged", [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("console.log('a'); console.log('b')", "console.log('b'); console.log('a')"),
        ("console.log('a'); dispatch()", "dispatch(); console.log('a')"),
        ("console.log('a'); go.onclick = null", "go.onclick = () => console.log('a')"),
        ("socket('a', 'b')", "socket('b', 'a')"),
    ],
)
async def test_an_order_or_a_step_that_the_page_itself_changed_shows(
    run_scenario: RunScenario, loopback: Loopback, before: str, after: str
) -> None:
    loopback.route("/ws", swallowing)
    results = []
    for script in (before, after):
        url = loopback.route(
            "/",
            "<button id=go>Go</button><script>const dispatch = () => { const b = document.createElement('b');"
            "b.onclick = () => { throw new Error('thrown') }; b.click() };"
            "const socket = (...texts) => { const s = new WebSocket(`ws://${location.host}/ws`);"
            f"s.onopen = () => texts.forEach(t => s.send(t)) }}; {script}</script>",
        )
        results.append((await run_scenario(url, [CLICK], capture=EVENTS)).normalized_result)
    status, rows = verdict(*results)
    assert status == "changed"
    assert {artifact for _, artifact in rows} == {"events"}
