"""Folders in which only we can look, held open, so that nobody can put another in their place.

Below: the standard library. Above: ``store``.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNER_ONLY_FOLDER: Final = 0o700
_HOW: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def opened_root(root: Path) -> int:
    """A descriptor of the folder ``root``, made when it is not there. Raises ``OSError``.

    One that was there keeps its mode, and is refused when others can write to it.
    """
    with suppress(FileNotFoundError):
        return _checked(os.open(root, _HOW))
    root.parent.mkdir(parents=True, exist_ok=True)
    parent = os.open(root.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return opened_within(parent, root.name)
    finally:
        os.close(parent)


def opened_within(parent: int, name: str) -> int:
    """A descriptor of the folder ``name`` in ``parent``, made with mode 0700 when it is not there.

    Raises ``OSError``, also when it is a symbolic link, somebody else's, or writable by others.
    """
    with suppress(FileExistsError):
        os.mkdir(name, OWNER_ONLY_FOLDER, dir_fd=parent)
        os.chmod(name, OWNER_ONLY_FOLDER, dir_fd=parent)  # whatever the umask took away
    return _checked(os.open(name, _HOW, dir_fd=parent))


def _checked(descriptor: int) -> int:
    found = os.fstat(descriptor)
    reason = ""
    if found.st_uid != os.geteuid():
        reason = "it belongs to somebody else"
    elif found.st_mode & _WRITABLE_BY_OTHERS:
        reason = "others can write to it"
    if reason:
        os.close(descriptor)
        raise PermissionError(13, reason)
    return descriptor
