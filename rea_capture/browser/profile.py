"""The temporary profile of a browser that we start: private, ours, and gone afterwards.

Below: the standard library. Above: ``launch``.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DELETE_ATTEMPTS: Final = 20
_DELETE_PAUSE_SECONDS: Final = 0.05
"""A browser's helper processes may write for a moment after it has closed; one second in all."""


MAX_SOCKET_FOLDER_CHARACTERS: Final = 60
"""The browser makes a Unix socket in its temporary folder, under a name of 43 characters; the whole
path may have 107 (``sun_path``, unix(7)). In a deeper folder the browser does not start."""

_SHORT_TEMPORARY_FOLDER: Final = "/tmp"  # noqa: S108 - a private folder is made in it


@dataclass(frozen=True, slots=True)
class OwnedProfile:
    """Private folders (mode 0700): ``root`` holds the profile and the driver's scratch files,
    ``temporary`` is the browser's own temporary folder, so that nothing it leaves there stays.
    """

    root: Path
    temporary: Path

    @classmethod
    def create(cls) -> OwnedProfile:
        """Make the folders. Raises ``OSError`` when the temporary folder cannot be written."""
        root = Path(tempfile.mkdtemp(prefix="rea-capture-"))  # mkdtemp makes it 0700
        temporary = root / "t"
        if len(str(temporary)) > MAX_SOCKET_FOLDER_CHARACTERS:
            temporary = Path(tempfile.mkdtemp(prefix="rea-capture-", dir=_SHORT_TEMPORARY_FOLDER))
        profile = cls(root, temporary)
        for folder in (profile.user_data, profile.artifacts, temporary):
            folder.mkdir(mode=0o700, exist_ok=True)
        return profile

    @property
    def user_data(self) -> Path:
        """The browser's user data folder."""
        return self.root / "profile"

    @property
    def artifacts(self) -> Path:
        """Where the driver keeps downloads and other files of its own."""
        return self.root / "artifacts"

    def delete(self) -> str | None:
        """Delete everything. Returns a sentence when something remains, None when all is gone."""
        for attempt in range(_DELETE_ATTEMPTS):
            for folder in (self.root, self.temporary):
                shutil.rmtree(folder, ignore_errors=True)
            if not self.root.exists() and not self.temporary.exists():
                return None
            if attempt + 1 < _DELETE_ATTEMPTS:
                time.sleep(_DELETE_PAUSE_SECONDS)
        return "the temporary profile of the browser could not be deleted completely"
