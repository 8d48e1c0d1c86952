"""A program that cancels a capture gets its cancellation, and nothing is left of the capture."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import anyio
import pytest

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.reading import read_scenario
from rea_capture.workflows.capture import capture
from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import MAX_END_S, PATIENCE_S, TICKING, children, content
from tests.browser.cleanup.moments import LONG_WAIT
from tests.loopback import Loopback

Capturing = Callable[[], Awaitable[CaptureEvidence]]
Happened = Callable[[], bool]
Drivers = Callable[[], set[int]]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder of the capture; the folder of records is beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    # Not in ``tmp_path``, which is too long for the browser's sockets, which would then be elsewhere.
    with tempfile.TemporaryDirectory(prefix="rct-", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


@pytest.fixture
def drivers() -> Drivers:
    """The drivers that were started since; shared browsers of other tests keep theirs in this process."""

    def running() -> set[int]:
        return {
            pid for pid in children(os.getpid()) if b"run-driver" in content(Path(f"/proc/{pid}/cmdline"))
        }

    before = running()
    return lambda: running() - before


def leftovers(temporary: Path, drivers: Drivers) -> list[str]:
    records = Path(os.environ["XDG_STATE_HOME"], "rea-capture/launches")
    named = [
        str(pid)
        for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
        if str(temporary).encode() in content(Path(f"/proc/{pid}/cmdline"))
    ]
    tasks = [repr(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    kept = [str(path) for path in records.iterdir()] if records.exists() else []
    return [*os.listdir(temporary), *kept, *named, *map(str, drivers()), *tasks]


async def until(happened: Happened) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not happened():  # noqa: ASYNC110 - what happens, happens in other processes
            await asyncio.sleep(0.01)


async def by_task(capturing: Capturing, happened: Happened) -> float:
    task = asyncio.ensure_future(capturing())
    await until(happened)
    began = time.monotonic()
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()  # an impatient one
    with pytest.raises(asyncio.CancelledError):
        await task
    return began


async def by_timeout(capturing: Capturing, happened: Happened) -> float:
    bound = asyncio.timeout(None)
    began = asyncio.ensure_future(_then(happened, lambda: bound.reschedule(0)))
    with pytest.raises(TimeoutError):
        async with bound:
            await capturing()
    return await began


async def by_scope(capturing: Capturing, happened: Happened) -> float:
    scope = anyio.CancelScope()
    began = asyncio.ensure_future(_then(happened, scope.cancel))
    with scope:
        await capturing()
    assert scope.cancelled_caught
    return await began


async def _then(happened: Happened, cancel: Callable[[], object]) -> float:
    """Cancel when it has happened. Returns when that was."""
    await until(happened)
    began = time.monotonic()
    cancel()
    return began


@pytest.mark.parametrize("way", [by_task, by_timeout, by_scope])
@pytest.mark.parametrize("moment", ["driver", "launch", "action"])
async def test_at_any_moment_and_in_any_way_nothing_is_left(
    moment: str,
    way: Callable[[Capturing, Happened], Awaitable[float]],
    chromium_path: str,
    loopback: Loopback,
    mute_browser: Path,
    temporary: Path,
    drivers: Drivers,
) -> None:
    happened: Happened = {
        "driver": lambda: bool(drivers()),
        "launch": Path(f"{mute_browser}.started").exists,
        "action": lambda: loopback.targets().count("GET /tick") >= 12,
    }[moment]
    document = scenario_document(loopback.route("/", TICKING), LONG_WAIT)
    scenario = read_scenario(json.dumps(document).encode())
    executable = str(mute_browser) if moment == "launch" else chromium_path
    began = await way(lambda: capture(scenario, executable_path=executable), happened)
    assert time.monotonic() - began < MAX_END_S
    assert leftovers(temporary, drivers) == []


async def test_one_that_is_cancelled_does_not_disturb_another(
    chromium_path: str, loopback: Loopback, temporary: Path, drivers: Drivers
) -> None:
    def scenario(path: str, duration_ms: int) -> bytes:
        document = scenario_document(loopback.route(path, TICKING), [pause("wait", duration_ms)])
        return json.dumps(document).encode()

    short, long = read_scenario(scenario("/short", 2_000)), read_scenario(scenario("/long", 600_000))
    async with asyncio.timeout(PATIENCE_S):
        other = asyncio.ensure_future(capture(short, executable_path=chromium_path))
        doomed = asyncio.ensure_future(capture(long, executable_path=chromium_path))
        await until(lambda: {"GET /short", "GET /long"} <= set(loopback.targets()))
        doomed.cancel()
        evidence = await other
        with pytest.raises(asyncio.CancelledError):
            await doomed
    assert [step.status for step in evidence.normalized_result.steps] == ["completed", "completed"]
    assert leftovers(temporary, drivers) == []


async def test_a_driver_that_takes_long_to_come_up_is_ended_with_the_capture(
    chromium_path: str, temporary: Path, drivers: Drivers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = tmp_path / "node"
    slow.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(600)\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(slow))
    document = scenario_document("http://127.0.0.1:9/", LONG_WAIT)
    scenario = read_scenario(json.dumps(document).encode())
    began = await by_task(lambda: capture(scenario, executable_path=chromium_path), lambda: bool(drivers()))
    assert time.monotonic() - began < MAX_END_S
    assert leftovers(temporary, drivers) == []
