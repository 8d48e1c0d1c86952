"""The driver that tests share is one that answers, and what a test leaves of it does not go unseen."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator

import pytest

from rea_capture.contracts.reading import read_scenario
from rea_capture.workflows.capture import capture
from tests.browser import kept_driver as keeping
from tests.browser.capture.conftest import scenario_document
from tests.browser.conftest import SharedBrowser
from tests.browser.kept_driver import KeptDriver
from tests.loopback import Loopback


@pytest.fixture
async def another() -> AsyncIterator[KeptDriver]:
    """A kept driver that no other test uses."""
    kept = KeptDriver()
    yield kept
    await kept.stop()


async def test_captures_share_it_one_after_another_and_at_the_same_time(
    another: KeptDriver, chromium_path: str, loopback: Loopback
) -> None:
    scenario = read_scenario(json.dumps(scenario_document(loopback.route("/", "<p>x"), None)).encode())
    await another.lent()
    process = another.process_id()

    async def captured() -> set[str]:
        evidence = await capture(scenario, executable_path=chromium_path, driver=another.lent())
        return {step.status for step in evidence.normalized_result.steps}

    assert list(await asyncio.gather(captured(), captured())) == [{"completed"}] * 2
    assert await captured() == {"completed"}
    assert another.process_id() == process
    assert await another.browsers_beside(set()) == set()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_one_that_does_not_answer_is_replaced(
    another: KeptDriver, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr(keeping, "ANSWER_TIMEOUT_S", 1.0)
    before = await another.lent()
    ended = another.process_id()
    assert ended is not None
    os.kill(ended, number)
    after = await another.lent()
    assert after != before
    assert another.process_id() not in {None, ended}
    with pytest.raises(ProcessLookupError):
        os.kill(ended, 0)


async def test_a_browser_that_is_left_is_seen(
    another: KeptDriver, chromium_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "ENDING_TIMEOUT_S", 0.1)
    driver = await another.lent()
    known = another.browsers()
    browser = await driver.chromium.launch(executable_path=chromium_path, chromium_sandbox=False)
    assert len(await another.browsers_beside(known)) == 1
    monkeypatch.setattr(keeping, "ENDING_TIMEOUT_S", 10)
    await browser.close()
    assert await another.browsers_beside(known) == set()


async def test_a_task_that_is_left_is_ended_and_the_driver_goes_on(another: KeptDriver) -> None:
    known = asyncio.all_tasks()
    driver = await another.lent()
    left = asyncio.ensure_future(asyncio.sleep(600))
    await another.cancel_tasks_beside(known)
    assert left.cancelled()
    assert await another.lent() == driver


async def test_the_shared_browser_is_another_one_when_it_or_its_driver_has_ended(
    another: KeptDriver, chromium_path: str
) -> None:
    shared = SharedBrowser(another, chromium_path)
    first = await shared.running()
    assert await shared.running() is first
    await first.close()
    second = await shared.running()
    assert second is not first
    ended = another.process_id()
    assert ended is not None
    os.kill(ended, signal.SIGKILL)
    assert await (await (await shared.running()).new_page()).evaluate("1 + 1") == 2
