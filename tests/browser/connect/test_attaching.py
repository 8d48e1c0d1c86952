"""What attaching does to the other tabs and to the disk, and what it says when the browser goes away."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Playwright

from rea_capture.browser.driver_process import start_driver
from rea_capture.browser.failures import BROWSER_GONE
from rea_capture.browser.ownership import recorded_launches
from rea_capture.browser.seeding import StorageSeeder
from rea_capture.capture.progress import Progress, StepStarted
from rea_capture.contracts.reading import read_scenario
from rea_capture.errors import UnavailableError
from rea_capture.workflows.capture import capture
from tests.browser.capture.conftest import literal, pause
from tests.browser.connect.conftest import RunAttached, SomebodysBrowser, attached_document
from tests.browser.connect.raw_cdp import PATIENCE_S, RawClient
from tests.browser.connect.test_commands import capturing
from tests.cli.running import WAIT_S, rea
from tests.loopback import Loopback


class Hurried:
    """A driver's Chromium, with which something happens in the very moment it has attached."""

    def __init__(self, playwright: Playwright, then: Any) -> None:
        self._playwright, self._then = playwright, then
        self.chromium = self

    async def connect_over_cdp(self, *arguments: Any, **options: Any) -> Browser:
        browser = await self._playwright.chromium.connect_over_cdp(*arguments, **options)
        await self._then(browser)
        return browser

    async def stop(self) -> None:
        await self._playwright.stop()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder of this process and of what it starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    tempfile.tempdir = None


async def test_a_dialog_of_another_tab_in_the_moment_of_attaching_waits_for_its_user(
    loopback: Loopback, browser: SomebodysBrowser, tab: str, owner: RawClient
) -> None:
    other = browser.new_tab()
    session = await owner.attach(other)
    await owner.send("Page.enable", session_id=session)
    asking: list[asyncio.Task[Any]] = []

    async def ask(attached: Browser) -> None:
        asking.append(asyncio.ensure_future(owner.evaluate(session, "confirm('for its user only')")))
        await owner.until(lambda event: event["method"] == "Page.javascriptDialogOpening")
        await (await attached.new_browser_cdp_session()).detach()  # the driver has heard of it, too

    async def hurried() -> Playwright:
        return Hurried(await start_driver(), ask)  # type: ignore[return-value]  # all that is used of one

    document = attached_document(browser, tab, loopback.route("/", "<script>alert('of the page')</script>"))
    try:
        evidence = await capture(read_scenario(json.dumps(document).encode()), driver=hurried())
        assert "of the page" in " ".join(evidence.normalized_result.limitations)
        closed = [event for event in owner.events if event["method"] == "Page.javascriptDialogClosed"]
        assert [event for event in closed if event["sessionId"] == session] == []
        await owner.send("Page.handleJavaScriptDialog", {"accept": True}, session)
        async with asyncio.timeout(PATIENCE_S):
            assert await asking[0] is True
    finally:
        browser.close_tab(other)


async def test_a_capture_leaves_no_file_of_the_driver_nor_does_one_that_could_not_attach(
    run_attached: RunAttached,
    loopback: Loopback,
    browser: SomebodysBrowser,
    owner: RawClient,
    temporary: Path,
) -> None:
    await run_attached(loopback.route("/", "<p>x"), own_driver=True)
    hung = browser.new_tab()
    asking = asyncio.ensure_future(owner.evaluate(await owner.attach(hung), "for (;;);"))
    try:
        with pytest.raises(UnavailableError, match="could not be attached to"):
            await run_attached(loopback.route("/", "<p>x"), command_timeout_ms=500, own_driver=True)
    finally:
        asking.cancel()
        browser.close_tab(hung)
    assert os.listdir(temporary) == []
    assert recorded_launches() == ()


async def test_what_a_killed_capture_leaves_of_the_driver_is_recorded_and_cleaned_up(
    browser: SomebodysBrowser, tab: str, loopback: Loopback, tmp_path: Path, temporary: Path
) -> None:
    page = loopback.route("/", "<script>setInterval(() => fetch('/tick'), 50)</script>")
    document = attached_document(browser, tab, page, [pause("long", 600_000)])
    run = capturing(document, tmp_path / "capture.json")
    await asyncio.to_thread(_until_ticking, loopback, run)
    run.send_signal(signal.SIGKILL)
    await asyncio.to_thread(run.communicate, timeout=WAIT_S)
    (left,) = os.listdir(temporary)
    (state,) = recorded_launches()
    assert state.launch is not None
    assert [folder.path for folder in state.launch.folders] == [str(temporary / left)]
    cleaned = await asyncio.to_thread(rea, "clean", "--json")
    assert [launch["outcome"] for launch in cleaned.document["launches"]] == ["removed"]
    assert os.listdir(temporary) == []


def _until_ticking(loopback: Loopback, run: subprocess.Popen[str]) -> None:
    while "GET /tick" not in loopback.targets():
        assert run.poll() is None, "the capture ended"


async def test_a_temporary_folder_that_cannot_be_written_is_one_line(
    run_attached: RunAttached, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/proc/self")
    with pytest.raises(UnavailableError, match="the driver's temporary folder could not be created: "):
        await run_attached(loopback.origin)


@pytest.mark.parametrize("ends", ["killed", "closed"])
async def test_a_browser_that_goes_away_is_told_from_a_page_that_is_closed(
    chromium_path: str, loopback: Loopback, tmp_path: Path, ends: str
) -> None:
    mortal = SomebodysBrowser(chromium_path, tmp_path / "profile")
    client = await RawClient.open(mortal.websocket_url)
    closing: list[asyncio.Task[Any]] = []

    def end_it(news: Progress) -> None:
        if isinstance(news, StepStarted) and news.step_id == "long":
            if ends == "killed":
                mortal.process.kill()
            else:
                closing.append(asyncio.ensure_future(client.send("Browser.close")))

    try:
        (tab,) = mortal.pages()
        document = attached_document(mortal, tab, loopback.route("/", "<p>x"), [pause("long", 30_000)])
        evidence = await capture(read_scenario(json.dumps(document).encode()), progress=end_it)
    finally:
        for task in closing:
            task.cancel()
        await asyncio.gather(client._task, *closing, return_exceptions=True)
        await client.close()
        mortal.end()
    assert [step.status for step in evidence.normalized_result.steps] == ["completed", "failed"]
    assert evidence.normalized_result.steps[1].error == BROWSER_GONE
    assert "The browser went away while it was attached to." in evidence.normalized_result.limitations


async def test_seeds_on_their_way_are_waited_for_before_observation_ends(
    run_attached: RunAttached, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[StorageSeeder] = []

    async def settle(seeder: StorageSeeder) -> None:
        settled.append(seeder)

    monkeypatch.setattr(StorageSeeder, "settle", settle)
    entries = [{"origin": loopback.origin, "entries": [{"name": "a", "value": literal("1")}]}]
    await run_attached(loopback.route("/", "<p>x"), storage={"session_storage": entries})
    assert len(settled) == 1
