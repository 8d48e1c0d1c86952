"""What a capture needs dies or runs out: one clear line, the right status, and nothing left behind."""

from __future__ import annotations

import json
import os
import resource
import signal
from pathlib import Path

import pytest

from rea_capture.browser.failures import BROWSER_GONE, DRIVER_ENDED
from rea_capture.browser.session import BROWSER_GONE_LIMITATION, DRIVER_ENDED_LIMITATION
from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import TICKING, Capture, Starts, wait_until
from tests.browser.cleanup.moments import LONG_WAIT, in_a_navigation, in_an_action
from tests.loopback import Loopback

REASONS = {"browser": BROWSER_GONE, "driver": DRIVER_ENDED}


def incomplete(step_id: str, reason: str, later: str) -> str:
    """What standard error has of a run that ended with this step."""
    said = f"step {step_id} failed: {reason}; {later} did not complete either"
    return f"rea: the capture is incomplete: {said}\n"


def one_line(err: str) -> str:
    """What was said, if that is one line."""
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


def refusal(run: Capture, status: int) -> str:
    """The message of a command that ended with ``status``, said nothing else and left nothing."""
    found, out, err = run.ended()
    assert (found, out) == (status, b""), err
    assert run.leftovers() == []
    error = json.loads(one_line(err))["error"]
    return str(error["message"])


def simple(loopback: Loopback) -> dict[str, object]:
    document: dict[str, object] = scenario_document(loopback.route("/", "<p>x"), [pause()])
    return document


@pytest.mark.parametrize("whose", ["browser", "driver"])
def test_dying_in_a_pause_it_ends_the_pause(start: Starts, loopback: Loopback, whose: str) -> None:
    run = in_an_action(start, loopback, capture={"at_end": ["screenshot", "url"]})
    os.kill(run.browser() if whose == "browser" else run.driver(), signal.SIGKILL)
    status, _, err = run.ended()
    assert status == 0, err
    assert one_line(err) == incomplete("long", REASONS[whose], "1 later step")
    result = run.evidence()
    assert [step["status"] for step in result["steps"]] == ["completed", "failed", "cancelled"]
    artifacts = result["steps"][1]["artifacts"]
    assert {artifacts[name]["reason"] for name in ("screenshot", "url")} == {REASONS[whose]}
    assert (DRIVER_ENDED_LIMITATION in result["limitations"]) is (whose == "driver")
    assert (BROWSER_GONE_LIMITATION in result["limitations"]) is (whose == "browser")
    assert run.leftovers() == []


@pytest.mark.parametrize("whose", ["browser", "driver"])
def test_dying_in_a_navigation_it_fails_the_navigation(start: Starts, loopback: Loopback, whose: str) -> None:
    with in_a_navigation(start, loopback) as run:
        os.kill(run.browser() if whose == "browser" else run.driver(), signal.SIGKILL)
        status, _, err = run.ended()
    assert status == 0, err
    assert one_line(err) == incomplete("scenario_start", REASONS[whose], "2 later steps")
    assert [step["status"] for step in run.evidence()["steps"]] == ["failed", "cancelled", "cancelled"]
    assert run.leftovers() == []


@pytest.mark.parametrize("descriptors", [8, 20, 30, 40])
def test_descriptors_running_out(start: Starts, loopback: Loopback, descriptors: int) -> None:
    message = refusal(start(simple(loopback), limits={resource.RLIMIT_NOFILE: descriptors}), 69)
    assert message.startswith(("a capture needs 16 more open files", "the browser"))


def test_no_room_for_anything(start: Starts, loopback: Loopback) -> None:
    message = refusal(start(simple(loopback), limits={resource.RLIMIT_FSIZE: 0}), 69)
    assert message.startswith("the temporary profile could not be created: ")


def test_no_room_for_a_profile(start: Starts, loopback: Loopback) -> None:
    message = refusal(start(simple(loopback), limits={resource.RLIMIT_FSIZE: 20_000}), 69)
    assert message.startswith("the browser could not be launched: ")
    assert message.endswith("; perhaps because only 20000 bytes may be in a file (ulimit -f)")


@pytest.mark.parametrize(
    ("displays", "reason"),
    [
        ({"DISPLAY": ""}, "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"),
        ({"DISPLAY": ":4711"}, "there is no display to show it (DISPLAY=:4711)"),
    ],
)
def test_no_display_for_a_window(
    start: Starts, loopback: Loopback, displays: dict[str, str], reason: str
) -> None:
    document = {**simple(loopback), "browser": {"mode": "launch", "headless": False}}
    message = refusal(start(document, environ={"WAYLAND_DISPLAY": "", **displays}), 69)
    assert reason in message
    assert message.endswith("run it with xvfb-run, or leave browser.headless at true")


def test_no_room_for_the_document(start: Starts, loopback: Loopback) -> None:
    message = refusal(start(simple(loopback), output="/dev/full"), 73)
    assert message == "cannot write '/dev/full': no space left on device"


def test_a_temporary_folder_that_is_missing_is_not_needed(start: Starts, loopback: Loopback) -> None:
    run = start(simple(loopback), environ={"TMPDIR": "/nowhere/at/all"})
    status, _, err = run.ended()
    assert (status, err) == (0, "")
    assert run.leftovers() == []


def test_a_temporary_folder_whose_name_is_not_utf_8_is_refused_and_disturbs_nobody(
    start: Starts, loopback: Loopback, tmp_path: Path
) -> None:
    odd = tmp_path / os.fsdecode(b"\xff")
    odd.mkdir()
    message = refusal(start(simple(loopback), environ={"TMPDIR": str(odd)}), 69)
    assert message.endswith("the name of the temporary folder (tmpdir) is not utf-8")
    assert list(odd.iterdir()) == []
    assert start(simple(loopback)).ended()[0] == 0


def test_a_record_that_makes_no_sense_disturbs_nobody(start: Starts, loopback: Loopback) -> None:
    run = start(simple(loopback))
    assert run.ended()[0] == 0
    record = run.state / "rea-capture/launches/0.json"
    record.write_text('{"owner": {"pid": 99999999999999, "started": 1}, "host": "\\ud800"}')
    assert start(simple(loopback)).ended()[0] == 0
    assert run.rea("clean", "--json")["launches"][0]["outcome"] == "kept"
    assert run.rea("doctor", "--json")["launches"][0]["standing"] == "unproven"


def test_a_browser_that_is_killed_while_it_starts_is_not_waited_for(
    start: Starts, loopback: Loopback
) -> None:
    run = start(scenario_document(loopback.route("/", TICKING), LONG_WAIT))

    def killed() -> bool:
        try:
            os.kill(run.browser(), signal.SIGKILL)
        except ValueError:  # not there yet
            return False
        return True

    wait_until(killed, "the browser")
    assert refusal(run, 69).startswith("the browser could not be launched: ")


def test_a_driver_that_is_killed_while_the_browser_starts_is_what_is_told(
    start: Starts, loopback: Loopback
) -> None:
    run = start(scenario_document(loopback.route("/", TICKING), LONG_WAIT))

    def starting() -> bool:
        try:
            return run.browser() > 0
        except ValueError:  # not there yet
            return False

    wait_until(starting, "the browser")
    os.kill(run.driver(), signal.SIGKILL)
    assert refusal(run, 69) == f"the browser could not be launched: {DRIVER_ENDED}"
