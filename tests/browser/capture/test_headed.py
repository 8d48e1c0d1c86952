"""A browser with a window, on a display that shows it to nobody."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from rea_capture.contracts.artifacts import CapturedScreenshot
from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, RunScenario, css, pause
from tests.loopback import Loopback

START_S = 20


@pytest.fixture
def display() -> Iterator[str]:
    """The name of an X display of our own."""
    read, write = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-nolisten", "tcp", "-screen", "0", "1600x1200x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        yield f":{number}"
        server.terminate()
        server.wait(START_S)


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="a window needs a display; Xvfb is not installed")
async def test_with_a_window_a_capture_has_what_it_has_without(
    run_scenario: RunScenario, loopback: Loopback, display: str
) -> None:
    page = "<button onclick=\"document.title = 'pressed'; fetch('/api')\">Press</button>"
    url = loopback.route("/", page)
    loopback.route("/api", "answer")
    press = {"step_id": "press", "action": "click", "locator": css("button"), "timeout_ms": 10_000}
    capture = {"after_each_step": ALL_ARTIFACTS, "events": ALL_FAMILIES}
    results = []
    for headless in (True, False):
        evidence = await run_scenario(
            url,
            [press, pause()],
            browser={"mode": "launch", "headless": headless},
            environ={**os.environ, "DISPLAY": display},
            capture=capture,
        )
        results.append(evidence.normalized_result)
    without, with_window = results
    assert [step.completeness.status for step in with_window.steps] == ["complete"] * 3
    for ours, theirs in zip(with_window.steps, without.steps, strict=True):
        assert ours.artifacts.dom == theirs.artifacts.dom
        assert ours.artifacts.accessibility == theirs.artifacts.accessibility
        picture, other = ours.artifacts.screenshot, theirs.artifacts.screenshot
        assert isinstance(picture, CapturedScreenshot)
        assert isinstance(other, CapturedScreenshot)
        assert (picture.value.width, picture.value.height) == (other.value.width, other.value.height)
    assert [event.kind for event in with_window.events.items] == [
        event.kind for event in without.events.items
    ]
