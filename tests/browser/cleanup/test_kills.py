"""After a SIGKILL, which nobody can answer, the next capture or ``rea clean`` leaves nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import Capture, Starts, wait_until
from tests.browser.cleanup.moments import LONG_WAIT, with_a_page
from tests.loopback import Loopback


def killed(run: Capture, stopped: int | None = None) -> None:
    """Kill ``run`` with its driver, so that nobody is left who would tell the browser; stop the browser."""
    driver = run.driver()
    if stopped is not None:
        os.kill(stopped, signal.SIGSTOP)
    os.kill(driver, signal.SIGKILL)
    os.kill(run.process.pid, signal.SIGKILL)
    assert run.ended()[0] == -signal.SIGKILL


def standings(run: Capture) -> list[str]:
    return [launch["standing"] for launch in run.rea("doctor", "--json")["launches"]]


def test_in_an_action_then_cleaned_on_command(start: Starts, loopback: Loopback) -> None:
    run = with_a_page(start, loopback)
    browser = run.browser()
    assert run.rea("clean", "--json")["launches"][0]["outcome"] == "in_use"
    killed(run, stopped=browser)
    assert f"/proc/{browser}/cmdline" in run.processes()
    assert standings(run) == ["abandoned"]
    (launch,) = run.rea("clean", "--json")["launches"]
    assert launch["outcome"] == "removed"
    assert launch["processes"] >= 1
    wait_until(lambda: not run.leftovers(), "the end of everything")
    assert run.rea("clean", "--json") == {"launches": []}


@pytest.mark.parametrize("moment", ["in an action", "while launching"])
def test_then_cleaned_by_the_next_capture(
    start: Starts, loopback: Loopback, mute_browser: Path, moment: str
) -> None:
    if moment == "in an action":
        run = with_a_page(start, loopback)
        killed(run, stopped=run.browser())
    else:
        run = start(scenario_document("http://127.0.0.1:1/", LONG_WAIT), str(mute_browser))
        wait_until(Path(f"{mute_browser}.started").exists, "the browser's start")
        killed(run)
    assert run.leftovers()
    again = start(scenario_document(loopback.route("/quiet", "<p>x"), [pause()]))
    status, _, err = again.ended()
    assert (status, err) == (0, "")
    assert again.evidence()["completeness"]["status"] == "complete"
    wait_until(lambda: not [*run.leftovers(), *again.leftovers()], "the end of everything")


def test_a_crash_of_the_browser_leaves_no_dump_of_its_memory(start: Starts, loopback: Loopback) -> None:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")

    def dumps() -> set[Path]:
        return set(home.glob("*/Crash Reports/*/*.dmp"))

    run = with_a_page(start, loopback)
    browser = run.browser()
    arguments = Path(f"/proc/{browser}/environ").read_bytes().split(b"\0")
    (told,) = [each for each in arguments if each.startswith(b"BREAKPAD_DUMP_LOCATION=")]
    assert str(run.temporary).encode() in told
    before = dumps()
    os.kill(browser, signal.SIGSEGV)
    run.process.send_signal(signal.SIGTERM)
    assert run.ended()[0] == 143
    assert dumps() <= before
    assert run.leftovers() == []
