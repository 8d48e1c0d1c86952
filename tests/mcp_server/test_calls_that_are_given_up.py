"""A call that nobody wants any more leaves nothing: cancelled at any moment, or its client or server gone."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from rea_capture.mcp_server.limits import MAX_WAITING_CAPTURES
from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import wait_until
from tests.evidence.sealed import plain, sealed_capture
from tests.loopback import Answer, Loopback, Seen
from tests.mcp_server.serving import (
    VERSION,
    Pipes,
    Place,
    call,
    cancelled,
    request,
    served_http,
    wait_until_nothing_is_left,
)

CAPTURE = "capture_browser_scenario"
MODERN = "2026-07-28"
LONG = pause("long", 600_000)


def mute(executable: str, url: str = "http://127.0.0.1:9/") -> dict[str, Any]:
    """A scenario whose browser never comes up."""
    return scenario_document(url, [LONG]) | {"browser": {"mode": "launch", "executable_path": executable}}


def started(executable: str) -> Callable[[], bool]:
    """Whether the browser that never comes up has been started."""
    return Path(f"{executable}.started").exists


def names(step: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a message is progress that speaks of ``step``."""
    return lambda message: step in message.get("params", {}).get("message", "")


def test_a_cancelled_call_leaves_nothing_at_whatever_moment_it_is_cancelled(
    place: Place, loopback: Loopback, mute_browser: str
) -> None:
    release = threading.Event()

    def hang(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        release.wait(60)
        return Answer("late")

    page = loopback.route("/", "<p>here</p>")
    hanging = loopback.route("/hangs", hang)
    server = Pipes(place, "--max-captures", "1")
    server.initialize()

    def cancel_when(scenario: dict[str, Any], moment: Callable[[], object]) -> None:
        server.send(call(CAPTURE, "c", scenario))
        moment()
        server.send(cancelled("c"), request("ping", "ping"))
        assert server.answer("ping")["result"] == {}
        wait_until_nothing_is_left(place, beside=server.process.pid)

    try:
        cancel_when(mute(mute_browser), lambda: wait_until(started(mute_browser), "the browser is started"))
        cancel_when(
            scenario_document(hanging, [LONG]),
            lambda: wait_until(lambda: "GET /hangs" in loopback.targets(), "the page is asked for"),
        )
        release.set()
        document = scenario_document(page, [LONG], capture={"after_each_step": ["screenshot", "dom"]})
        cancel_when(document, lambda: server.wait_for(names("scenario_start completed")))

        # One that waits for its turn goes, and the one before it goes on.
        Path(f"{mute_browser}.started").unlink()
        server.send(call(CAPTURE, "runs", scenario_document(page, [LONG])))
        server.wait_for(names("long (wait_for_timeout)"))
        server.send(call(CAPTURE, "waits", mute(mute_browser)))
        server.wait_for(names("waiting for a turn"))
        server.send(cancelled("waits"), request("ping", "ping"))
        server.answer("ping")
        assert place.browsers()
        server.send(cancelled("runs"))
        wait_until_nothing_is_left(place, beside=server.process.pid)
        assert not started(mute_browser)()
        assert not [each for each in server.seen if each.get("id") in {"c", "runs", "waits"}]
        server.hang_up()
        assert server.ended() == (0, "")
    finally:
        release.set()
        server.kill()


def test_a_client_that_goes_away_ends_what_runs_and_what_waits(
    pipes: Pipes, loopback: Loopback, mute_browser: str
) -> None:
    page = loopback.route("/", "<p>here</p>")
    pipes.send(call(CAPTURE, 1, scenario_document(page, [LONG])), call(CAPTURE, 2, mute(mute_browser)))
    pipes.send(call(CAPTURE, 3, mute(mute_browser)))
    pipes.wait_for(names("long (wait_for_timeout)"))
    wait_until(started(mute_browser), "the browser is started")
    pipes.hang_up()
    assert pipes.ended() == (0, "")
    assert pipes.place.leftovers() == []


def test_a_client_that_takes_no_answers_any_more_ends_the_server(place: Place, mute_browser: str) -> None:
    reading, writing = os.pipe()
    server = Pipes(place, stdout=writing)
    os.close(writing)
    server.send(request("server/discover", 1), call(CAPTURE, 2, mute(mute_browser)))
    assert os.read(reading, 1)
    os.close(reading)
    server.send(request("ping", 3))
    try:
        assert server.ended() == (0, "")
        assert place.leftovers() == []
    finally:
        server.kill()


def test_what_a_killed_server_leaves_is_removed_by_the_next(place: Place, loopback: Loopback) -> None:
    page = loopback.route("/", "<p>here</p>")
    server = Pipes(place)
    server.initialize()
    side = plain(sealed_capture())
    server.send(call("compare_web_captures", 1, {"before_scenario": side, "after_scenario": side}))
    kept = Path(server.answer(1)["result"]["structuredContent"]["path"])
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    server.send(call(CAPTURE, 2, scenario_document(page, [LONG])))
    server.wait_for(names("long (wait_for_timeout)"))
    server.kill()
    assert kept.exists()
    following = Pipes(place)
    try:
        following.initialize()
        wait_until_nothing_is_left(place, beside=following.process.pid)
        following.hang_up()
        assert following.ended() == (0, "")
    finally:
        following.kill()


def test_50_calls_wait_in_order_and_more_than_may_wait_are_refused(pipes: Pipes, mute_browser: str) -> None:
    running, calls = 2, MAX_WAITING_CAPTURES + 2 + 3
    pipes.send(*(call(CAPTURE, number, mute(mute_browser)) for number in range(calls)))
    refused = [pipes.answer(number)["result"]["structuredContent"] for number in range(calls - 3, calls)]
    assert {each["error"]["code"] for each in refused} == {"busy"}
    last = calls - 4
    if not pipes.progress(last):
        pipes.wait_for(lambda message: message.get("params", {}).get("progressToken") == last)
    places = [pipes.progress(number)[0]["message"] for number in range(running, running + 50)]
    assert places[:2] == ["waiting for a turn: next", "waiting for a turn: 1 before this one"]
    assert places[49] == "waiting for a turn: 49 before this one"
    # All of them end with a signal, which is the status, and are told so.
    pipes.process.send_signal(signal.SIGTERM)
    told = [pipes.wait_for(lambda message: "error" in message) for _ in range(last + 1)]
    assert {each["id"] for each in told} == set(range(last + 1))
    assert {each["error"]["message"] for each in told} == {"Connection closed"}
    assert pipes.ended() == (128 + signal.SIGTERM, "")
    assert pipes.place.leftovers() == []


@pytest.fixture
def posted(place: Place) -> Any:
    """Posts a message to a server over HTTP, and returns the connection without reading the answer."""
    connections: list[HTTPConnection] = []

    def post(address: str, message: dict[str, Any], **headers: str) -> HTTPConnection:
        parts = urlsplit(address)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        connections.append(connection)
        accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        connection.request("POST", parts.path, json.dumps(message), {**accepted, **headers})
        return connection

    yield post
    for connection in connections:
        connection.close()


def test_a_client_that_hangs_up_ends_its_call_over_http(place: Place, posted: Any, mute_browser: str) -> None:
    with served_http(place) as (process, address):

        def hang_up_on(headers: dict[str, str], **meta: Any) -> None:
            connection = posted(address, call(CAPTURE, 1, mute(mute_browser), **meta), **headers)
            wait_until(started(mute_browser), "the browser is started")
            connection.close()
            wait_until_nothing_is_left(place, beside=process.pid)
            assert process.poll() is None
            Path(f"{mute_browser}.started").unlink()

        client = {"name": "test", "version": "1"}
        hello = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}
        answer = posted(address, request("initialize", 0, hello)).getresponse()
        answer.read()
        session = {"MCP-Protocol-Version": VERSION, "Mcp-Session-Id": answer.headers["Mcp-Session-Id"]}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert posted(address, ready, **session).getresponse().status == 202
        hang_up_on(session)
        modern = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": CAPTURE}
        names = "io.modelcontextprotocol/"
        hang_up_on(modern, **{f"{names}protocolVersion": MODERN, f"{names}clientCapabilities": {}})
        posted(address, call(CAPTURE, 2, mute(mute_browser)), **session)
        wait_until(started(mute_browser), "the browser is started")
    # A signal has ended the server, with one capture under way.
    assert process.returncode == 128 + signal.SIGTERM
    assert place.leftovers() == []
