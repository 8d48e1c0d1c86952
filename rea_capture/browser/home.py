"""Keeping a browser of our own from writing into the home of whoever runs it.

A profile folder is not all that Chromium writes to. Of what it keeps in the home besides, on Linux, each has
a variable that names its place:

    ``XDG_RUNTIME_DIR``   a file of the settings library; without the variable, ``~/.cache/dconf``
    ``XDG_DATA_HOME``     the certificate database, ``pki/nssdb``, which is made where there is none

A database that somebody already has is used, since it may hold certificates that this account trusts.

Below: the standard library. Above: ``launch``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

_DATABASE: Final = Path("pki", "nssdb")
_OLD_DATABASE: Final = Path(".pki", "nssdb")
"""Chromium prefers this one, below the home, to the other."""
_FONTS: Final = "fonts"
"""Other data that a browser looks for in the same place, and must go on finding."""


def places_outside_home(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Variables for a browser started with ``environ``; ``folder`` is private and goes with the profile."""
    places: dict[str, str] = {}
    if not environ.get("XDG_RUNTIME_DIR"):
        places["XDG_RUNTIME_DIR"] = str(folder)
    home = environ.get("HOME", "")
    data = Path(environ.get("XDG_DATA_HOME") or Path(home, ".local", "share"))
    if not home.startswith("/") or (data / _DATABASE).exists() or Path(home, _OLD_DATABASE).exists():
        return places
    with suppress(OSError):  # without a place of its own the browser writes where it always does
        own = folder / "data"
        own.mkdir(exist_ok=True)
        if (data / _FONTS).is_dir():
            (own / _FONTS).symlink_to(data / _FONTS, target_is_directory=True)
        places["XDG_DATA_HOME"] = str(own)
    return places
