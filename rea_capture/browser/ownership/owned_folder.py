"""A private folder among the temporary files that is ours for as long as we live, and goes whatever happens.

It is recorded before it is made, as a browser's profile is: what its maker cannot delete any more is left to
whoever comes next.

Below: ``claim``, ``folders``. Above: ``profile``, ``connect.scratch``, and what a server keeps.
"""

from __future__ import annotations

import errno
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rea_capture.browser.ownership.claim import Ownership
from rea_capture.browser.ownership.folders import FOLDER_PREFIX, delete_folder

OWNER_ONLY: Final = 0o700
"""The mode of every folder of ours."""


@dataclass(frozen=True, slots=True)
class OwnedFolder:
    """A folder (mode 0700) at ``path``; ``ownership`` tells others that it is ours."""

    path: Path
    ownership: Ownership

    @classmethod
    def create(cls) -> OwnedFolder:
        """Record that the folder is going to be ours, then make it. Raises ``OSError``."""
        path = new_name(temporary_folder())
        folder = cls(path, Ownership.claim((path,)))
        try:
            path.mkdir(mode=OWNER_ONLY)
            folder.ownership.folders_made()
        except BaseException:
            folder.delete()
            raise
        return folder

    def delete(self) -> bool:
        """Delete it, and the record. Whether something remains; then the record does too."""
        return delete_owned(self.ownership)


def delete_owned(ownership: Ownership) -> bool:
    """Delete the folders of ``ownership`` and let go of it. Whether something of them remains.

    The record stays while something does: whoever comes next tries again.
    """
    problems = [delete_folder(folder) for folder in ownership.record.folders]
    remains = any(problem is not None for problem in problems)
    ownership.release(keep_record=remains)
    return remains


def temporary_folder() -> str:
    """Where temporary files go. Raises ``OSError`` for a name that cannot be written in JSON."""
    folder = tempfile.gettempdir()
    try:
        folder.encode()
    except UnicodeEncodeError:
        raise OSError(errno.EILSEQ, "the name of the temporary folder (TMPDIR) is not UTF-8") from None
    return folder


def new_name(above: str) -> Path:
    """The path of a folder of ours in ``above`` that nobody has yet."""
    return Path(above).resolve() / f"{FOLDER_PREFIX}{secrets.token_hex(8)}"
