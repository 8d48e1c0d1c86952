"""Streams and those who read them: slowly, to a point, or not at all; and signals meanwhile."""

from __future__ import annotations

import array
import fcntl
import json
import os
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rea_capture.evidence import parse
from rea_capture.workflows.interruptible import MAX_SAVING_S
from tests.browser.capture.conftest import literal, pause, scenario_document
from tests.browser.cleanup.command import MAX_END_S, TICKING, Capture, Starts, wait_until
from tests.cli.json_lines import of_kind, records_of
from tests.cli.running import COMMAND, WAIT_S, environment
from tests.loopback import Loopback

LONG_WAIT = [pause("long", 600_000), pause("never", 1)]
SMALL_PIPE_BYTES = 4096


@pytest.fixture
def start(chromium_path: str, tmp_path: Path) -> Iterator[Starts]:
    """Starts a capture that streams; what still runs when the test ends is killed."""
    started: list[Capture] = []

    def run(document: dict[str, Any], *, output: str = "-") -> Capture:
        started.append(Capture(document, chromium_path, tmp_path, output=output, flags=["--jsonl"]))
        return started[-1]

    yield run
    for each in started:
        each.kill()


def stdout_of(run: Capture) -> int:
    assert run.process.stdout is not None
    return run.process.stdout.fileno()


def test_a_signal_gives_the_partial_evidence_as_the_last_line(start: Starts, loopback: Loopback) -> None:
    run = start(scenario_document(loopback.route("/", TICKING), LONG_WAIT))
    wait_until(lambda: loopback.targets().count("GET /tick") >= 20, "ticks")
    run.process.send_signal(signal.SIGTERM)
    status, out, err = run.ended()
    assert (status, err) == (143, "")
    last = records_of(out)[-1]
    assert (last["kind"], last["interrupted_by"]) == ("evidence", "SIGTERM")
    parse(json.dumps(last["evidence"]).encode(), "the partial document")
    assert not last["completeness"]["equality_eligible"]
    assert run.leftovers() == []


def test_a_reader_that_goes_away_ends_the_capture_quietly_and_leaves_nothing(
    start: Starts, loopback: Loopback, tmp_path: Path
) -> None:
    path = tmp_path / "capture.json"
    run = start(scenario_document(loopback.route("/", TICKING), LONG_WAIT), output=str(path))
    wait_until(lambda: loopback.targets().count("GET /tick") >= 5, "ticks")
    assert run.process.stdout is not None
    assert json.loads(run.process.stdout.readline())["kind"] == "started"
    began = time.monotonic()
    run.process.stdout.close()
    assert run.process.wait(MAX_END_S) == 73
    assert time.monotonic() - began < MAX_END_S
    assert run.process.stderr is not None
    assert run.process.stderr.read() == b""
    assert not path.exists()
    assert run.leftovers() == []


def test_a_reader_that_sleeps_delays_its_lines_and_not_the_capture(start: Starts, loopback: Loopback) -> None:
    first = loopback.route("/", "<input id=a>")
    fill = {"action": "fill", "locator": {"kind": "css", "selector": "#a"}, "value": literal("x")}
    there = {"step_id": "there", "action": "goto", "destination": {"url": loopback.route("/done", "<p>x")}}
    steps = [{"step_id": f"fill-{index}", **fill} for index in range(30)]
    document = scenario_document(first, [*steps, {**there, "wait_until": "load"}])
    run = start(document)
    fcntl.fcntl(stdout_of(run), fcntl.F_SETPIPE_SZ, SMALL_PIPE_BYTES)
    wait_until(lambda: "GET /done" in loopback.targets(), "the last step, with nobody reading")
    status, out, err = run.ended()
    assert (status, err) == (0, "")
    assert len(out) > 4 * SMALL_PIPE_BYTES
    records = records_of(out)
    told = [step["step_id"] for step in of_kind(records, "step")]
    assert told == [step["step_id"] for step in records[0]["steps"]]
    assert records[-1]["evidence"]["normalized_result"]["completeness"]["status"] == "complete"


def test_a_reader_that_never_takes_the_last_line_is_given_up_after_a_signal(
    start: Starts, loopback: Loopback
) -> None:
    url = loopback.route("/", f"<p>{'word ' * 40_000}")
    run = start(scenario_document(url, [pause()], capture={"after_each_step": ["dom"]}))
    wait_until(lambda: _waiting(stdout_of(run)) > 2**15, "the last line, as far as the pipe takes it")
    began = time.monotonic()
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(MAX_END_S) == 73
    assert time.monotonic() - began > MAX_SAVING_S - 1
    _, _, err = run.ended()
    assert "nobody took it within" in err
    assert run.leftovers() == []


def test_a_full_device_ends_the_capture_with_its_cause(loopback: Loopback, chromium_path: str) -> None:
    document = scenario_document(loopback.route("/", TICKING), LONG_WAIT)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "capture-browser-scenario", "-", "--jsonl", "--executable-path", chromium_path],
            input=json.dumps(document).encode(), stdout=full, stderr=subprocess.PIPE,
            env=environment(), timeout=WAIT_S, check=False,
        )  # fmt: skip
    assert done.returncode == 73
    assert "no space left" in json.loads(done.stderr)["error"]["message"]


def _waiting(pipe: int) -> int:
    """How many bytes wait in the pipe that ``pipe`` reads."""
    waiting = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return waiting[0]


def test_a_capture_streams_into_a_file(loopback: Loopback, chromium_path: str, tmp_path: Path) -> None:
    document = scenario_document(loopback.route("/", "<p>x"), [pause("settle", 1)])
    path = tmp_path / "lines"
    path.write_bytes(b"")
    with path.open("ab") as file:
        done = subprocess.run(
            [*COMMAND, "capture-browser-scenario", "-", "--jsonl", "--executable-path", chromium_path],
            input=json.dumps(document).encode(), stdout=file, stderr=subprocess.PIPE,
            env=environment(), timeout=WAIT_S, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert [step["step_id"] for step in of_kind(records_of(path.read_bytes()), "step")] == [
        "scenario_start",
        "settle",
    ]
    assert os.listdir(tmp_path) == ["lines"]
