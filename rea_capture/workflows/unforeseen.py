"""Errors that nobody foresaw, as ours: a shortage of the machine, or a defect of this program.

A defect is told with the place where it showed and nothing of the data it happened on, which may hold what
nobody should read.

Below: ``errors``. Above: whoever words errors for somebody outside, the command line and the MCP server.
"""

from __future__ import annotations

import errno
import os
import traceback
from pathlib import PurePath
from typing import Final

from rea_capture.errors import DefectError, ReaError, UnavailableError

_PACKAGE: Final = "rea_capture"

_SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EAGAIN, errno.EROFS}
)
"""What the system may refuse anywhere: descriptors, room on a disk, memory, processes."""


def foreseen(error: BaseException, what_to_do: str = "") -> ReaError:
    """``error`` as one of ours, itself if it is one; ``what_to_do`` is added to what is said of a defect."""
    if isinstance(error, ReaError):
        return error
    if isinstance(error, OSError) and error.errno in _SHORTAGES:
        return UnavailableError(f"this machine has run out of something: {os.strerror(error.errno).lower()}")
    said = f"a defect of this program: {type(error).__name__} at {_place(error)}"
    return DefectError(f"{said}; {what_to_do}" if what_to_do else said)


def _place(error: BaseException) -> str:
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        parts = PurePath(frame.filename).parts
        if _PACKAGE in parts:
            package = len(parts) - 1 - parts[::-1].index(_PACKAGE)
            return f"{'/'.join(parts[package:])}:{frame.lineno}"
    return "an unknown place"
