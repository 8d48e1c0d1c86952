"""SIGINT, SIGTERM and SIGHUP end a capture cleanly at any moment, with the partial Evidence written."""

from __future__ import annotations

import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from functools import partial
from pathlib import Path

import pytest

from rea_capture.browser.sent_unseen import UNREAD_LOG_LIMITATION
from rea_capture.evidence import parse
from rea_capture.workflows.interruptible import MAX_SAVING_S
from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import (
    MAX_END_S,
    TICKING,
    Capture,
    Starts,
    children,
    content,
    cpu_ticks,
    wait_until,
)
from tests.browser.cleanup.moments import LONG_WAIT, in_a_navigation, in_an_action, with_a_page
from tests.loopback import Loopback

DRAINS = 4


def stopped(run: Capture, number: signal.Signals) -> tuple[float, str]:
    """Send ``number``; how long the end took, and what was said. Nothing may be left."""
    began = time.monotonic()
    run.process.send_signal(number)
    status, out, err = run.ended()
    took = time.monotonic() - began
    assert (status, out) == (128 + number, b""), err
    assert "Traceback" not in err
    assert run.leftovers() == []
    return took, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_in_an_action(start: Starts, loopback: Loopback, number: signal.Signals) -> None:
    run = in_an_action(start, loopback, capture={"events": ["network"]})
    took, _ = stopped(run, number)
    assert took < MAX_END_S
    result = run.evidence()
    assert [step["status"] for step in result["steps"]] == ["completed", "cancelled", "cancelled"]
    assert result["steps"][1]["error"] == f"the capture was stopped ({number.name})"
    assert any(number.name in sentence for sentence in result["limitations"])
    assert not result["completeness"]["equality_eligible"]


def test_to_the_whole_group_of_a_terminal_and_once_more_by_a_wrapper(
    start: Starts, loopback: Loopback
) -> None:
    run = in_an_action(start, loopback)
    os.killpg(run.process.pid, signal.SIGINT)
    run.process.send_signal(signal.SIGINT)
    status, out, err = run.ended()
    assert (status, out) == (130, b""), err
    assert [step["status"] for step in run.evidence()["steps"]] == ["completed", "cancelled", "cancelled"]
    assert run.leftovers() == []


def test_while_the_browser_is_launched(start: Starts, mute_browser: Path) -> None:
    run = start(scenario_document("http://127.0.0.1:1/", LONG_WAIT), str(mute_browser))
    wait_until(Path(f"{mute_browser}.started").exists, "the browser's start")
    took, _ = stopped(run, signal.SIGTERM)
    assert took < MAX_END_S
    result = run.evidence()
    assert {step["status"] for step in result["steps"]} == {"cancelled"}
    assert result["browser"]["product"] == "unknown"


def test_in_a_navigation(start: Starts, loopback: Loopback) -> None:
    with in_a_navigation(start, loopback) as run:
        took, _ = stopped(run, signal.SIGHUP)
    assert took < MAX_END_S
    assert {step["status"] for step in run.evidence()["steps"]} == {"cancelled"}


def computing(run: Capture, ticks: int = 80) -> bool:
    """Whether a page of ``run`` is in a loop: it has computed longer than any page here would."""
    return any(
        cpu_ticks(pid) > ticks and b"--type=renderer" in content(Path(f"/proc/{pid}/cmdline"))
        for pid in (int(path.split("/")[2]) for path in run.processes())
    )


def test_in_an_artifact_read(start: Starts, loopback: Loopback) -> None:
    busy = "<script>addEventListener('load', () => setTimeout(() => { for (;;); }))</script>"
    capture = {"after_each_step": ["dom"], "at_end": ["dom"]}
    run = start(scenario_document(loopback.route("/", busy), LONG_WAIT, capture=capture))

    wait_until(lambda: computing(run), "the loop")
    took, _ = stopped(run, signal.SIGTERM)
    assert took < MAX_END_S
    first = run.evidence()["steps"][0]
    assert first["artifacts"]["dom"]["state"] == "missing"
    assert "SIGTERM" in first["artifacts"]["dom"]["reason"]


def test_in_the_drain_of_bodies(start: Starts, loopback: Loopback) -> None:
    loopback.route("/body", "a body")
    # The bodies are asked of a page that does not answer: four rounds of sixteen, of five seconds each.
    page = loopback.route(
        "/",
        "<script>addEventListener('load', () => Promise.all([...Array(64).keys()].map(number =>"
        " fetch('/body?' + number).then(answer => answer.text()))).then(() => { for (;;); }))</script>",
    )
    capture = {"events": ["network"], "network": {"response_body": True}}
    document = scenario_document(page, [pause("settle", 3_000)], capture=capture)
    for _ in range(DRAINS):  # on a busy machine all bodies may be had before the page loops
        run = start(document, flags=["--jsonl"])
        wait_until(partial(computing, run), "the loop")
        assert run.process.stdout is not None
        told = map(json.loads, run.process.stdout)
        assert any(each["kind"] == "step" and each["step_id"] == "settle" for each in told)
        began = time.monotonic()
        run.process.send_signal(signal.SIGTERM)
        status, _, err = run.ended()
        assert time.monotonic() - began < MAX_END_S
        assert (status, run.leftovers()) == (128 + signal.SIGTERM, []), err
        result = run.evidence()
        assert [step["status"] for step in result["steps"]] == ["completed", "completed"]
        if any("SIGTERM" in sentence for sentence in result["limitations"]):
            assert "events" in result["completeness"]["missing_sections"]
            return
    pytest.fail("no signal came while bodies were awaited")


