"""Saying that a launch is ours, before it makes anything, for as long as we live.

    1. A file is made under a temporary name, locked, written and flushed; then it gets its own name.
       So there is no moment in which others see it unlocked or half written.
    2. The folders are made, and the browser started. Each time the record is replaced by one that says
       more, in the same way; the new file is locked before the old one is let go.
    3. When all is closed and deleted, the record goes. What could not be deleted leaves it behind.

Below: ``record``, ``registry``. Above: ``launch``.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from rea_capture.browser.ownership.folders import identified
from rea_capture.browser.ownership.record import LaunchRecord, RecordedProcess
from rea_capture.browser.ownership.registry import RECORD_SUFFIX, SUBFOLDER, UNFINISHED_SUFFIX
from rea_capture.browser.state_folder import first_that_works

MAX_WRITE_ATTEMPTS: Final = 5
"""A cleaner may take an unfinished record away in the instant before it is locked; then it is made again."""

_OWNER_ONLY: Final = 0o600
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Ownership:
    """The record of one launch of this process, and its lock."""

    def __init__(self, path: Path, record: LaunchRecord, descriptor: int) -> None:
        self._path = path
        self._record = record
        self._descriptor = descriptor

    @classmethod
    def claim(cls, folders: tuple[Path, ...]) -> Ownership:
        """Record that this process is going to make ``folders``. Raises ``OSError`` when it cannot be."""
        record = LaunchRecord.of_this_process(secrets.token_hex(8), folders)

        def written(folder: Path) -> Ownership:
            path = folder / f"{record.run_id}{RECORD_SUFFIX}"
            return cls(path, record, _written(path, record, lasting=True))

        return first_that_works(written, SUBFOLDER)

    @property
    def path(self) -> Path:
        """The record's file."""
        return self._path

    def folders_made(self) -> None:
        """Record by what the folders, which exist now, will be recognised. Raises ``OSError``."""
        folders = tuple(identified(Path(folder.path)) for folder in self._record.folders)
        self._replace(replace(self._record, folders=folders))

    def browser_started(self, pid: int, started: int) -> None:
        """Record the browser's process. A record that cannot be replaced stays as it was, and does."""
        with suppress(OSError):
            self._replace(replace(self._record, browser=RecordedProcess(pid, started)))

    @property
    def record(self) -> LaunchRecord:
        """What the record says now."""
        return self._record

    def release(self, *, keep_record: bool = False) -> None:
        """Let the lock go, and remove the record unless something is left that it stands for."""
        if self._descriptor < 0:
            return
        if not keep_record:
            with suppress(OSError):
                self._path.unlink()
        with suppress(OSError):
            os.close(self._descriptor)
        self._descriptor = -1

    def _replace(self, record: LaunchRecord) -> None:
        descriptor = _written(self._path, record, lasting=False)
        os.close(self._descriptor)
        self._descriptor = descriptor
        self._record = record


def _written(path: Path, record: LaunchRecord, *, lasting: bool) -> int:
    """Write ``record`` to ``path``, whole, and return the open file with its lock.

    ``lasting`` makes it last through a power cut; a later version of it may be lost, the first one not.
    """
    for attempt in range(MAX_WRITE_ATTEMPTS):
        try:
            return _written_once(path, record, lasting=lasting)
        except (FileNotFoundError, BlockingIOError):
            if attempt + 1 == MAX_WRITE_ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def _written_once(path: Path, record: LaunchRecord, *, lasting: bool) -> int:
    temporary = path.with_name(f"{record.run_id}-{secrets.token_hex(4)}{UNFINISHED_SUFFIX}")
    descriptor = os.open(temporary, _NEW, _OWNER_ONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        view = memoryview(record.to_bytes())
        while view:
            view = view[os.write(descriptor, view) :]
        if lasting:
            os.fsync(descriptor)
        temporary.replace(path)
        if lasting:
            _flush_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        os.close(descriptor)
        raise
    return descriptor


def _flush_folder(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
