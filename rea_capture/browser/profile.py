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


@dataclass(frozen=True, slots=True)
class OwnedProfile:
    """A private folder (mode 0700) that holds a profile and the driver's scratch files."""

    root: Path

    @classmethod
    def create(cls) -> OwnedProfile:
        """Make the folder. Raises ``OSError`` when the temporary folder cannot be written."""
        root = Path(tempfile.mkdtemp(prefix="rea-capture-"))  # mkdtemp makes it 0700
        profile = cls(root)
        profile.user_data.mkdir(mode=0o700)
        profile.artifacts.mkdir(mode=0o700)
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
            shutil.rmtree(self.root, ignore_errors=True)
            if not self.root.exists():
                return None
            if attempt + 1 < _DELETE_ATTEMPTS:
                time.sleep(_DELETE_PAUSE_SECONDS)
        return "the temporary profile of the browser could not be deleted completely"
