"""A driver that dies under a session."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Playwright

from rea_capture.browser.driver_process import process_id, start_driver, stop_driver
from rea_capture.browser.runtime.opening import open_live
from rea_capture.contracts.runtime.settings import LaunchSettings, SessionSettings
from tests.browser.runtime.asking import click, failed, go, read, tabs
from tests.loopback import Loopback

pytestmark = pytest.mark.asyncio(loop_scope="session")

HANGS = "<button onclick='for (;;);'>Hang</button>"


@pytest_asyncio.fixture(loop_scope="session")
async def mortal() -> AsyncIterator[Playwright]:
    """A driver of this test's own."""
    started = await start_driver()
    yield started
    await stop_driver(started)


def left_in(folder: Path) -> list[Path]:
    """Profiles that are still there."""
    return list(folder.iterdir())


async def test_a_driver_that_is_killed_ends_what_is_under_way_and_the_browser_is_taken_down(
    mortal: Playwright, chromium_path: str, site: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = LaunchSettings(executable_path=chromium_path)
    live = await open_live(mortal, SessionSettings(browser=own), environ=os.environ)
    await go(live, site.route("/hangs", HANGS))
    acting = asyncio.ensure_future(click(live, "Hang"))
    while not live._room.gate._call:  # noqa: ASYNC110 - no event tells that an action is under way
        await asyncio.sleep(0.01)
    number = process_id(mortal)
    assert number is not None
    begun = asyncio.get_running_loop().time()
    os.kill(number, signal.SIGKILL)
    details = await failed(acting, "browser_gone")
    assert details.mutation_state == "unknown"
    assert "driver" in details.message
    for work in (read(live), tabs(live), go(live, f"{site.origin}/hangs")):
        assert (await failed(work, "browser_gone")).mutation_state == "not_attempted"
    assert asyncio.get_running_loop().time() - begun < 3
    problems = await live.close()
    assert left_in(tmp_path) == [], problems
