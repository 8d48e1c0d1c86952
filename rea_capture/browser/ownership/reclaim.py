"""Taking down what provably has no owner any more: browser processes, their profile, the record.

The lock on the record is held all the while, so of two cleaners one does the work and the other passes
on. A launch that is starting holds the lock on its own record from before that record can be seen.

Below: ``registry``, ``folders``, ``processes``. Above: ``before_launch``, and the workflow that cleans.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rea_capture.browser.ownership.folders import delete_folder, doubt_about_folder, folders_as_of_now
from rea_capture.browser.ownership.record import LaunchRecord
from rea_capture.browser.ownership.registry import (
    UNFINISHED_SUFFIX,
    HeldElsewhereError,
    RecordState,
    held,
    judged,
    record_files,
)
from rea_capture.browser.processes import end_processes_of

PROFILE: Final = "profile"
"""The browser's user data folder in the first recorded folder."""


Outcome = Literal["removed", "in_use", "kept", "failed"]


@dataclass(frozen=True, slots=True)
class Reclaimed:
    """What became of one record, for the ``reason``; ``processes`` is how many were ended.

    ``removed`` with all it stood for; ``in_use`` by a launch that lives, or by another cleaner; ``kept``
    because its owner, or what is in the place of a folder, is in doubt; ``failed`` in the attempt.
    """

    path: Path
    outcome: Outcome
    reason: str | None = None
    folders: tuple[str, ...] = ()
    processes: int = 0


def reclaim(environ: Mapping[str, str] | None = None, *, deadline: float | None = None) -> list[Reclaimed]:
    """Clean up after every owner that is provably gone; what became of each record.

    After ``deadline`` (of the monotonic clock) no further record is begun.
    """
    outcomes = []
    for path in record_files(environ):
        if deadline is not None and time.monotonic() > deadline:
            break
        if path.suffix == UNFINISHED_SUFFIX:
            _remove_unfinished(path)
            continue
        outcome = _reclaim_one(path)
        if outcome is not None:
            outcomes.append(outcome)
    return outcomes


def _remove_unfinished(path: Path) -> None:
    """One whose writer died; a writer that lives holds its lock, or makes another."""
    with suppress(OSError, HeldElsewhereError), held(path):
        path.unlink()


def _reclaim_one(path: Path) -> Reclaimed | None:
    try:
        with held(path) as descriptor:
            state = judged(path, descriptor)
            if state.standing != "abandoned" or state.launch is None:
                return _kept(state)
            return _taken_down(path, state.launch)
    except HeldElsewhereError:
        return Reclaimed(path, "in_use")
    except FileNotFoundError:
        return None  # its owner, or another cleaner, was quicker
    except OSError as error:
        return Reclaimed(path, "failed", _reason(error))
    except Exception as error:  # one bad record does not keep the others from being cleaned up
        return Reclaimed(path, "failed", f"a fault of this program ({type(error).__name__})")


def _kept(state: RecordState) -> Reclaimed:
    folders = tuple(folder.path for folder in state.launch.folders) if state.launch else ()
    return Reclaimed(state.path, "kept", state.reason, folders)


def _taken_down(path: Path, launch: LaunchRecord) -> Reclaimed:
    folders = folders_as_of_now(launch)
    names = tuple(folder.path for folder in folders)
    for folder in folders:  # where one is in doubt, nothing is touched
        doubt = doubt_about_folder(folder)
        if doubt is not None:
            return Reclaimed(path, "kept", f"{folder.path}: {doubt}", names)
    ended = end_processes_of(Path(names[0]) / PROFILE) if names else 0
    for folder in folders:
        problem = delete_folder(folder)
        if problem is not None:
            return Reclaimed(path, "failed", f"{folder.path}: {problem}", names, ended)
    path.unlink()
    return Reclaimed(path, "removed", None, names, ended)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
