"""The runtime with workers of its own and real browsers: side by side, cancelled, and closed."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from rea_capture import BrowserRuntime
from rea_capture.contracts.runtime.errors import BrowserOperationError
from tests.loopback import Answer, Loopback, Seen

SESSIONS = 4
WAIT_S = 90


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a browser leaves is seen, and no configuration of this machine counts."""
    for name, folder in {"TMPDIR": "tmp", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}.items():
        (tmp_path / folder).mkdir(mode=0o700)
        monkeypatch.setenv(name, str(tmp_path / folder))


@pytest.fixture
def hanging(loopback: Loopback) -> Iterator[str]:
    """An address that is answered when the test is over."""
    over = threading.Event()

    def hang(connection: BaseHTTPRequestHandler, request: Seen) -> Answer:
        over.wait(WAIT_S)
        return Answer("late")

    yield loopback.route("/hang", hang)
    over.set()


def cookies_of(connection: BaseHTTPRequestHandler, request: Seen) -> Answer:
    """A page that shows the cookie it was asked with, and sets one."""
    name = request.target.partition("?")[2]
    return Answer(
        f"<title>Cookie</title>Sent: {request.headers.get('cookie', 'none')}",
        headers=(("Set-Cookie", f"who={name}"),) if name else (),
    )


def running(folder: Path) -> set[str]:
    """Processes that were started with ``folder`` among their arguments or as their ``TMPDIR``."""
    found = set()
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            with suppress(OSError):
                data = (each / "cmdline").read_bytes() + (each / "environ").read_bytes()
                if os.fsencode(folder) in data:
                    found.add(each.name)
    return found


async def test_four_sessions_run_in_parallel_with_cookies_of_their_own_and_leave_nothing(
    loopback: Loopback, chromium_path: str, tmp_path: Path
) -> None:
    page = loopback.route("/", cookies_of)
    settings = {"browser": {"executablePath": chromium_path}}

    async def visit(name: str) -> str:
        async with await BrowserRuntime.open(settings, artifact_folder=tmp_path / "artifacts") as browser:
            await browser.navigate(f"{page}?{name}")
            await all_there.wait()
            await browser.navigate(page)
            await browser.capture_evidence("visit", include=["diagnostics"])
            return (await browser.read()).text

    all_there = asyncio.Barrier(SESSIONS)
    async with asyncio.timeout(WAIT_S):
        said = await asyncio.gather(*(visit(f"s{index}") for index in range(SESSIONS)))
    assert said == [f"Sent: who=s{index}" for index in range(SESSIONS)]
    assert len(list((tmp_path / "artifacts").iterdir())) == SESSIONS
    assert not running(tmp_path)
    assert not list((tmp_path / "tmp").iterdir())


async def test_a_session_goes_on_after_a_navigation_that_was_cancelled_and_one_that_was_cut_by_closing(
    loopback: Loopback, hanging: str, chromium_path: str, tmp_path: Path
) -> None:
    page = loopback.route("/", "<title>Here</title>")
    async with asyncio.timeout(WAIT_S):
        browser = await BrowserRuntime.open(
            {"browser": {"executablePath": chromium_path}}, artifact_folder=tmp_path / "artifacts"
        )
        assert running(tmp_path)
        cancelled = asyncio.create_task(browser.navigate(hanging))
        await asked_for(loopback, 1)
        cancelled.cancel()
        await asyncio.wait({cancelled})
        assert cancelled.cancelled()
        assert (await browser.navigate(page)).tab.title == "Here"
        cut = asyncio.create_task(browser.navigate(hanging))
        await asked_for(loopback, 2)
        assert (await browser.close()).problems == ()
        with pytest.raises(BrowserOperationError) as caught:
            await cut
    assert (caught.value.details.code, caught.value.details.mutation_state) == ("session_closed", "unknown")
    assert not running(tmp_path)


async def asked_for(loopback: Loopback, times: int) -> None:
    """Return when the hanging page has been asked for so often."""
    while loopback.targets().count("GET /hang") < times:  # noqa: ASYNC110 - a browser asks
        await asyncio.sleep(0.01)


async def test_the_project_of_the_working_folder_says_what_the_call_does_not(
    loopback: Loopback, chromium_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".rea").mkdir()
    (tmp_path / ".rea" / "browser.toml").write_text(
        f'allowedOrigins = ["http://allowed.test"]\nbrowser.executablePath = {json.dumps(chromium_path)}\n'
    )
    monkeypatch.chdir(tmp_path)
    page = loopback.route("/", "<title>Here</title>")
    async with asyncio.timeout(WAIT_S), await BrowserRuntime.open() as browser:
        with pytest.raises(BrowserOperationError) as caught:
            await browser.navigate(page)
    assert caught.value.details.code == "origin_refused"
    assert not loopback.targets()
