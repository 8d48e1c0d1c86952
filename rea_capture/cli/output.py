"""Where a document goes: standard output, a file, or both; and the summary that stands for it.

    standard output is no terminal, or ``--json``   the document
    standard output is a terminal, no ``--json``    a readable summary
    ``--output FILE``                               the document to the file; standard output then
                                                    carries the summary on a terminal, nothing where
                                                    it is none, and the document with ``--json``

While a command works, file descriptor 1 leads to standard error: a stray print, ours or of a child
process, cannot get into the document.

Below: ``evidence`` (files), ``terminal``. Above: the commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Final

from rea_capture.cli.signals import unwind_on_signals
from rea_capture.cli.terminal import is_terminal
from rea_capture.errors import OutputError
from rea_capture.evidence.descriptors import write_all

_STDOUT: Final = 1
_STDERR: Final = 2
STDOUT_NAMES: Final = frozenset({"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
"""As ``--output FILE`` these mean the standard output of the command, which is elsewhere meanwhile."""


@dataclass(frozen=True, slots=True)
class Output:
    """The way out of one command. ``descriptor`` is the real standard output, None when it is closed."""

    descriptor: int | None
    on_terminal: bool
    as_json: bool
    path: str | None

    def document(self, data: bytes, summarise: Callable[[IO[str]], None]) -> None:
        """Deliver ``data``; ``summarise`` writes the summary where that is what is wanted.

        Raises :class:`OutputError`, and ``BrokenPipeError`` when the reader has gone.
        """
        if self.path is not None:
            from rea_capture.evidence.writing import write_document  # noqa: PLC0415 - only with --output

            write_document(self.path, data)
        if self.as_json or not (self.on_terminal or self.path is not None):
            self.write(data)
        else:
            self.summary(summarise)

    def write(self, data: bytes) -> None:
        """Write ``data`` to standard output, all of it.

        Raises :class:`OutputError`, also when it is closed, and ``BrokenPipeError`` when the reader has gone.
        """
        if self.descriptor is None:
            raise OutputError("cannot write to standard output: it is closed")
        with write_errors_explained():
            write_all(self.descriptor, data)

    def summary(self, summarise: Callable[[IO[str]], None]) -> None:
        """Let ``summarise`` write to standard output where that is a terminal."""
        if not self.on_terminal:
            return
        assert self.descriptor is not None
        descriptor = os.dup(self.descriptor)
        with write_errors_explained(), open(descriptor, "w", encoding="utf-8", errors="replace") as stream:
            summarise(stream)


@contextmanager
def opened_output(*, as_json: bool, path: str | None = None) -> Iterator[Output]:
    """The output of a command, with standard output kept clean while the command works."""
    unwind_on_signals()
    on_terminal = is_terminal(sys.stdout)
    if path in STDOUT_NAMES:
        as_json, path = True, None
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    try:
        descriptor: int | None = os.dup(_STDOUT)
    except OSError:
        descriptor = None
    try:
        _point_stdout_at(_STDERR)
        yield Output(descriptor, on_terminal, as_json, path)
    finally:
        with suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
        if descriptor is not None:
            _point_stdout_at(descriptor)
            os.close(descriptor)


def _point_stdout_at(descriptor: int) -> None:
    try:
        os.dup2(descriptor, _STDOUT)
    except OSError:  # standard error is closed: stray prints go nowhere
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, _STDOUT)
        os.close(null)


@contextmanager
def write_errors_explained() -> Iterator[None]:
    """An ``OSError`` of standard output becomes :class:`OutputError`, unless its reader has gone."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise OutputError(f"cannot write to standard output: {reason}") from None
