"""A call that is cancelled while an artifact of a page that hangs is being read is over at once."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import wait_until
from tests.loopback import Answer, Loopback, Seen
from tests.mcp_server.serving import (
    MAX_END_S,
    Pipes,
    call,
    cancelled,
    request,
    wait_until_nothing_is_left,
)

CAPTURE = "capture_browser_scenario"

PAGE = "<p>here</p><script>new Worker('/ticking.js').onmessage = () => { for (;;); };</script>"
TICKING = """
const tick = async () => {
  if (await (await fetch('/tick')).text() === 'hang') postMessage('now');
  setTimeout(tick, 100);
};
tick();
"""
BEGIN_S = 30
WAIT_MS = 1_000
TICKS = 40
"""Each a tenth of a second after the one before, from the worker of the page that hangs: four seconds, of
which the action takes one and the page is given another to settle. What follows is the reading."""


@pytest.fixture
def hanging(loopback: Loopback) -> tuple[str, threading.Event]:
    """A page whose main thread hangs for good from the event on, while its worker goes on ticking."""
    hang = threading.Event()

    def tick(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        return Answer("hang" if hang.is_set() else "wait", "text/plain")

    loopback.route("/ticking.js", Answer(TICKING, "text/javascript"))
    loopback.route("/tick", tick)
    return loopback.route("/", PAGE), hang


def scenario(page: str, command_timeout_ms: int) -> dict[str, Any]:
    """A step that touches nothing of the page, whose document is read after it."""
    return scenario_document(
        page,
        [pause("brief", WAIT_MS)],
        capture={"after_each_step": ["dom"]},
        command_timeout_ms=command_timeout_ms,
    )


def in_brief(server: Pipes, hang: threading.Event) -> None:
    """Make the page hang when the step has begun."""
    begun = "brief (wait_for_timeout)"
    server.wait_for(lambda message: begun in message.get("params", {}).get("message", ""), BEGIN_S)
    hang.set()


def test_it_leaves_nothing_and_the_server_goes_on(
    pipes: Pipes, loopback: Loopback, hanging: tuple[str, threading.Event]
) -> None:
    page, hang = hanging
    pipes.send(call(CAPTURE, "c", scenario(page, 600_000)))
    in_brief(pipes, hang)
    before = loopback.targets().count("GET /tick")
    wait_until(lambda: loopback.targets().count("GET /tick") >= before + TICKS, "the page is being read")
    cancelled_at_s = time.monotonic()
    pipes.send(cancelled("c"), request("ping", "ping"))
    assert pipes.answer("ping")["result"] == {}
    wait_until_nothing_is_left(pipes.place, beside=pipes.process.pid)
    assert time.monotonic() - cancelled_at_s < MAX_END_S
    told = [each["message"] for each in pipes.progress("c")]
    assert not any("brief completed" in each or "brief failed" in each for each in told)
    assert not [each for each in pipes.seen if each.get("id") == "c"]
    pipes.hang_up()
    assert pipes.ended() == (0, "")


def test_such_a_page_hangs_in_nothing_but_the_reading(
    pipes: Pipes, hanging: tuple[str, threading.Event]
) -> None:
    page, hang = hanging
    pipes.send(call(CAPTURE, "c", scenario(page, 6_000)))
    in_brief(pipes, hang)
    result = pipes.answer("c")["result"]["structuredContent"]["summary"]
    step = result["steps"][1]
    assert (step["status"], step["artifacts"]) == ("completed", {"dom": "missing", "url": "missing"})
