"""Owners that can be killed, and processes that run on a profile: all real ones.

Below: the package. Above: the tests of this folder.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE_S = 30

OWNER = """
import sys, time
from rea_capture.browser.profile import OwnedProfile
profile = OwnedProfile.create()
(profile.user_data / "Cookies").write_text("a cookie")
print(profile.ownership.path, profile.root, flush=True)
sys.stdin.read()
"""
"""Makes a profile as a launch does, says where, and waits."""

SLEEPER = "import sys; print(flush=True); sys.stdin.read()"
PARENT = (
    "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', sys.argv[1]], stdin=0); "
    "print(child.pid, flush=True); child.wait()"
)


@dataclass
class Owner:
    """A process with a profile of its own."""

    process: subprocess.Popen[str]
    record: Path
    root: Path

    def killed(self) -> Owner:
        """The same, dead."""
        self.process.kill()
        self.process.communicate(timeout=PATIENCE_S)
        return self

    def rewrite(self, **changes: Any) -> None:
        """Change what the record of a dead owner says."""
        document = json.loads(self.record.read_text())
        self.record.write_text(json.dumps({**document, **changes}))


Spawn = Callable[..., "subprocess.Popen[str]"]


def spawned(*arguments: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """A Python process that has said its first line is left to run, with that line in ``first``."""
    return subprocess.Popen(
        [sys.executable, "-c", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )


def first_line(process: subprocess.Popen[str]) -> str:
    """The first line that ``process`` writes."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Wait until ``holds`` does, for a bounded time."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.01)


def runs(pid: int) -> bool:
    """Whether process ``pid`` runs, and is not merely waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def end(process: subprocess.Popen[Any]) -> None:
    """Kill ``process`` if it runs."""
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.kill()
    process.communicate(timeout=PATIENCE_S)
