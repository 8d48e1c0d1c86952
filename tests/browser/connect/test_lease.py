"""One capture at a time for each browser and target, across processes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rea_capture.browser.connect import lease
from rea_capture.browser.connect.lease import lease_name, leased
from rea_capture.errors import UnavailableError

HOLDER = """
import asyncio, sys
from rea_capture.browser.connect.lease import leased
async def hold():
    async with leased("/devtools/browser/x", "T", print):
        print("held", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
asyncio.run(hold())
"""
ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 30


def holder(folder: Path, **variables: str) -> subprocess.Popen[str]:
    """Another process that holds the lease until it is told a line. It has a ``TMPDIR`` of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder), **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


async def held_here(told: list[str]) -> bool:
    async with leased("/devtools/browser/x", "T", told.append) as waited:
        return waited


async def test_a_second_process_waits_says_so_and_then_has_it(tmp_path: Path) -> None:
    first, told = holder(tmp_path), list[str]()

    def tell(sentence: str) -> None:
        told.append(sentence)
        first.communicate("go\n", timeout=PATIENCE_S)  # it ends only now

    async with asyncio.timeout(PATIENCE_S), leased("/devtools/browser/x", "T", tell) as waited:
        assert waited is True
        assert first.returncode == 0
    assert told == ["another capture uses target 'T'; waiting for it, 60000 ms at most"]


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "HOME"])
async def test_no_variable_of_the_environment_leads_around_another_capture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    if variable == "HOME":
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(lease, "LEASE_TIMEOUT_MS", 0)
    first = holder(tmp_path, **{variable: str(tmp_path / "elsewhere")})
    try:
        with pytest.raises(UnavailableError, match="another capture has used target 'T'"):
            await held_here([])
    finally:
        first.communicate("go\n", timeout=PATIENCE_S)
    assert await held_here([]) is False


async def test_a_file_that_another_holds_keeps_nothing_else_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_TIMEOUT_MS", 0)
    with monkeypatch.context() as patched:
        patched.setattr(lease, "_locked", lambda _: None)  # as where only the home is shared
        for _ in range(2):
            with pytest.raises(UnavailableError):
                await held_here([])
    assert await held_here([]) is False


async def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    first = holder(tmp_path)
    first.kill()
    first.communicate()
    assert await held_here([]) is False


async def test_the_wait_is_bounded_and_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = holder(tmp_path)
    try:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await held_here([])
        monkeypatch.setattr(lease, "LEASE_TIMEOUT_MS", 200)
        started = time.monotonic()
        with pytest.raises(
            UnavailableError, match="for more than 200 ms; wait for it, or select another page"
        ):
            await held_here([])
        assert time.monotonic() - started < 5
    finally:
        first.communicate("go\n", timeout=PATIENCE_S)


async def test_other_targets_and_other_browsers_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_TIMEOUT_MS", 0)
    async with (
        leased("/devtools/browser/x", "T", print),
        leased("/devtools/browser/x", "U", print),
        leased("/devtools/browser/y", "T", print),
    ):
        with pytest.raises(UnavailableError):
            await held_here([])


async def test_its_file_is_private_and_goes_with_it() -> None:
    folder = os.path.join(os.environ["XDG_STATE_HOME"], "rea-capture", "leases")
    async with leased("/devtools/browser/x", "T", print):
        (file,) = os.scandir(folder)
        assert file.name == f"{lease_name('/devtools/browser/x', 'T')}.lock"
        assert (file.stat().st_mode & 0o777, os.stat(folder).st_mode & 0o777) == (0o600, 0o700)
    assert os.listdir(folder) == []


async def test_many_at_once_have_it_one_after_another() -> None:
    inside, most = 0, 0

    async def one() -> None:
        nonlocal inside, most
        async with leased("/devtools/browser/x", "T", lambda _: None):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*(one() for _ in range(8)))
    assert most == 1
