"""A page that never stops logging: the driver's word on anything else comes behind all it logs."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rea_capture.browser import driver
from rea_capture.capture.driver import ActionError
from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, RunScenario, css
from tests.loopback import Loopback

FLOOD = (
    "<p>x<script>setInterval(() => { for (let i = 0; i < 3000; i++) console.log('flood', i) }, 0)</script>"
)
TIMEOUT_MS = 1_000


async def test_a_page_that_logs_without_end_ends_within_its_bounds_and_says_what_is_missing(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    press = {"step_id": "p", "action": "press", "locator": css("body"), "key": "a", "timeout_ms": TIMEOUT_MS}
    evidence = await run_scenario(
        loopback.route("/", FLOOD),
        [press],
        command_timeout_ms=8_000,
        capture={
            "after_each_step": ALL_ARTIFACTS,
            "at_end": ALL_ARTIFACTS,
            "events": ALL_FAMILIES,
            "limits": {"max_events": 200},
        },
    )
    result = evidence.normalized_result
    _, pressed = result.steps
    assert pressed.status == "completed" or str(pressed.error).startswith(f"Timeout {TIMEOUT_MS}ms exceeded")
    assert (result.events.retained, result.completeness.status) == (200, "incomplete")
    assert "console" in {row.kind for row in result.events.omissions.by_kind}
    assert "events" in result.completeness.truncated_sections
    assert "events" in result.completeness.missing_sections


async def test_an_action_ends_though_the_driver_never_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ANSWER_GRACE_MS", 10)
    deaf = _driver_of_a_page_that_lives()
    with pytest.raises(ActionError, match=r"Timeout 20ms exceeded, .* did not say so"):
        await asyncio.wait_for(deaf._act(_wait(asyncio.Event()), 20), 10)


async def test_an_action_without_a_timeout_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ANSWER_GRACE_MS", 0)
    done = asyncio.Event()
    acting = asyncio.ensure_future(_driver_of_a_page_that_lives()._act(_wait(done), None))
    assert await asyncio.wait({acting}, timeout=0.05) == (set(), {acting})
    done.set()
    await asyncio.wait_for(acting, 10)


async def _wait(done: asyncio.Event) -> None:
    await done.wait()


class _Quiet:
    """A page, reader or tally that is asked nothing of interest."""

    def __init__(self) -> None:
        self.life = SimpleNamespace(gone=asyncio.get_running_loop().create_future())

    def begin_step(self) -> None: ...


def _driver_of_a_page_that_lives() -> driver.PlaywrightDriver:
    quiet = cast("Any", _Quiet())
    return driver.PlaywrightDriver(quiet, quiet, quiet, quiet, quiet, quiet, quiet, quiet, look_around=quiet)
