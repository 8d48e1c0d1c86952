"""SIGINT, SIGTERM and SIGHUP end a capture cleanly, with the partial Evidence written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rea_capture.browser.launch import CLOSE_TIMEOUT_MS
from rea_capture.evidence import parse
from tests.browser.capture.conftest import scenario_document
from tests.loopback import Loopback

PATIENCE_S = 60
TICKS = 20


class Process:
    """``rea capture-browser-scenario`` as a process of its own session."""

    def __init__(self, document: dict[str, Any], chromium: str, folder: Path) -> None:
        self.output = folder / "capture.json"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        command = [sys.executable, "-m", "rea_capture", "capture-browser-scenario", json.dumps(document)]
        self.process = subprocess.Popen(
            [*command, "--executable-path", chromium, "--output", str(self.output)],
            env={**os.environ, "TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ended(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err

    def evidence(self) -> dict[str, Any]:
        parse(self.output.read_bytes(), "the capture")
        document: dict[str, Any] = json.loads(self.output.read_bytes())
        return document

    def browser(self) -> int:
        """Process id of the browser itself, of all the processes that have its profile."""
        profile = b"--user-data-dir=" + str(self.temporary).encode()
        lines = {int(pid): _content(Path(f"/proc/{pid}/cmdline")) for pid in _pids()}
        (found,) = [pid for pid, line in lines.items() if profile in line and b"--type=" not in line]
        return found

    def catches(self, number: signal.Signals) -> bool:
        """Whether the process has a handler for the signal, as the kernel tells."""
        status = _content(Path(f"/proc/{self.process.pid}/status")).decode()
        (mask,) = [line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")]
        return bool(int(mask, 16) >> (number - 1) & 1)

    def leftovers(self) -> list[str]:
        """Files that remain in the temporary folder, and processes that were given it: ours, the
        driver's and the browser's.
        """
        files = (Path(f"/proc/{pid}/{name}") for pid in _pids() for name in ("environ", "cmdline"))
        running = [path for path in files if str(self.temporary).encode() in _content(path)]
        return [*os.listdir(self.temporary), *map(str, running)]


Starts = Callable[[dict[str, Any]], Process]


def _pids() -> list[str]:
    return [name for name in os.listdir("/proc") if name.isdigit()]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.fixture
def start(chromium_path: str, tmp_path: Path) -> Iterator[Starts]:
    """Starts the command; what still runs when the test ends is killed."""
    started: list[Process] = []

    def run(document: dict[str, Any]) -> Process:
        started.append(Process(document, chromium_path, tmp_path))
        return started[-1]

    yield run
    for each in started:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.communicate()


def wait_until(holds: Any) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


LONG_WAIT = [
    {"step_id": "long", "action": "wait_for_timeout", "duration_ms": 600_000},
    {"step_id": "never", "action": "wait_for_timeout", "duration_ms": 1},
]


@pytest.mark.parametrize("whole_group", [False, True], ids=["process", "terminal"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_an_action_ends_the_capture_with_partial_evidence(
    start: Starts, loopback: Loopback, number: signal.Signals, whole_group: bool
) -> None:
    # Each tick is a tenth of a second after the load event; the start's step is long over by then.
    beacon = "<script>addEventListener('load', () => setInterval(() => fetch('/tick'), 100))</script>"
    document = scenario_document(loopback.route("/", beacon), LONG_WAIT, capture={"events": ["network"]})
    run = start(document)
    wait_until(lambda: loopback.targets().count("GET /tick") >= TICKS)
    (os.killpg if whole_group else os.kill)(run.process.pid, number)
    status, out, err = run.ended()
    assert (status, out) == (128 + number, ""), err
    result = run.evidence()["normalized_result"]
    assert [step["status"] for step in result["steps"]] == ["completed", "cancelled", "cancelled"]
    assert result["steps"][1]["error"] == f"the capture was stopped ({number.name})"
    assert any(number.name in sentence for sentence in result["limitations"])
    assert not result["completeness"]["equality_eligible"]
    assert run.leftovers() == []


@pytest.mark.parametrize("delay_ms", [100, 300, 600, 1000])
def test_a_signal_while_starting_leaves_nothing_behind(
    start: Starts, loopback: Loopback, delay_ms: int
) -> None:
    document = scenario_document(loopback.route("/", "<p>x"), LONG_WAIT)
    run = start(document)
    time.sleep(delay_ms / 1000)  # the moment is the case: early, importing, launching
    run.process.send_signal(signal.SIGTERM)
    status, _, err = run.ended()
    assert status in {143, -signal.SIGTERM}, err
    assert "Traceback" not in err
    if status == 143:
        steps = run.evidence()["normalized_result"]["steps"]
        assert {step["status"] for step in steps[1:]} == {"cancelled"}
    assert run.leftovers() == []


def test_a_second_signal_ends_the_process_at_once(start: Starts, loopback: Loopback) -> None:
    # Each tick is a tenth of a second after the load event; the start's step is long over by then.
    beacon = "<script>addEventListener('load', () => setInterval(() => fetch('/tick'), 100))</script>"
    run = start(scenario_document(loopback.route("/", beacon), LONG_WAIT))
    wait_until(lambda: "GET /tick" in loopback.targets())
    browser = run.browser()
    os.kill(browser, signal.SIGSTOP)  # a browser that does not answer is given seconds to close
    try:
        run.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not run.catches(signal.SIGTERM))
        run.process.send_signal(signal.SIGTERM)
        run.process.wait(timeout=CLOSE_TIMEOUT_MS / 1000)
    finally:
        os.kill(browser, signal.SIGCONT)
    status, out, _ = run.ended()
    assert (status, out) == (-signal.SIGTERM, "")
    assert not run.output.exists()
    wait_until(lambda: not [path for path in run.leftovers() if path.startswith("/proc")])
