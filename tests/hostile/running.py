"""Running one case as people do: ``rea capture-browser-scenario`` as a process of its own.

Below: ``case``, ``site``. Above: the tests, and ``__main__``, which writes the table.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rea_capture.evidence import parse
from tests.hostile.case import Case
from tests.hostile.looking import Result
from tests.hostile.site import serving_site

GRACE_S: Final = 30.0
"""How much longer than its bound a run may take before it is killed: a number tells more than a kill."""

LEAVING_S: Final = 2.0
LEAVING_POLL_S: Final = 0.02
"""A process that was killed is gone from the table of processes a moment after its killer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: ``leftovers`` are processes (which would hold ports) and files that remain."""

    status: int
    errors: str
    took_s: float
    result: Result | None
    leftovers: tuple[str, ...]


LAUNCH_ATTEMPTS: Final = 3
TOO_SLOW: Final = "the browser could not be launched: Timeout"
"""What is said where a busy machine did not start the browser in time; no page was opened then."""


def run_case(case: Case, chromium: str) -> Outcome:
    """Run ``case`` to its end and look at what it leaves; again where not even a browser came up."""
    for _ in range(LAUNCH_ATTEMPTS - 1):
        outcome = _run_once(case, chromium)
        if TOO_SLOW not in outcome.errors or outcome.leftovers:
            return outcome
    return _run_once(case, chromium)


def _run_once(case: Case, chromium: str) -> Outcome:
    with _folder() as folder:
        temporary, home = folder / "tmp", folder / "home"
        temporary.mkdir()
        home.mkdir()
        with serving_site(temporary) as site:
            scenario = folder / "scenario.json"
            scenario.write_text(json.dumps(case.document(case.serves(site), site)))
            started = time.monotonic()
            status, errors = _ended(scenario, chromium, case.bound_s + GRACE_S)
            took_s = time.monotonic() - started
            leftovers = tuple(_leftovers(folder))
            result = None
            output = folder / "capture.json"
            if output.exists():
                parse(output.read_bytes(), "the capture")  # raises unless it verifies
                result = Result(json.loads(output.read_bytes()), site)
            return Outcome(status, errors, took_s, result, leftovers)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder with a short name, since the browser makes sockets in one below it."""
    folder = Path(tempfile.mkdtemp(prefix="h-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ended(scenario: Path, chromium: str, patience_s: float) -> tuple[int, str]:
    folder = scenario.parent
    command = [sys.executable, "-m", "rea_capture", "capture-browser-scenario", str(scenario)]
    home = str(folder / "home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    places = {"TMPDIR": str(folder / "tmp"), "HOME": home, "XDG_STATE_HOME": home}
    process = subprocess.Popen(
        [*command, "--executable-path", chromium, "--output", str(folder / "capture.json")],
        env={**kept, **places},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=patience_s)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        for pid in _processes_of(folder):
            os.kill(pid, signal.SIGKILL)
        raise
    return process.returncode, errors


def _leftovers(folder: Path) -> Iterator[str]:
    deadline = time.monotonic() + LEAVING_S
    while (running := _processes_of(folder)) and time.monotonic() < deadline:
        time.sleep(LEAVING_POLL_S)
    for pid in running:
        yield f"process {_content(Path(f'/proc/{pid}/cmdline'))[:200]!r}"
    for place in ("tmp", "home"):
        for path in sorted((folder / place).rglob("*")):
            if not path.is_dir() or path.parent.name == "tmp":
                yield f"file {path.relative_to(folder)}"


def _processes_of(folder: Path) -> list[int]:
    """Processes that were told of ``folder``, work in it, or have a file of it open."""
    marker = str(folder).encode() + b"/"
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _knows(name, marker)]


def _knows(pid: str, marker: bytes) -> bool:
    process = Path("/proc", pid)
    if int(pid) == os.getpid():
        return False
    if any(marker in _content(process / name) for name in ("environ", "cmdline")):
        return True
    return any(marker in _target(link) for link in [process / "cwd", *_listed(process / "fd")])


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _target(link: Path) -> bytes:
    try:
        return os.fsencode(os.readlink(link)) + b"/"
    except OSError:
        return b""


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
