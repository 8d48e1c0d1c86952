"""Terminals: is this one, and what may be shown on it.

Below: the standard library. Above: the other files of this room.
"""

from __future__ import annotations

import re
from typing import Final, TextIO

_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional marks, which reorder what is read
    "\u2028\u2029\ud800-\udfff]"
)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads ``stream``; a closed one has no reader."""
    try:
        return stream is not None and stream.isatty()
    except (ValueError, OSError):
        return False


def printable(text: str) -> str:
    """``text`` with everything that could steer a terminal written out as an escape."""
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], text)
