"""The record of a launch: who owns which folders, and what identifies the owner once it is gone.

It is written and read by this program only, as JSON, and trusted no further than its shape: what it
names is looked at again before anything is done to it (``proof``, ``folders``).

Below: ``machine``. Above: ``claim``, ``proof``, ``registry``.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rea_capture.browser.ownership.machine import boot_id, host_name, pid_namespace, start_ticks

FORMAT: Final = 1
MAX_RECORD_BYTES: Final = 64 * 1024
"""A record has a few hundred; longer is not ours."""

_MAX_PID: Final = 2**22
"""``PID_MAX_LIMIT`` of Linux; proc_pid(5)."""
_MAX_NUMBER: Final = 2**64 - 1
"""Devices, inodes and ticks are numbers of 64 bits to the kernel."""


@dataclass(frozen=True, slots=True)
class RecordedFolder:
    """A folder that the launch makes. ``device`` and ``inode`` are None until it has been made."""

    path: str
    device: int | None = None
    inode: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedProcess:
    """A process: ``started`` in clock ticks since the boot, None where the system does not tell."""

    pid: int
    started: int | None


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """One launch. ``browser`` is None until the browser runs; the first of ``folders`` holds its profile."""

    boot_id: str | None
    browser: RecordedProcess | None
    folders: tuple[RecordedFolder, ...]
    host: str
    owner: RecordedProcess
    pid_namespace: str | None
    run_id: str

    @classmethod
    def of_this_process(cls, run_id: str, folders: tuple[Path, ...]) -> LaunchRecord:
        """A record for ``folders``, which this process is going to make."""
        pid = os.getpid()
        return cls(
            boot_id=boot_id(),
            browser=None,
            folders=tuple(RecordedFolder(str(folder)) for folder in folders),
            host=host_name(),
            owner=RecordedProcess(pid, start_ticks(pid)),
            pid_namespace=pid_namespace(),
            run_id=run_id,
        )

    def to_bytes(self) -> bytes:
        """The record as a file holds it."""
        return json.dumps({"format": FORMAT, **asdict(self)}, sort_keys=True).encode() + b"\n"


def record_from(data: bytes) -> LaunchRecord:
    """The record in ``data``. Raises ``ValueError`` for anything that this program would not write."""
    try:
        return _record(json.loads(data))
    except (KeyError, TypeError, RecursionError, UnicodeError) as error:
        raise ValueError(f"not a record of a launch ({type(error).__name__})") from None


def _record(found: Any) -> LaunchRecord:
    if found["format"] != FORMAT:
        raise ValueError("written by another version of this program")
    browser = found["browser"]
    return LaunchRecord(
        boot_id=_optional(found["boot_id"], str),
        browser=None if browser is None else _process(browser),
        folders=tuple(_folder(each) for each in _checked(found["folders"], list)),
        host=_checked(found["host"], str),
        owner=_process(found["owner"]),
        pid_namespace=_optional(found["pid_namespace"], str),
        run_id=_checked(found["run_id"], str),
    )


def _process(found: Any) -> RecordedProcess:
    pid = _checked(found["pid"], int)
    if not 0 < pid <= _MAX_PID:  # to kill(2) others are groups of processes, or no number at all
        raise ValueError("not the id of a process")
    return RecordedProcess(pid, _optional(found["started"], int))


def _folder(found: Any) -> RecordedFolder:
    path = _checked(found["path"], str)
    if not path.startswith("/") or "\0" in path or os.path.normpath(path) != path:
        raise ValueError("not the whole path of a folder")
    return RecordedFolder(path, _optional(found["device"], int), _optional(found["inode"], int))


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:  # True is an int to isinstance
        raise TypeError
    if isinstance(value, int) and not 0 <= value <= _MAX_NUMBER:
        raise ValueError("a number that the system does not give")
    if isinstance(value, str):
        os.fsencode(value)  # bytes of a name that is no UTF-8 are surrogates here; others are no name
    return value


def _optional(value: Any, kind: type) -> Any:
    return None if value is None else _checked(value, kind)
