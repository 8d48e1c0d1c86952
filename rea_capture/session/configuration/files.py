"""The files of the configuration: where they are, and what they say, with the line of each thing.

Below: ``document``, ``lines``. Above: ``effective``, ``editing``.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

from rea_capture.contracts.reading import summary
from rea_capture.errors import Fault, InputError
from rea_capture.session.configuration.document import CREDENTIALS, read_layer
from rea_capture.session.configuration.lines import line_of, lines_of

Scope = Literal["project", "user"]

PROJECT_FILE: Final = Path(".rea", "browser.toml")
MAX_CONFIGURATION_BYTES: Final = 256 * 1024
"""Of a file. All the credentials and origins there may be take less."""

_USER_FOLDER: Final = "rea"
_USER_FILE: Final = "browser.toml"
_REPOSITORY: Final = (".git", ".hg", ".jj", ".svn")
_WHAT: Final = "configuration"


@dataclass(frozen=True, slots=True)
class ConfigurationFile:
    """A file that is there. ``lines`` are those of its keys; paths in ``values`` are absolute."""

    scope: Scope
    path: Path
    values: Mapping[str, Any]
    lines: Mapping[str, int | None]


def project_file(folder: Path, environ: Mapping[str, str]) -> Path | None:
    """The nearest ``.rea/browser.toml`` of ``folder`` and those above it, if there is one.

    The last that is looked at is the root of a repository, or the home folder.
    """
    return next((each / PROJECT_FILE for each in _searched(folder, environ) if _is_there(each)), None)


def project_folder(folder: Path, environ: Mapping[str, str]) -> Path:
    """The folder that a project's file is made in: the repository's root, else ``folder`` itself."""
    return next((each for each in _searched(folder, environ) if _is_repository(each)), folder)


def user_file() -> Path:
    """Where the user's file is, or would be."""
    from platformdirs import user_config_path  # noqa: PLC0415 - only for this

    return user_config_path(_USER_FOLDER, appauthor=False) / _USER_FILE


def read_file(scope: Scope, path: Path) -> ConfigurationFile | None:
    """What the file at ``path`` says, None when there is none.

    Raises :class:`InputError` with the file, the line and the key of everything that is wrong.
    """
    try:
        data = _bytes_of(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        _refuse(path, f"cannot be read: {(error.strerror or type(error).__name__).lower()}")
    return read_bytes(scope, path, data)


def read_bytes(scope: Scope, path: Path, data: bytes) -> ConfigurationFile:
    """As :func:`read_file`, of ``data`` that is or is going to be at ``path``."""
    text, document = parsed(path, data)
    lines = lines_of(text)
    faults: list[Fault] = []
    try:
        values = read_layer(document, what=_WHAT)
    except InputError as error:
        faults = [_placed(fault, path, lines) for fault in error.faults]
    if faults:
        raise InputError(summary(_WHAT, faults), faults)
    base = path.parent.parent if scope == "project" else path.parent
    told = {key: line_of(_parts(key), lines) for key in values}
    return ConfigurationFile(scope, path, _anchored(values, base), told)


def parsed(path: Path, data: bytes) -> tuple[str, dict[str, Any]]:
    """The text and the TOML document of ``data``. Raises :class:`InputError` with the place of the fault."""
    if len(data) > MAX_CONFIGURATION_BYTES:
        _refuse(path, f"has more than {MAX_CONFIGURATION_BYTES:,} bytes (MAX_CONFIGURATION_BYTES)")
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    if "\ufffd" in text:
        _refuse(path, "is not UTF-8 text")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        _refuse(path, f"is no TOML: {error}")
    except RecursionError:
        _refuse(path, "is nested too deeply")
    return text, document


def _searched(folder: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    home = environ.get("HOME", "")
    for each in (folder, *folder.parents):
        yield each
        if _is_repository(each) or (home and os.path.realpath(home) == os.path.realpath(each)):
            return


def _is_repository(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in _REPOSITORY)


def _is_there(folder: Path) -> bool:
    return os.path.lexists(folder / PROJECT_FILE)


def _bytes_of(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        _check(path, os.fstat(descriptor))
        _check(path, os.lstat(path.parent))
        return file.read(MAX_CONFIGURATION_BYTES + 1)


def _check(path: Path, found: os.stat_result) -> None:
    """Whoever can write the file decides what is started, so nobody else may."""
    if stat.S_ISLNK(found.st_mode):  # a folder that is one: what it leads to is looked at as the file
        return
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        _refuse(path, "is no regular file")
    if found.st_uid not in (os.geteuid(), 0):
        _refuse(path, "belongs to somebody else, who could have any program started; make it your own")
    if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
        _refuse(path, "can be written by everybody, who could have any program started; take that away")


def _refuse(path: Path, message: str) -> NoReturn:
    fault = Fault("", message, str(path))
    raise InputError(f"the {_WHAT} is not valid: {path}: {message}", [fault])


def _placed(fault: Fault, path: Path, lines: dict[tuple[str, ...], int]) -> Fault:
    """``fault`` with the file and the line in which it is."""
    parts = tuple(part.replace("~1", "/").replace("~0", "~") for part in fault.pointer.split("/")[1:])
    line = line_of(parts, lines)
    return Fault(fault.pointer, fault.message, str(path) if line is None else f"{path}:{line}")


def _parts(key: str) -> tuple[str, ...]:
    if key.startswith(CREDENTIALS):
        return ("credentials", key.removeprefix(CREDENTIALS))
    return tuple(key.split("."))


def _anchored(values: dict[str, Any], base: Path) -> dict[str, Any]:
    """``values`` with paths that no longer depend on where one is; ``~`` is the home folder."""
    return {key: _anchored_value(key, value, base) for key, value in values.items()}


def _anchored_value(key: str, value: Any, base: Path) -> Any:
    if key == "artifactFolder":
        return _absolute(value, base)
    if key == "browser.executablePath":
        return _program(value, base)
    if key == "adapter" and "argv" in value:
        return {**value, "argv": [_program(value["argv"][0], base), *value["argv"][1:]]}
    if key.startswith(CREDENTIALS) and "path" in value:
        return {**value, "path": _absolute(value["path"], base)}
    return value


def _program(name: str, base: Path) -> str:
    """A name without a slash is looked for on PATH."""
    return _absolute(name, base) if "/" in name else name


def _absolute(path: str, base: Path) -> str:
    return str(base / os.path.expanduser(path))
