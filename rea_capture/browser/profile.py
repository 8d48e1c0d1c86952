"""The temporary profile of a browser that we start: private, ours, and gone afterwards.

Below: the standard library, ``ownership``. Above: ``launch``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rea_capture.browser.ownership import Ownership
from rea_capture.browser.ownership.owned_folder import (
    OWNER_ONLY,
    delete_owned,
    new_name,
    temporary_folder,
)
from rea_capture.browser.ownership.reclaim import PROFILE

MAX_SOCKET_FOLDER_CHARACTERS: Final = 60
"""The browser makes a Unix socket in its temporary folder, under a name of 43 characters; the whole
path may have 107 (``sun_path``, unix(7)). In a deeper folder the browser does not start."""

_SHORT_TEMPORARY_FOLDER: Final = "/tmp"  # noqa: S108 - a private folder is made in it


@dataclass(frozen=True, slots=True)
class OwnedProfile:
    """Private folders (mode 0700): ``root`` holds the profile and the driver's scratch files,
    ``temporary`` is the browser's own temporary folder, so that nothing it leaves there stays.
    ``ownership`` tells others that they are ours.
    """

    root: Path
    temporary: Path
    ownership: Ownership

    @classmethod
    def create(cls) -> OwnedProfile:
        """Record that the folders are going to be ours, then make them. Raises ``OSError``."""
        root = new_name(temporary_folder())
        temporary = root / "t"
        if len(str(temporary)) > MAX_SOCKET_FOLDER_CHARACTERS:
            temporary = new_name(_SHORT_TEMPORARY_FOLDER)
        tops = (root,) if temporary.parent == root else (root, temporary)
        profile = cls(root, temporary, Ownership.claim(tops))
        try:
            for top in tops:
                top.mkdir(mode=OWNER_ONLY)
            profile.ownership.folders_made()
            for folder in (profile.user_data, profile.artifacts, profile.crashes, temporary):
                folder.mkdir(mode=OWNER_ONLY, exist_ok=True)
        except BaseException:
            profile.delete()
            raise
        return profile

    @property
    def user_data(self) -> Path:
        """The browser's user data folder."""
        return self.root / PROFILE

    @property
    def artifacts(self) -> Path:
        """Where the driver keeps downloads and other files of its own."""
        return self.root / "artifacts"

    @property
    def crashes(self) -> Path:
        """Where the browser writes what was in its memory when it crashed; by itself it takes the home."""
        return self.root / "crashes"

    @property
    def network_log(self) -> Path:
        """Where the browser logs what it sends, if it is told to."""
        return self.root / "network-log.json"

    def prefer(self, preferences: Mapping[str, Any]) -> None:
        """Let the browser begin with ``preferences``. To be said before it is started; raises ``OSError``."""
        folder = self.user_data / "Default"
        folder.mkdir(mode=OWNER_ONLY, exist_ok=True)
        (folder / "Preferences").write_text(json.dumps(preferences), "utf-8")

    def delete(self) -> str | None:
        """Delete everything, and the record. Returns a sentence when something remains, else None.

        The record stays while something does: whoever comes next tries again.
        """
        remains = delete_owned(self.ownership)
        return "the temporary profile of the browser could not be deleted completely" if remains else None
