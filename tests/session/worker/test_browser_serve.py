"""`rea browser serve` with scripted sessions: a hello, answers, and an end whichever way it comes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES
from rea_capture.version import __version__
from tests.cli.running import COMMAND, environment, rea
from tests.session.worker.asking import to
from tests.session.worker.scripted_worker import argv
from tests.session.worker.served import Served, has_begun, said, served, until

MAX_LEAVING_S = 8
"""Less than the navigation would take to be given up by itself."""


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return tmp_path / "events"


@pytest.fixture
def worker(events: Path) -> Iterator[Served]:
    with served(argv(events)) as made:
        assert made.hello() == {"hello": "rea-browser", "protocolVersion": 1, "reaVersion": __version__}
        yield made


def session_of(worker: Served) -> str:
    return str(worker.result("open")["sessionId"])


def held_up(worker: Served, events: Path, word: str = "hang") -> str:
    """The id of a navigation that does not end by itself and has begun."""
    frame_id = worker.send("navigate", session_of(worker), request=to(f"{word}.test"))
    until(lambda: has_begun(events), "the navigation")
    return frame_id


def test_lines_are_answered_and_prints_of_others_do_not_get_between_them(worker: Served) -> None:
    session = session_of(worker)
    worker.write(b"\n \nnope\n")
    assert worker.next()["error"]["code"] == "invalid_request"
    assert worker.result("navigate", session, request=to("prints.test"))["tab"]["documentId"] == "d2"
    assert worker.result("close", session) == {"problems": []}
    worker.end_input()
    assert worker.rest() == []
    assert worker.status() == 0


def test_a_line_that_is_too_long_is_refused_and_the_next_one_read(worker: Served) -> None:
    worker.write(b'{"id":"1","op":"open","x":"' + b"x" * MAX_FRAME_BYTES + b'"}\n')
    answer = worker.next()
    assert (answer["id"], answer["error"]["code"]) == (None, "invalid_request")
    assert "MAX_FRAME_BYTES" in answer["error"]["message"]
    assert session_of(worker)


def test_what_was_asked_before_the_input_ended_is_still_answered(worker: Served, events: Path) -> None:
    session = session_of(worker)
    sent = [worker.send("navigate", session, request=to("a.test")), worker.send("read", session)]
    worker.end_input()
    assert [(each["id"], "result" in each) for each in worker.rest()] == [(each, True) for each in sent]
    assert worker.status() == 0
    assert said(events)[-1] == "s0 close"


def test_nobody_reading_any_more_ends_it_at_once(events: Path) -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        argv(events), stdin=pipe, stdout=pipe, env=environment(), start_new_session=True
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"id":"1","op":"open"}\n')
        process.stdin.flush()
        session = [json.loads(process.stdout.readline()) for _ in range(2)][1]["result"]["sessionId"]
        navigation = {"id": "2", "op": "navigate", "sessionId": session, "request": to("hang.test")}
        process.stdin.write(json.dumps(navigation).encode() + b"\n")
        process.stdin.flush()
        until(lambda: has_begun(events), "the navigation")
        process.stdout.close()
        assert process.wait(MAX_LEAVING_S) == 0
    assert said(events)[-2:] == ["s0 cancelled hang", "s0 close"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_closes_every_session_and_shows_in_the_status(
    worker: Served, events: Path, number: signal.Signals
) -> None:
    frame_id = held_up(worker, events)
    worker.process.send_signal(number)
    [answer] = worker.rest()
    assert (answer["id"], answer["error"]["code"]) == (frame_id, "cancelled")
    assert answer["error"]["mutationState"] == "unknown"
    assert worker.status() == 128 + number
    assert said(events)[-2:] == ["s0 cancelled hang", "s0 close"]


def test_a_second_signal_ends_it_there_and_then(worker: Served, events: Path) -> None:
    held_up(worker, events, "stubborn")
    worker.process.send_signal(signal.SIGTERM)
    until(lambda: "s0 cancelled stubborn" in said(events), "the first signal")

    def again() -> bool:  # one that comes right after the first is taken for the same
        worker.process.send_signal(signal.SIGTERM)
        return worker.process.poll() is not None

    until(again, "the end")
    assert worker.status() == -signal.SIGTERM
    assert "s0 close" not in said(events)


def test_standard_input_that_is_closed_is_an_error_with_nothing_on_standard_output() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "browser", "serve"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (73, b"")
    assert json.loads(done.stderr)["error"]["code"] == "output_failed"


def test_an_empty_input_is_a_hello_and_an_end() -> None:
    done = rea("browser", "serve")
    assert done.status == 0
    assert json.loads(done.stdout)["hello"] == "rea-browser"
    assert done.stderr == b""


def test_what_the_command_does_not_know_is_an_error_of_the_command_line() -> None:
    for arguments in (("browser",), ("browser", "--no-such"), ("browser", "serves")):
        done = rea(*arguments)
        assert (done.status, done.error["code"]) == (64, "command_line")
