"""Deleting a folder that we made, and never another that has come to stand in its place.

    1. No symbolic link is followed; what is there has to be a folder, and ours.
    2. It has to be the very folder that was recorded: the same device and inode.
    3. A folder that was recorded but not identified yet (its maker died in that moment) goes if it is empty.

Below: ``record``. Above: ``profile``, ``reclaim``.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from rea_capture.browser.ownership.machine import boot_id
from rea_capture.browser.ownership.record import LaunchRecord, RecordedFolder

FOLDER_PREFIX: Final = "rea-capture-"
"""What each folder of ours is called. It proves nothing; a folder of another name is not even looked at."""

DELETE_ATTEMPTS: Final = 20
DELETE_PAUSE_S: Final = 0.05
"""A browser's helper processes may write for a moment after it has closed; one second in all."""

_FOLDER_ONLY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def identified(path: Path) -> RecordedFolder:
    """The folder at ``path`` as it can be recognised later. Raises ``OSError`` when there is none."""
    found = path.lstat()
    return RecordedFolder(str(path), found.st_dev, found.st_ino)


def doubt_about_folder(folder: RecordedFolder) -> str | None:
    """Why what is at the path of ``folder`` must stay; None when it may be deleted, or is not there."""
    path = Path(folder.path)
    if not path.name.startswith(FOLDER_PREFIX):
        return "its name is not one that this program gives"
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return (error.strerror or "it cannot be looked at").lower()
    if not stat.S_ISDIR(found.st_mode):
        link = stat.S_ISLNK(found.st_mode)
        return f"{'a symbolic link' if link else 'something that is no folder'} is in its place"
    if found.st_uid != os.geteuid():
        return "the folder in its place belongs to somebody else"
    return _doubt_about_identity(folder, found)


def _doubt_about_identity(folder: RecordedFolder, found: os.stat_result) -> str | None:
    if folder.inode is None:
        return None if _is_empty(Path(folder.path)) else "it had not been identified, and is not empty"
    same = (found.st_dev, found.st_ino) == (folder.device, folder.inode)
    return None if same else "another folder is in its place"


def folders_as_of_now(launch: LaunchRecord) -> tuple[RecordedFolder, ...]:
    """The folders of ``launch``. The number of a device is for one boot, that of an inode for longer."""
    if launch.boot_id == boot_id():
        return launch.folders
    return tuple(_on_its_device(folder) for folder in launch.folders)


def _on_its_device(folder: RecordedFolder) -> RecordedFolder:
    try:
        return replace(folder, device=os.lstat(folder.path).st_dev)
    except OSError:
        return folder


def delete_folder(folder: RecordedFolder) -> str | None:
    """Delete ``folder``. Returns None when nothing is left of it, else why something is."""
    for attempt in range(DELETE_ATTEMPTS):
        doubt = doubt_about_folder(folder)
        if doubt is not None:
            return doubt
        if not os.path.lexists(folder.path):
            return None
        _delete_once(folder)
        if not os.path.lexists(folder.path):
            return None
        if attempt + 1 < DELETE_ATTEMPTS:
            time.sleep(DELETE_PAUSE_S)
    return "it could not be deleted completely"


def _delete_once(folder: RecordedFolder) -> None:
    path = Path(folder.path)
    with suppress(OSError):
        if folder.inode is None:
            path.rmdir()  # takes an empty folder and no other
            return
        above = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            descriptor = os.open(path.name, _FOLDER_ONLY, dir_fd=above)
            try:
                found = os.fstat(descriptor)
            finally:
                os.close(descriptor)
            if (found.st_dev, found.st_ino) == (folder.device, folder.inode):
                shutil.rmtree(path.name, ignore_errors=True, dir_fd=above)  # follows no links
        finally:
            os.close(above)


def _is_empty(path: Path) -> bool:
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return False
