"""Finding and ending the processes of a browser that we started, by its profile and nothing else.

A profile folder is made by us, with a random name, for one launch; a process that was started with
it is ours, and so are its children. Names and ages prove nothing and are not looked at.

A process is killed through a descriptor of its own where the system has them (``pidfd_open(2)``), after
it was looked at once more: a number that has been given out again in between is never hit.

Below: ``ownership.machine``. Above: ``launch``, ``ownership.reclaim``.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rea_capture.browser.ownership.machine import PROC, stat_fields

MAX_DYING_S: Final = 2.0
DYING_POLL_S: Final = 0.02
"""A killed process is gone in milliseconds, on a loaded machine in a second."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process, so that its number cannot be mistaken: ``started`` is in clock ticks since the boot."""

    pid: int
    started: int

    def lives(self) -> bool:
        """Whether it is still there."""
        fields = stat_fields(self.pid)
        return fields is not None and fields[0] == self.started


def processes_of(user_data: Path) -> list[Process]:
    """The live processes started with ``--user-data-dir`` of ``user_data``, and their descendants.

    Empty where there is no ``/proc`` (it is Linux that has it).
    """
    argument = os.fsencode(f"--user-data-dir={user_data}")
    found: dict[int, Process] = {}
    children: dict[int, list[Process]] = {}
    for pid in _pids():
        with suppress(OSError, ValueError, IndexError):
            fields = stat_fields(pid)
            if fields is None:
                continue
            process = Process(pid, fields[0])
            children.setdefault(fields[1], []).append(process)
            if _names(pid, argument):
                found[pid] = process
    _add_descendants(found, children)
    found.pop(os.getpid(), None)
    return list(found.values())


def browser_of(user_data: Path) -> Process | None:
    """The browser itself, of all that run on ``user_data``: it is not told a ``--type``."""
    if (holder := locked_by(user_data)) is not None:
        return holder
    mains = [each for each in processes_of(user_data) if not _is_helper(each.pid)]
    return min(mains, key=lambda each: each.started, default=None)


def locked_by(user_data: Path) -> Process | None:
    """The browser that has locked its profile ``user_data``, which it does soon after it has started."""
    # Chromium makes the lock a link to <host>-<pid>; to ask is quicker than to search.
    with suppress(OSError, ValueError, IndexError):
        pid = int(os.readlink(user_data / "SingletonLock").rpartition("-")[2])
        fields = stat_fields(pid)
        if fields is not None and _names(pid, os.fsencode(f"--user-data-dir={user_data}")):
            return Process(pid, fields[0])
    return None


def end_processes_of(user_data: Path) -> int:
    """Kill what still runs on ``user_data``. Returns how many processes there were."""
    killed: set[Process] = set()
    deadline = time.monotonic() + MAX_DYING_S
    # Again until there is none: one may have been starting another, and one that is dying may still
    # write to the profile, which is deleted next.
    while running := processes_of(user_data):
        for process in running:
            kill(process)
        killed.update(running)
        if time.monotonic() > deadline:
            break
        time.sleep(DYING_POLL_S)
    return len(killed)


def kill(process: Process) -> None:
    """End ``process`` at once, and no other that may have got its number meanwhile."""
    with suppress(OSError):
        descriptor = _descriptor(process.pid)
        try:
            fields = stat_fields(process.pid)
            if fields is None or fields[0] != process.started:
                return
            if descriptor is None:
                os.kill(process.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            if descriptor is not None:
                os.close(descriptor)


def _descriptor(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # no such call, or no descriptor left; the look that follows decides
        return None


def _add_descendants(found: dict[int, Process], children: dict[int, list[Process]]) -> None:
    waiting = list(found)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child.pid not in found:
                found[child.pid] = child
                waiting.append(child.pid)


def _names(pid: int, argument: bytes) -> bool:
    line = (PROC / str(pid) / "cmdline").read_bytes()
    words = line.split(b"\0")
    # A helper process of the browser may write its arguments as one string with blanks between them.
    return argument in words or (b" --type=" in words[0] and argument in words[0].split(b" "))


def _is_helper(pid: int) -> bool:
    try:
        return b"--type=" in (PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return True


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir(PROC) if name.isdigit()]
    except OSError:
        return []
