"""Progress for a person who waits: one line a step, on a terminal only.

Where standard error is no terminal it carries errors, one JSON object, and nothing else.

Below: ``terminal``. Above: ``capture_command``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from rea_capture.cli.terminal import printable


def progress_on(stream: TextIO | None) -> Callable[[str], None]:
    """What writes each sentence it is given to ``stream``; nothing at all for None."""

    def say(sentence: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that went away does not stop a capture
            if stream is not None:
                stream.write(f"{printable(sentence)}\n")
                stream.flush()

    return say
