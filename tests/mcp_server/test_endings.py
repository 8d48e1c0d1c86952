"""A server ends when it is told to, whatever works or comes in at that moment."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.cleanup.command import wait_until
from tests.mcp_server.serving import (
    PATIENCE_S,
    VERSION,
    Pipes,
    Place,
    call,
    request,
    served_http,
    wait_until_nothing_is_left,
)

MAX_PROMPT_END_S = 10.0
"""Far less than the work below takes, and enough for a busy machine."""

WORKS_FOR_LONG = (
    "import sys, time\n"
    "import rea_capture.mcp_server.tools as room\n"
    "def works(*_):\n"
    "    print('begun', file=sys.stderr, flush=True)\n"
    "    time.sleep(600)\n"
    "room.verify = works\n"
    "from rea_capture.cli import main\n"
    "main(['serve-mcp'])\n"
)


@pytest.mark.parametrize(("how", "status"), [("close", 0), ("SIGTERM", 143), ("SIGINT", 130)])
def test_the_end_does_not_wait_for_work_in_threads(place: Place, how: str, status: int) -> None:
    server = Pipes(place, command=(sys.executable, "-c", WORKS_FOR_LONG))
    try:
        server.initialize()
        server.send(call("verify_evidence", 1, {"document": {}}))
        assert server.process.stderr is not None
        assert server.process.stderr.readline() == b"begun\n"
        if how == "close":
            server.hang_up()
        else:
            server.process.send_signal(signal.Signals[how])
        assert server.answer(1)["error"]["message"] == "Connection closed"
        assert server.ended(MAX_PROMPT_END_S) == (status, "")
    finally:
        server.kill()
    wait_until_nothing_is_left(place)


def test_a_signal_while_messages_come_in_has_its_own_status(place: Place) -> None:
    for _ in range(3):
        server = Pipes(place)
        try:
            server.initialize()
            coming = threading.Event()

            def feed(server: Pipes = server, coming: threading.Event = coming) -> None:
                with suppress(OSError, ValueError):
                    for number in range(1_000_000):
                        server.send(request("ping", number))
                        coming.set()

            thread = threading.Thread(target=feed, daemon=True)
            thread.start()
            assert coming.wait(PATIENCE_S)
            server.answer(100)
            server.process.send_signal(signal.SIGTERM)
            assert server.ended() == (143, "")
            thread.join(PATIENCE_S)
        finally:
            server.kill()


def test_a_client_that_takes_no_more_output_ends_its_capture_though_it_was_to_get_none(
    place: Place, mute_browser: str
) -> None:
    reader, writer = os.pipe()
    server = Pipes(place, stdout=writer)
    os.close(writer)
    try:
        hello = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        server.send(request("initialize", 0, hello))
        assert os.read(reader, 65_536)
        scenario = {
            "browser": {"mode": "launch", "executable_path": mute_browser},
            "start_url": {"url": "http://127.0.0.1:9/"},
            "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
            "command_timeout_ms": 600_000,
        }
        # No progress is asked for, so that nothing is written meanwhile.
        params = {"name": "capture_browser_scenario", "arguments": scenario}
        server.send(
            {"jsonrpc": "2.0", "method": "notifications/initialized"}, request("tools/call", 1, params)
        )
        wait_until(Path(mute_browser + ".started").exists, "the browser is started")
        os.close(reader)
        assert server.ended() == (0, "")
    finally:
        server.kill()
    wait_until_nothing_is_left(place)


def test_a_signal_answers_the_calls_over_http(place: Place, mute_browser: str) -> None:
    with served_http(place) as (process, address):
        parts = urlsplit(address)

        def post(message: Any, **headers: str) -> Any:
            connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
            accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
            with closing(connection):
                connection.request("POST", parts.path, json.dumps(message), {**accepted, **headers})
                answer = connection.getresponse()
                return answer, answer.read().decode()

        hello = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        greeted, _ = post(request("initialize", 0, hello))
        session = {"Mcp-Session-Id": greeted.headers["Mcp-Session-Id"], "MCP-Protocol-Version": VERSION}
        post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
        scenario = {
            "browser": {"mode": "launch", "executable_path": mute_browser},
            "start_url": {"url": "http://127.0.0.1:9/"},
            "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
            "command_timeout_ms": 600_000,
        }
        said: list[str] = []
        asked = call("capture_browser_scenario", 1, scenario)
        thread = threading.Thread(target=lambda: said.append(post(asked, **session)[1]), daemon=True)
        thread.start()
        wait_until(Path(mute_browser + ".started").exists, "the browser is started")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 143
        thread.join(PATIENCE_S)
    assert '"message":"Connection closed"' in said[0]
    wait_until_nothing_is_left(place)
