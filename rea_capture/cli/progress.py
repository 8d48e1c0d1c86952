"""Progress for a person who waits: one line a step, on a terminal only.

Where standard error is no terminal it carries errors, one JSON object, and notices: a wait for somebody
else is said in every log.

Below: ``terminal``, ``workflows.notices``. Above: ``capture_command``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from rea_capture.cli.terminal import printable
from rea_capture.workflows.notices import Notice


def progress_on(stream: TextIO | None) -> Callable[[str], None]:
    """What writes each sentence it is given to ``stream``; for None, notices to standard error."""

    def say(sentence: str) -> None:
        notice = isinstance(sentence, Notice)
        to = sys.stderr if stream is None and notice else stream
        with suppress(OSError, ValueError):  # a terminal that went away does not stop a capture
            if to is not None:
                to.write(f"{'rea: ' if notice else ''}{printable(sentence)}\n")
                to.flush()

    return say
