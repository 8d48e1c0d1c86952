"""What identifies a process beyond its number, which is given out again: facts of the kernel (Linux).

Each is None where the system does not tell. Nothing is proved with a None.

Below: ``canonical``. Above: ``record``, ``proof``, ``processes``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from rea_capture.canonical import sha256_hex

PROC: Final = Path("/proc")
MACHINE_ID: Final = Path("/etc/machine-id")
MACHINE_DIGITS_COUNT: Final = 16
_FIELDS_BEFORE_NAME_ENDS: Final = 2
_ENDED: Final = b"Z"
"""The state of a zombie: the field after the name."""

_START_FIELD: Final = 22
_PARENT_FIELD: Final = 4
"""Which of the fields of ``/proc/<pid>/stat`` are ``starttime`` and ``ppid``, from 1 (proc_pid_stat(5))."""


def boot_id() -> str | None:
    """The random id of this boot, the same in every container on this kernel."""
    with suppress(OSError):
        return (PROC / "sys/kernel/random/boot_id").read_text("ascii").strip() or None
    return None


def pid_namespace() -> str | None:
    """In which name space process ids of this process mean anything, such as ``pid:[4026531836]``."""
    with suppress(OSError):
        return os.readlink(PROC / "self/ns/pid")
    return None


def host_name() -> str:
    """What tells another machine from another boot of this one: its name, and a digest of its id.

    Names are given twice, ids are not; a machine without an id is known by its name alone.
    """
    name = os.uname().nodename
    with suppress(OSError):
        if identity := MACHINE_ID.read_bytes().strip():
            # machine-id(5): the id itself is not to be shown to others, a keyed digest is.
            return f"{name} {sha256_hex(b'rea-capture launch record' + identity)[:MACHINE_DIGITS_COUNT]}"
    return name


def start_ticks(pid: int) -> int | None:
    """When process ``pid`` was started, in clock ticks since the boot; None when there is none such."""
    fields = stat_fields(pid)
    return None if fields is None else fields[0]


def stat_fields(pid: int) -> tuple[int, int] | None:
    """Start time in ticks and parent's id of ``pid``, None when it is not there to be read."""
    try:
        line = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The second field is a name in parentheses that may itself hold parentheses and blanks.
    rest = line.rpartition(b")")[2].split()
    offset = _FIELDS_BEFORE_NAME_ENDS + 1
    return int(rest[_START_FIELD - offset]), int(rest[_PARENT_FIELD - offset])


def has_ended(pid: int) -> bool:
    """Whether process ``pid`` has ended and only waits for its parent to take note, which it may do never."""
    with suppress(OSError):
        threads = os.listdir(PROC / str(pid) / "task")
        line = (PROC / str(pid) / "stat").read_bytes()
        # One whose other threads live on looks like that as well.
        return threads == [str(pid)] and line.rpartition(b")")[2].split()[0] == _ENDED
    return False


def exists(pid: int) -> bool:
    """Whether there is a process ``pid``, of whomever."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
