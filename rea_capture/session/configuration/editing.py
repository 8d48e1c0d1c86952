"""One value of a configuration file, set or removed; everything else of the file stays as it is written.

A file is written whole or not at all, and only when what comes of it is what was meant: the new text is read
again first.

Below: ``files``, ``document``, ``environment``, ``evidence.writing``. Above: the command line.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from rea_capture.errors import CommandLineError, InputError, OutputError
from rea_capture.evidence.writing import write_document
from rea_capture.session.configuration.document import CREDENTIALS, KEYS
from rea_capture.session.configuration.environment import value_of
from rea_capture.session.configuration.files import Scope, parsed, read_bytes
from rea_capture.session.configuration.lines import lines_of

Change = Callable[[Any], None]


def set_value(scope: Scope, path: Path, key: str, text: str) -> None:
    """Let ``key`` in the file at ``path``, which may not be there yet, be what ``text`` says.

    ``text`` is a value of TOML, or else what the key's variable would take. Raises
    :class:`CommandLineError` for a key that there is not, :class:`InputError` when the file would not be
    valid, :class:`OutputError`.
    """
    parts = parts_of(key)
    with _held(scope, path):
        before = _text_of(path)
        new = _first_valid(scope, path, before, parts, text)
        _write(scope, path, new)


def unset_value(scope: Scope, path: Path, key: str) -> bool:
    """Remove ``key``, also one that means nothing, from the file. Whether it was there.

    Raises :class:`InputError` when the file is no TOML, :class:`OutputError`.
    """
    if not path.exists():
        return False
    with _held(scope, path):
        before = _text_of(path)
        document = parsed(path, before.encode())[1]
        parts = _present(document, key)
        if parts is None:
            return False
        _write(scope, path, _changed(path, before, lambda root: _remove(root, parts)))
    return True


def parts_of(key: str) -> tuple[str, ...]:
    """Where ``key`` is in a file. Raises :class:`CommandLineError` when there is no such key."""
    if key in KEYS:
        return tuple(key.split("."))
    if key.startswith(CREDENTIALS) and len(key) > len(CREDENTIALS):
        return ("credentials", key.removeprefix(CREDENTIALS))
    raise CommandLineError(f"there is no key {key!r}; there are {', '.join(KEYS)} and credentials.NAME")


def _first_valid(scope: Scope, path: Path, before: str, parts: tuple[str, ...], text: str) -> str:
    """The file with the value, read as TOML if that is valid, else as its variable is."""
    fault: InputError | None = None
    for value in _meanings(".".join(parts), text):
        new = _inserted(before, parts, value)
        if new is None:
            new = _changed(path, before, partial(_put, parts=parts, value=value))
        try:
            read_bytes(scope, path, new.encode())
        except InputError as error:
            fault = fault or error
        else:
            return new
    assert fault is not None
    raise fault


def _meanings(key: str, text: str) -> Iterator[Any]:
    with suppress(tomllib.TOMLDecodeError, RecursionError):
        document = tomllib.loads(f"value = {text}")
        if document.keys() == {"value"}:
            yield document["value"]
    yield value_of(key, text)


def _inserted(before: str, parts: tuple[str, ...], value: Any) -> str | None:
    """``before`` with a line after the last of the table, and not after the comment that follows it there.

    None where that is not the way, as for tables, and for what is there already.
    """
    import tomlkit  # noqa: PLC0415 - for editing only

    text, lines = before.split("\n"), lines_of(before)
    beside = [
        number
        for path, number in lines.items()
        if path[:-1] == parts[:-1] and not text[number - 1].lstrip().startswith("[")
    ]
    if isinstance(value, dict) or parts in lines or not beside:
        return None
    text.insert(max(beside), f"{parts[-1]} = {tomlkit.item(value).as_string()}")
    wanted, new = tomllib.loads(before), "\n".join(text)
    _put(wanted, parts, value)
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(new) == wanted:
            return new
    return None


def _changed(path: Path, before: str, change: Change) -> str:
    """``before`` with ``change``, which says the same of a plain document and of one with its comments."""
    import tomlkit  # noqa: PLC0415 - for editing only
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    wanted = tomllib.loads(before)
    change(wanted)
    try:
        document = tomlkit.parse(before)
        change(document)
        new = tomlkit.dumps(document)
        came = tomllib.loads(new)
    except (TOMLKitError, tomllib.TOMLDecodeError, ValueError, TypeError):
        came = None
    if came != wanted:
        _by_hand(path)
    return new


def _put(root: Any, parts: tuple[str, ...], value: Any) -> None:
    *above, name = parts
    table = root
    for each in above:
        if each not in table:
            table[each] = {}
        table = table[each]
    if isinstance(value, dict) and isinstance(table.get(name), Mapping):
        there = table[name]
        for key in [key for key in there if key not in value]:
            del there[key]
        for key, each in value.items():
            there[key] = each
    else:
        table[name] = value


def _remove(root: Any, parts: tuple[str, ...]) -> None:
    *above, name = parts
    table = root
    for each in above:
        table = table[each]
    del table[name]


def _present(document: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    """Where ``key`` is in ``document``, known or not."""
    candidates = [tuple(key.split("."))]
    if key.startswith(CREDENTIALS):
        candidates.insert(0, ("credentials", key.removeprefix(CREDENTIALS)))
    return next((parts for parts in candidates if _holds(document, parts)), None)


def _holds(document: Any, parts: tuple[str, ...]) -> bool:
    for each in parts:
        if not isinstance(document, Mapping) or each not in document:
            return False
        document = document[each]
    return True


@contextmanager
def _held(scope: Scope, path: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile; its folder is made first. Raises :class:`OutputError`."""
    is_new = not path.parent.exists()
    try:
        path.parent.mkdir(mode=0o777 if scope == "project" else 0o700, parents=True, exist_ok=True)
        descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {(error.strerror or 'no reason').lower()}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
        if is_new:
            with suppress(OSError):  # it has a file now, as it was made for
                path.parent.rmdir()


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {(error.strerror or 'no reason').lower()}") from None
    return parsed(path, data)[0]


def _write(scope: Scope, path: Path, text: str) -> None:
    """A user's file is for its owner alone. One of a project keeps its mode, and is as others of it first."""
    mode = None
    if scope == "project":
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(path.stat().st_mode)
        mode = 0o666 & ~_umask() if mode is None else mode
    write_document(path, text.encode())
    if mode is not None:
        os.chmod(path, mode)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _by_hand(path: Path) -> NoReturn:
    raise InputError(f"{path} is written in a way that does not let this be changed alone; edit it by hand")
