"""The folder of records: where they are, which lock is held, and what can be proved about each.

Looking takes a lock for a moment and gives it back; nothing is changed.

Below: ``state_folder``, ``record``, ``proof``. Above: ``claim``, ``reclaim``, the diagnosis.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rea_capture.browser.ownership.folders import doubt_about_folder, folders_as_of_now
from rea_capture.browser.ownership.proof import doubt_about
from rea_capture.browser.ownership.record import MAX_RECORD_BYTES, LaunchRecord, record_from
from rea_capture.browser.state_folder import existing_folders

SUBFOLDER: Final = "launches"
RECORD_SUFFIX: Final = ".json"
UNFINISHED_SUFFIX: Final = ".tmp"
"""A record that is being written. Nothing has been made for it yet, or the one before it still stands."""

# A link is not followed, and a pipe in the place of a file keeps nobody waiting.
_OPEN: Final = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

Standing = Literal["in_use", "abandoned", "unproven"]


@dataclass(frozen=True, slots=True)
class RecordState:
    """What is known of one record.

    ``standing`` is ``in_use`` while its owner holds it, ``abandoned`` when the owner is provably gone, and
    ``unproven`` when that cannot be told, for the ``reason``. ``launch`` is None when it could not be read.
    """

    path: Path
    standing: Standing
    reason: str | None
    launch: LaunchRecord | None


class HeldElsewhereError(Exception):
    """Somebody else holds the lock: the owner, or another cleaner."""


def record_files(environ: Mapping[str, str] | None = None) -> list[Path]:
    """Every record there is, and every unfinished one: one look at each folder."""
    found = []
    for folder in existing_folders(SUBFOLDER, environ):
        with suppress(OSError):
            found += [folder / name for name in sorted(os.listdir(folder))]
    return [path for path in found if path.suffix in {RECORD_SUFFIX, UNFINISHED_SUFFIX}]


@contextmanager
def held(path: Path) -> Iterator[int]:
    """The open file at ``path``, with its lock held. Raises ``OSError`` when it cannot be opened or locked,
    ``FileNotFoundError`` when it has gone or been replaced, and :class:`HeldElsewhereError`.
    """
    descriptor = os.open(path, _OPEN)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            raise PermissionError(13, "it is not a file of this user")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HeldElsewhereError from None
        # Whoever held it may have removed or replaced it before letting go; then this is nobody's record.
        if not os.path.samestat(found, path.lstat()):
            raise FileNotFoundError(2, os.strerror(2))
        yield descriptor
    finally:
        os.close(descriptor)


def judged(path: Path, descriptor: int) -> RecordState:
    """The state of the record at ``path``, whose lock the caller holds."""
    try:
        data = os.pread(descriptor, MAX_RECORD_BYTES + 1, 0)
        if len(data) > MAX_RECORD_BYTES:
            raise ValueError("longer than a record is")
        record = record_from(data)
        if record.run_id + RECORD_SUFFIX != path.name:
            raise ValueError("a record of another name")
    except (OSError, ValueError) as error:
        return RecordState(path, "unproven", f"it could not be read: {_reason(error)}", None)
    doubt = doubt_about(record)
    return RecordState(path, "unproven" if doubt else "abandoned", doubt, record)


def state_of(path: Path) -> RecordState | None:
    """The state of the record at ``path``, None when it has gone meanwhile."""
    try:
        with held(path) as descriptor:
            return judged(path, descriptor)
    except HeldElsewhereError:
        return RecordState(path, "in_use", None, None)
    except FileNotFoundError:
        return None
    except OSError as error:
        return RecordState(path, "unproven", f"it could not be opened: {_reason(error)}", None)
    except Exception as error:  # one bad record is nobody else's trouble
        return RecordState(path, "unproven", f"it could not be judged ({type(error).__name__})", None)


def recorded_launches(environ: Mapping[str, str] | None = None) -> tuple[RecordState, ...]:
    """The state of every record. Of one that is abandoned, why a folder of it would stay is said too."""
    files = [path for path in record_files(environ) if path.suffix == RECORD_SUFFIX]
    states = [state for state in map(state_of, files) if state is not None]
    return tuple(_with_folders(state) for state in states)


def _with_folders(state: RecordState) -> RecordState:
    if state.standing != "abandoned" or state.launch is None:
        return state
    for folder in folders_as_of_now(state.launch):
        doubt = doubt_about_folder(folder)
        if doubt is not None:
            return RecordState(state.path, "unproven", f"{folder.path}: {doubt}", state.launch)
    return state


def _reason(error: OSError | ValueError) -> str:
    reason = getattr(error, "strerror", None)
    return str(error) if reason is None else str(reason).lower()
