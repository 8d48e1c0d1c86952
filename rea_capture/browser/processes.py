"""Finding and ending the processes of a browser that we started, by its profile and nothing else.

A profile folder is made by us, with a random name, for one launch; a process that was started with
it is ours. Names and ages prove nothing and are not looked at.

Below: the standard library. Above: ``launch``.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")

MAX_DYING_S: Final = 2.0
DYING_POLL_S: Final = 0.02
"""A killed process is gone in milliseconds, on a loaded machine in a second."""


def processes_of(user_data: Path) -> list[int]:
    """The ids of live processes started with ``--user-data-dir`` of ``user_data`` (Linux; else none)."""
    argument = f"--user-data-dir={user_data}".encode()
    found: list[int] = []
    for entry in _PROC.glob("[0-9]*") if _PROC.is_dir() else ():
        with suppress(OSError, ValueError):
            if argument in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def end_processes_of(user_data: Path) -> int:
    """Kill what still runs on ``user_data``. Returns how many processes there were."""
    pids = processes_of(user_data)
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    # One that is dying may still write to the profile, which is deleted next.
    deadline = time.monotonic() + MAX_DYING_S
    while pids and processes_of(user_data) and time.monotonic() < deadline:
        time.sleep(DYING_POLL_S)
    return len(pids)
