"""Progress for a person who waits: one line a step, on a terminal only.

Where standard error is no terminal it carries errors, one JSON object, and the reason of a wait: a wait for
somebody else is said in every log.

Below: ``terminal``, ``capture.progress``. Above: ``capture_command``.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TextIO

from rea_capture.capture.progress import Progress, StepFinished, Tell, Waiting
from rea_capture.cli.terminal import printable


def progress_on(stream: TextIO | None) -> Tell:
    """What writes a line for each step to ``stream``; for None, reasons of a wait to standard error."""

    def say(news: Progress) -> None:
        waiting = isinstance(news, Waiting)
        to = sys.stderr if stream is None and waiting else stream
        if to is None or isinstance(news, StepFinished):
            return
        with suppress(OSError, ValueError):  # a terminal that went away does not stop a capture
            to.write(f"{'rea: ' if waiting else ''}{printable(str(news))}\n")
            to.flush()

    return say