@pytest.mark.parametrize("whose", ["browser", "driver"])
def test_when_nothing_answers_any_more(start: Starts, loopback: Loopback, whose: str) -> None:
    run = in_an_action(start, loopback, capture={"events": ["network"]})
    os.kill(run.browser() if whose == "browser" else run.driver(), signal.SIGSTOP)
    took, _ = stopped(run, signal.SIGTERM)
    assert took < MAX_END_S
    result = run.evidence()
    assert [step["status"] for step in result["steps"]] == ["completed", "cancelled", "cancelled"]
    assert "The browser did not close by itself; its processes were ended." in result["limitations"]
    assert UNREAD_LOG_LIMITATION in result["limitations"]
    assert "events" in result["completeness"]["missing_sections"]


def full(pipe: int) -> bool:
    """Whether what is written to the pipe that ``pipe`` reads has to wait."""
    waiting = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return waiting[0] >= fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)


def large_page(loopback: Loopback) -> dict[str, object]:
    url = loopback.route("/", f"<p>{'word ' * 40_000}")
    document: dict[str, object] = scenario_document(url, [pause()], capture={"after_each_step": ["dom"]})
    return document


def test_while_writing_what_is_being_written_is_finished(start: Starts, loopback: Loopback) -> None:
    run = start(large_page(loopback), output="-")
    assert run.process.stdout is not None
    pipe = run.process.stdout.fileno()
    wait_until(lambda: full(pipe), "a full pipe")
    run.process.send_signal(signal.SIGTERM)
    status, out, err = run.ended()
    assert status == 143, err
    parse(out, "standard output")
    assert run.leftovers() == []


def test_while_writing_to_nobody_the_end_comes_all_the_same(start: Starts, loopback: Loopback) -> None:
    run = start(large_page(loopback), output="-")
    assert run.process.stdout is not None
    pipe = run.process.stdout.fileno()
    wait_until(lambda: full(pipe), "a full pipe")
    began = time.monotonic()
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(MAX_END_S) == 73
    assert time.monotonic() - began > MAX_SAVING_S - 1
    _, _, err = run.ended()
    assert "nobody took it within" in err
    assert run.leftovers() == []


@pytest.mark.parametrize("delay_ms", [0, 60, 150, 400, 1000])
def test_while_starting_it_ends_quietly(start: Starts, loopback: Loopback, delay_ms: int) -> None:
    run = start(scenario_document(loopback.route("/", "<p>x"), LONG_WAIT))
    time.sleep(delay_ms / 1000)  # the moment is the case: Python's own start, importing, launching
    run.process.send_signal(signal.SIGTERM)
    status, _, err = run.ended()
    assert status in {143, -signal.SIGTERM}, err
    assert "Traceback" not in err
    if run.output.exists():
        assert {step["status"] for step in run.evidence()["steps"][1:]} == {"cancelled"}
    assert run.leftovers() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_while_importing_it_ends_quietly(number: signal.Signals) -> None:
    program = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'click': os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from rea_capture.cli import main\n"
        "main(['doctor'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, b"", b"")


def test_a_second_one_ends_the_process_at_once_and_cleaning_leaves_nothing(
    start: Starts, loopback: Loopback
) -> None:
    run = with_a_page(start, loopback)
    os.kill(run.browser(), signal.SIGSTOP)  # one that does not answer is given seconds to close
    began = time.monotonic()

    def ended() -> bool:
        run.process.send_signal(signal.SIGTERM)
        return run.process.poll() is not None

    wait_until(ended, "the end")
    assert time.monotonic() - began < 3
    status, out, _ = run.ended()
    assert (status, out) == (-signal.SIGTERM, b"")
    assert not run.output.exists()
    wait_until(lambda: not children(run.process.pid), "the end of its children")
    (launch,) = run.rea("clean", "--json")["launches"]
    assert launch["outcome"] == "removed"
    wait_until(lambda: not run.leftovers(), "the driver's end")


def test_under_nohup_the_end_of_a_terminal_does_not_stop_a_capture(start: Starts, loopback: Loopback) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # children inherit what is ignored
    try:
        run = start(scenario_document(loopback.route("/", TICKING), [pause("wait", 1_500)]))
    finally:
        signal.signal(signal.SIGHUP, before)
    wait_until(lambda: "GET /tick" in loopback.targets(), "a tick")
    run.process.send_signal(signal.SIGHUP)
    status, _, err = run.ended()
    assert status == 0, err
    assert [step["status"] for step in run.evidence()["steps"]] == ["completed", "completed"]
