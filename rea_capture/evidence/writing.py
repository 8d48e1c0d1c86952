"""Files are written whole or not at all.

A regular file is written under a temporary name in its own folder, flushed to the disk, and renamed
over the old one; it is readable by its owner only. Devices, pipes and other things that are no files
(``/dev/stdout``, a FIFO) are written to directly.

Below: ``descriptors``, ``errors``. Above: workflows and the command line.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from rea_capture.errors import OutputError
from rea_capture.evidence.descriptors import write_all

_OWNER_ONLY: Final = 0o600
_OPEN_FILES: Final = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""Names that stand for something that is open already; renaming over them makes no sense."""


def write_document(path: str | os.PathLike[str], data: bytes) -> None:
    """Write ``data`` to ``path``. Raises :class:`OutputError` with the cause in one line."""
    target = Path(path)
    try:
        if _is_written_directly(target):
            _write_directly(target, data)
        else:
            _replace(Path(os.path.realpath(target)), data)
    except OSError as error:
        raise _output_error(target, error) from None


def check_destination(path: str | os.PathLike[str]) -> None:
    """Raise :class:`OutputError` if ``path`` can be seen, now, not to be writable.

    For work that takes long, whose result would be lost.
    """
    target = Path(path)
    try:
        if _is_written_directly(target):
            return
        folder = Path(os.path.realpath(target)).parent
        folder.stat()
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(0, "no permission to write in its folder")
    except OSError as error:
        raise _output_error(target, error) from None


def _is_written_directly(target: Path) -> bool:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(0, "it is a folder")
    return not stat.S_ISREG(mode) or os.path.abspath(target).startswith(_OPEN_FILES)


def _write_directly(target: Path, data: bytes) -> None:
    # O_APPEND: /dev/stdout may be a file that the shell has opened for appending.
    descriptor = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".rea-{secrets.token_hex(8)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWNER_ONLY)
    try:
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(target)
    except BaseException:  # an interrupt leaves no half file either
        with suppress(OSError):
            temporary.unlink()
        raise
    _flush_folder(target.parent)


def _flush_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the file system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _output_error(target: Path, error: OSError) -> OutputError:
    reason = (error.strerror or type(error).__name__).lower()
    return OutputError(f"cannot write {os.fspath(target)!r}: {reason}")
