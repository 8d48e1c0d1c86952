"""Terminals: is this one, and what may be shown on it.

Below: ``visible``. Above: the other files of this room.
"""

from __future__ import annotations

from typing import TextIO

from rea_capture.visible import visible


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads ``stream``; a closed one has no reader."""
    try:
        return stream is not None and stream.isatty()
    except (ValueError, OSError):
        return False


def printable(text: str) -> str:
    """``text``, with its lines and tabs, in which nothing steers a terminal or is unseen."""
    return visible(text, but="\t\n")
