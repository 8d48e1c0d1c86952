"""What SIGINT, SIGTERM and SIGHUP do to a command that has nothing to save.

    while the program starts     it ends at once, quietly, with 128 and the number of the signal
    while a command works        the command is unwound, so that it leaves no half-written file; same status

A capture, which has something to save, listens for itself meanwhile (``workflows.interruptible``).

Below: the standard library. Above: ``main``, ``output``, ``failures``.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STATUS_OF_SIGNAL: Final = 128
"""Added to the number of a signal, as shells report it."""


class InterruptedBySignal(BaseException):
    """A signal ended the command. ``status`` is what it ends with."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = STATUS_OF_SIGNAL + number


def end_quietly_on_signals() -> None:
    """From now on a signal ends the process. Those that somebody else handles or ignores stay theirs.

    In another thread than the main one, where handlers cannot be set, nothing is done.
    """
    try:
        for number in SIGNALS:
            if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
                signal.signal(number, _end)
    except ValueError:
        pass


def unwind_on_signals() -> None:
    """From now on a signal raises :class:`InterruptedBySignal`, where it would have ended the process."""
    for number in SIGNALS:
        if signal.getsignal(number) is _end:
            signal.signal(number, _unwind)


def end_at_once_on_signals() -> None:
    """From now on a signal that would have unwound the command ends the process: the command is over."""
    for number in SIGNALS:
        if signal.getsignal(number) is _unwind:
            signal.signal(number, _end)


def leave_threads_behind(status: int) -> None:
    """End the process with ``status`` now if a thread would keep it.

    For a command that has said all it has to say, and whose threads work for nobody any more.
    """
    others = (each for each in threading.enumerate() if each is not threading.main_thread())
    if any(not each.daemon for each in others):
        with suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.flush()
        os._exit(status)


def _end(number: int, _: FrameType | None) -> None:
    os._exit(STATUS_OF_SIGNAL + number)


def _unwind(number: int, _: FrameType | None) -> None:
    for each in SIGNALS:  # the next one does not wait for what this one unwinds
        if signal.getsignal(each) is _unwind:
            signal.signal(each, _end)
    raise InterruptedBySignal(number)
