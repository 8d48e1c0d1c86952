"""INPUT_JSON: inline JSON, the path of a file, or ``-`` for standard input.

Below: the standard library, ``errors``, ``wording``. Above: the commands.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from rea_capture.cli.terminal import printable
from rea_capture.errors import Fault, InputError
from rea_capture.wording import shortened

MAX_SCENARIO_BYTES: Final = 64 * 1024 * 1024
"""A scenario is written by a person or a script; a device that never ends is no scenario."""

MAX_DOCUMENT_BYTES: Final = 2 * 1024 * 1024 * 1024
"""The largest capture: the defaults keep one near 100 MiB, raised limits can make it larger."""

_CHUNK_BYTES: Final = 1024 * 1024
_MAX_SHOWN_CHARACTERS: Final = 120
"""Enough of an argument to recognise it; text pasted by mistake may be much longer."""


def input_bytes(argument: str, *, max_bytes: int) -> bytes:
    """What ``argument`` stands for. Raises :class:`InputError` when it cannot be read."""
    if is_inline(argument):
        return os.fsencode(argument)
    return document_bytes(argument, max_bytes=max_bytes)


def is_inline(argument: str) -> bool:
    """Whether ``argument`` is the JSON itself."""
    return argument.lstrip(" \t\r\n").startswith(("{", "["))


def document_bytes(path: str, *, max_bytes: int) -> bytes:
    """The content of the file ``path``, or of standard input for ``-``.

    Raises :class:`InputError` when it cannot be read or is longer than ``max_bytes``.
    """
    try:
        return _read(path, max_bytes)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is closed or not a path"
        raise _refusal(path, reason[0].lower() + reason[1:]) from None


def shown(argument: str) -> str:
    """``argument`` as an error may repeat it: on one line, and not too much of it."""
    if argument == "-":
        return "standard input"
    return printable(shortened(argument, _MAX_SHOWN_CHARACTERS)).replace("\n", "\\n")


def _read(path: str, max_bytes: int) -> bytes:
    if path == "-":
        return _bounded(_stdin_descriptor(), path, max_bytes)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return _bounded(descriptor, path, max_bytes)
    finally:
        os.close(descriptor)


def _stdin_descriptor() -> int:
    if sys.stdin is None:
        raise ValueError("closed")
    return sys.stdin.fileno()


def _bounded(descriptor: int, path: str, max_bytes: int) -> bytes:
    size = os.fstat(descriptor).st_size
    data = os.read(descriptor, min(size + 1, max_bytes + 1)) if size else b""
    if size and len(data) == size <= max_bytes:
        return data  # the usual case, without a second copy
    pieces = [data]
    length = len(data)
    while length <= max_bytes and (piece := os.read(descriptor, _CHUNK_BYTES)):
        pieces.append(piece)
        length += len(piece)
    if length > max_bytes:
        raise _too_long(path, max_bytes)
    return b"".join(pieces)


def refuse_longer(argument: str, data: bytes, *, max_bytes: int) -> None:
    """Raise as reading ``argument`` does, if ``data``, what it stands for, is longer than ``max_bytes``.

    JSON on the command line is as long as the system lets it be.
    """
    if len(data) > max_bytes and not is_inline(argument):
        raise _too_long(argument, max_bytes)


def _too_long(path: str, max_bytes: int) -> InputError:
    return _refusal(path, f"it is longer than {max_bytes} bytes")


def _refusal(path: str, reason: str) -> InputError:
    message = f"cannot read {shown(path)}: {reason}"
    return InputError(message, [Fault("", message)])
