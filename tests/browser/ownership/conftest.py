"""A state folder and a temporary folder of the test's own, and owners in them."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.ownership.support import OWNER, SLEEPER, Owner, end, first_line, spawned


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where records of this test are; also for the processes that it starts."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/rea-capture/launches"


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes to be ended when the test has."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        end(process)


@pytest.fixture
def owner(processes: list[subprocess.Popen[str]]) -> Callable[[], Owner]:
    """Starts a process that owns a profile."""

    def start() -> Owner:
        process = spawned(OWNER)
        processes.append(process)
        record, root = first_line(process).split()
        return Owner(process, Path(record), Path(root))

    return start


@pytest.fixture
def browser(processes: list[subprocess.Popen[str]]) -> Callable[[Path], subprocess.Popen[str]]:
    """Starts a process that is told the given profile, as a browser is."""

    def start(user_data: Path) -> subprocess.Popen[str]:
        process = spawned(SLEEPER, f"--user-data-dir={user_data}")
        processes.append(process)
        first_line(process)
        return process

    return start
