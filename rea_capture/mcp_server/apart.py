"""A large call without its arguments, found in its bytes and not by reading them.

A tool reads its arguments from the bytes that were sent. Where they are large, the library is given the call
without them: what they hold is read once, in a thread, and is bounded before that.

Below: the standard library. Above: ``incoming``.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Final

_KEY: Final = re.compile(rb'"arguments"\s*:\s*(?=\{)')
_HEAD_BYTES: Final = 64 * 1024
"""What may be before the arguments: an id, a name, a progress token."""

_DEPTH: Final = 2
"""The arguments are a member of a member of the message."""

_SCAN_BYTES: Final = 256 * 1024
_MARKS: Final = re.compile(rb'[\[\]{}"]')
_STEPS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_OTHERS: Final = bytes(set(range(256)) - set(b"[{]}"))


def without_arguments(data: bytes) -> bytes | None:
    """The call in ``data`` with no arguments; None where ``data`` is no such call."""
    plain = data.replace(b"\\\\", b"__").replace(b'\\"', b"__")  # every other quote begins or ends a string
    for key in _KEY.finditer(plain, 0, _HEAD_BYTES):
        if _depth(plain[: key.start()]) == _DEPTH:
            end = _end_of_container(plain, key.end())
            return None if end is None else data[: key.end()] + b"{}" + data[end:]
    return None


def _depth(head: bytes) -> int | None:
    """How many containers are open at the end of ``head``; None inside of a string."""
    pieces = head.split(b'"')
    return sum(_steps(b"".join(pieces[::2]))) if len(pieces) % 2 else None


def _steps(text: bytes) -> memoryview:
    """1 for each container that opens in ``text``, and -1 for each that closes."""
    return memoryview(text.translate(_STEPS, _OTHERS)).cast("b")


def _end_of_container(plain: bytes, start: int) -> int | None:
    """Where the container that begins at ``start`` ends, a piece at a time."""
    depth, inside = 0, False
    for begin in range(start, len(plain), _SCAN_BYTES):
        piece = plain[begin : begin + _SCAN_BYTES]
        outside = piece.split(b'"')
        steps = _steps(b"".join(outside[inside::2]))
        if depth + min(accumulate(steps), default=1) <= 0:
            return begin + _end_in(piece, depth, inside)
        depth += sum(steps)
        inside ^= len(outside) % 2 == 0
    return None


def _end_in(piece: bytes, depth: int, inside: bool) -> int:
    """How much of ``piece`` it takes until no container is open."""
    for mark in _MARKS.finditer(piece):
        sign = mark[0]
        if sign == b'"':
            inside = not inside
        elif not inside:
            depth += 1 if sign in b"[{" else -1
            if depth == 0:
                return mark.end()
    return len(piece)
