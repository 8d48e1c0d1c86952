"""Credentials become text where one fill needs them, and nowhere else.

An error names the credential and where it was looked for. It never shows a value, a part of one, or what
else a file holds, and no exception that does hangs behind it.

Below: ``contracts.runtime.settings``, ``contracts.json_text``. Above: the worker.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rea_capture.contracts.json_text import duplicate_key_faults, plain_json
from rea_capture.contracts.runtime.base import MAX_TEXT_CHARACTERS
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.settings import (
    Credential,
    EnvironmentCredential,
    FileCredential,
    JsonFileCredential,
    LiteralCredential,
)
from rea_capture.errors import InputError

MAX_CREDENTIAL_FILE_BYTES: Final = 64 * 1024
"""A file of one credential. What is longer is some other file."""

MAX_CREDENTIAL_JSON_BYTES: Final = 1024 * 1024
"""A file of many credentials."""


class _UnavailableError(Exception):
    """Why there is no value, in words that hold none of it."""


def resolve_credential(
    credential: Credential, environ: Mapping[str, str], folder: Path | str, *, name: str | None = None
) -> str:
    """The text that ``credential`` stands for; ``name`` is what the session calls it.

    Variables are those of ``environ``, relative paths start at ``folder``. Raises
    :class:`BrowserOperationError` with ``credential_unavailable``; nothing was attempted then.
    """
    reason = ""
    try:
        return _resolved(credential, environ, Path(folder))
    except _UnavailableError as error:
        reason = str(error)
    # Outside the handler: no error hangs behind this one.
    called = "the credential" if name is None else f"the credential {name!r}"
    raise failure("act", "resolve", "credential_unavailable", f"{called} is not available: {reason}")


def variables_of(credentials: Mapping[str, Credential]) -> frozenset[str]:
    """The environment variables that hold ``credentials``: what a program that helps is not to be given."""
    return frozenset(
        each.variable for each in credentials.values() if isinstance(each, EnvironmentCredential)
    )


def _resolved(credential: Credential, environ: Mapping[str, str], folder: Path) -> str:
    match credential:
        case LiteralCredential():
            return credential.value
        case EnvironmentCredential():
            return _of_variable(credential.variable, environ)
        case FileCredential():
            return _of_file(folder / credential.path)
        case JsonFileCredential():
            return _of_entry(folder / credential.path, credential.entry)


def _of_variable(variable: str, environ: Mapping[str, str]) -> str:
    value = environ.get(variable)
    if value is None:
        raise _UnavailableError(f"the environment variable {variable} is not set")
    return _usable(value, f"the environment variable {variable}")


def _of_file(path: Path) -> str:
    where = f"the file {str(path)!r}"
    text = _text(_bytes_of(path, MAX_CREDENTIAL_FILE_BYTES, where), where)
    return _usable(text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text, where)


def _of_entry(path: Path, entry: str) -> str:
    where = f"the file {str(path)!r}"
    document = _json(_bytes_of(path, MAX_CREDENTIAL_JSON_BYTES, where), where)
    if not isinstance(document, dict):
        raise _UnavailableError(f"{where} holds no JSON object")
    if entry not in document:
        raise _UnavailableError(f"{where} has no entry {entry!r} at its top level")
    value = document[entry]
    if not isinstance(value, str):
        raise _UnavailableError(f"the entry {entry!r} of {where} is no string")
    return _usable(value, f"the entry {entry!r} of {where}")


def _bytes_of(path: Path, max_bytes: int, where: str) -> bytes:
    reason = ""
    try:
        # Not to wait: a FIFO's other end may never come.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _UnavailableError(f"{where} is no regular file")
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = file.read(max_bytes + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
    except ValueError:  # a NUL in its name
        reason = "no file can have that name"
    if reason:
        raise _UnavailableError(f"{where} cannot be read: {reason}")
    if len(data) > max_bytes:
        raise _UnavailableError(f"{where} has more than {max_bytes:,} bytes")
    return data


def _text(data: bytes, where: str) -> str:
    text = data.decode("utf-8", "replace")
    if text.encode() != data:  # an error of decoding would hold the bytes
        raise _UnavailableError(f"{where} is not UTF-8 text")
    return text


def _json(data: bytes, where: str) -> Any:
    found: list[Any] = []
    try:
        document = plain_json(data, what="file")
        if not duplicate_key_faults(document):
            found.append(document)
    except InputError:  # it may quote the text
        pass
    if not found:
        raise _UnavailableError(f"{where} is not strict JSON (UTF-8, each key once, no NaN)")
    return found[0]


def _usable(value: str, where: str) -> str:
    if not value:
        raise _UnavailableError(f"{where} is empty")
    if len(value) > MAX_TEXT_CHARACTERS:
        raise _UnavailableError(f"{where} holds more than {MAX_TEXT_CHARACTERS:,} characters")
    if any("\ud800" <= sign <= "\udfff" for sign in value):  # bytes of the environment that are no UTF-8
        raise _UnavailableError(f"{where} is not UTF-8 text")
    return value
