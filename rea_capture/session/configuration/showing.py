"""The configuration as people and programs are shown it: every value, who said it, and nothing secret.

Below: ``effective``, ``files``. Above: the command line.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rea_capture.contracts.urls import split_url
from rea_capture.session.configuration.document import CREDENTIALS, KEYS
from rea_capture.session.configuration.effective import Configuration, Setting, configured
from rea_capture.session.configuration.files import (
    PROJECT_FILE,
    Scope,
    project_file,
    project_folder,
    user_file,
)

HIDDEN: Final = "(hidden)"
"""What stands where a secret is."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What ``show`` tells. ``document`` is plain JSON; ``notes`` are sentences about what could be better."""

    configuration: Configuration
    files: Mapping[Scope, Path]
    notes: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """All of it."""
        return {
            "files": [
                {"layer": scope, "path": str(path), "exists": path.exists()}
                for scope, path in self.files.items()
            ],
            "settings": [entry(each) for each in self.configuration.values],
            "unset": [key for key in KEYS if key not in {each.key for each in self.configuration.values}],
            "unused": [entry(each) for each in self.configuration.unused],
            "notes": list(self.notes),
        }


def shown(folder: Path, environ: Mapping[str, str]) -> Shown:
    """What would hold for a session that is opened from ``folder``. Raises :class:`InputError`."""
    configuration = configured({}, folder=folder, environ=environ)
    files = files_of(folder, environ)
    return Shown(configuration, files, tuple(_notes(configuration, files)))


def files_of(folder: Path, environ: Mapping[str, str]) -> dict[Scope, Path]:
    """The files of the configuration as they are, or would be made."""
    project = project_file(folder, environ)
    return {"project": project or project_folder(folder, environ) / PROJECT_FILE, "user": user_file()}


def entry(setting: Setting) -> dict[str, Any]:
    """``setting`` as plain JSON, without what is secret of it."""
    return {
        "key": setting.key,
        "value": masked(setting),
        "layer": setting.origin.layer,
        "where": setting.origin.where,
        "line": setting.origin.line,
    }


def masked(setting: Setting) -> Any:
    """The value, in which a literal credential and what an address may hold of one are hidden."""
    value = setting.value
    if setting.key.startswith(CREDENTIALS) and value.get("source") == "literal":
        return {**value, "value": HIDDEN}
    if setting.key == "browser.cdpEndpoint":
        return _without_secrets(value)
    return value


def _without_secrets(address: str) -> str:
    try:
        parts = split_url(address)
    except ValueError:
        return HIDDEN
    plain = address.partition("?")[0].partition("#")[0]
    if parts.username is not None or parts.password is not None:
        plain = f"{parts.scheme}://{HIDDEN}@{plain.partition('@')[2]}"
    return plain if plain == address or "@" in plain else f"{plain}?{HIDDEN}"


def _notes(configuration: Configuration, files: Mapping[Scope, Path]) -> Iterator[str]:
    literal = [
        each
        for each in configuration.values
        if each.key.startswith(CREDENTIALS) and each.value.get("source") == "literal"
    ]
    for each in literal:
        name, layer = each.key.removeprefix(CREDENTIALS), each.origin.layer
        yield (
            f"The credential {name!r} is in the {layer}'s file itself; a reference to a variable or to "
            "another file would keep it out of that."
        )
    for scope, path in files.items():
        if any(each.origin.layer == scope for each in literal) and _read_by_others(path):
            yield f"Others can read {path}, and so the credentials in it."


def _read_by_others(path: Path) -> bool:
    with suppress(OSError):
        return bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
    return False
