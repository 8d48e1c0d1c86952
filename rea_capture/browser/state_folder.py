"""Where what outlives a process is kept: the records of launches, and the leases of pages.

The folder has to be the same for every process of a user, whatever ``TMPDIR`` is, since one process
looks for what another has left. It is the first of these that can be used:

    1. ``$XDG_STATE_HOME/rea-capture``, else ``~/.local/state/rea-capture`` (XDG Base Directory 0.8)
    2. ``/var/tmp/rea-capture-<uid>``: kept over a restart
    3. ``/tmp/rea-capture-<uid>``
    4. ``rea-capture-<uid>`` in the temporary folder of this process, where profiles are made too

Who looks for what others have left looks in all of them. A folder counts only when it is ours and nobody
else can write to it: whoever could would tell us what to kill and delete.

Below: the standard library. Above: ``ownership`` and whoever leases a page.
"""

from __future__ import annotations

import os
import pwd
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")

_NAME: Final = "rea-capture"
_OWNER_ONLY: Final = 0o700
_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def state_folders(environ: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Every folder that may hold state of this user, the preferred first. Nothing is made or looked at."""
    environ = os.environ if environ is None else environ
    shared = f"{_NAME}-{os.geteuid()}"
    folders = (
        *_home_candidates(environ),
        Path("/var/tmp", shared),  # noqa: S108 - its owner and mode are checked before it is used
        Path("/tmp", shared),  # noqa: S108 - as above
        Path(tempfile.gettempdir(), shared) if _has_temporary_folder() else Path("/tmp", shared),  # noqa: S108
    )
    return tuple(dict.fromkeys(folders))


def usable_folder(subfolder: str, environ: Mapping[str, str] | None = None) -> Path:
    """The first state folder that can be written, with ``subfolder`` in it made (both of mode 0700).

    Raises ``OSError``, that of the preferred folder, when there is none.
    """
    return first_that_works(lambda folder: folder, subfolder, environ)


def first_that_works(use: Callable[[Path], T], subfolder: str, environ: Mapping[str, str] | None = None) -> T:
    """What ``use`` makes of the first folder with which it succeeds, as :func:`usable_folder` tries them.

    A folder can be there and its disk be full. Raises the first ``OSError`` when there is none.
    """
    first: OSError | None = None
    for folder in state_folders(environ):
        try:
            return use(_made(folder, subfolder))
        except OSError as error:
            first = first or error
    raise first or FileNotFoundError(2, "there is no folder to keep state in")


def existing_folders(subfolder: str, environ: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Every ``subfolder`` of a state folder that exists and is private to this user."""
    found = []
    for folder in state_folders(environ):
        with suppress(OSError):
            _check_private(folder)
            _check_private(folder / subfolder)
            found.append(folder / subfolder)
    return tuple(found)


def _home_candidates(environ: Mapping[str, str]) -> tuple[Path, ...]:
    told = environ.get("XDG_STATE_HOME", "")
    if told.startswith("/"):  # "All paths must be absolute", else they are to be ignored
        return (Path(told, _NAME),)
    home = environ.get("HOME", "") or _home_of_account()
    return (Path(home, ".local", "state", _NAME),) if home.startswith("/") else ()


def _home_of_account() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:  # a container's made-up user
        return ""


def _has_temporary_folder() -> bool:
    try:
        tempfile.gettempdir()
    except OSError:
        return False
    return True


def _made(folder: Path, subfolder: str) -> Path:
    target = folder / subfolder
    with suppress(OSError):  # the usual case
        _check_private(folder)
        _check_private(target)
        if os.access(target, os.W_OK | os.X_OK):
            return target
    _check_ancestor(folder)
    folder.parent.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    for each in (folder, target):
        with suppress(FileExistsError):
            each.mkdir(mode=_OWNER_ONLY)
        _check_private(each)
    if not os.access(target, os.W_OK | os.X_OK):
        raise PermissionError(13, os.strerror(13))
    return target


def _check_ancestor(folder: Path) -> None:
    """Nothing is made in a home that is not ours, as with sudo: its owner could not use it any more."""
    above = next(parent for parent in folder.parents if parent.exists())
    found = above.stat()
    if found.st_uid != os.geteuid() and not found.st_mode & stat.S_ISVTX:
        raise PermissionError(13, "it belongs to somebody else")


def _check_private(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(20, os.strerror(20))
    if found.st_uid != os.geteuid():
        raise PermissionError(13, "it belongs to somebody else")
    if found.st_mode & _WRITABLE_BY_OTHERS:
        raise PermissionError(13, "others can write to it")
