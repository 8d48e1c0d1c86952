"""Runs one program so that nothing of it outlives who asked for it. A process of its own, run as a script:

    python -I -S leash.py STATUS_DESCRIPTOR[:INPUT_DESCRIPTOR] STOP_MS COMMAND [ARGUMENT ...]

It leads a group, in which the program runs. Its standard input is the leash: when that ends, because its
owner let go or died, the group is asked to end (SIGTERM), and is ended STOP_MS later. How the program ended
is one line on the status descriptor: ``exit 3``, ``signal 9``, or ``unstarted 2`` with an error's number.
The program reads the input descriptor, or nothing.
Whatever the program leaves behind in its group is ended then too.

Below: the standard library. Above: ``scenario.programs``, ``adapters.command``.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Final

_STDIN: Final = 0
_CAUGHT: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
_NOT_STARTED: Final = 127


def main(status: int, given: int | None, stop_s: float, command: list[str]) -> None:
    """Run ``command``; never returns, since the group that it ends is its own."""
    os.set_inheritable(status, False)
    woken = _wake_up_on_signals()
    program = _start(command, status, given)
    _tell(status, _end_of(program, woken, stop_s))
    os.killpg(0, signal.SIGKILL)


def _wake_up_on_signals() -> int:
    """A descriptor to be read from once a signal has come. A handler, unlike to ignore, is not inherited."""
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in _CAUGHT:
        signal.signal(number, lambda *_: None)
    return woken


def _start(command: list[str], status: int, given: int | None) -> int:
    program = os.fork()
    if program:
        return program
    try:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the interpreter ignores these two
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY) if given is None else given, _STDIN)
        os.execvp(command[0], command)  # noqa: S606 - as the file's author wrote it, and no shell
    except OSError as error:
        _tell(status, f"unstarted {error.errno}")
    finally:
        os._exit(_NOT_STARTED)


def _end_of(program: int, woken: int, stop_s: float) -> str:
    """Wait for the end of ``program``, which is brought about once the leash is let go."""
    watched = [_STDIN, woken]
    deadline_s: float | None = None
    while True:
        ended, status = os.waitpid(program, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return f"exit {code}" if code >= 0 else f"signal {-code}"
        left_s = None if deadline_s is None else deadline_s - time.monotonic()
        if left_s is not None and left_s <= 0:
            return f"signal {signal.SIGKILL.value}"
        for readable in select.select(watched, [], [], left_s)[0]:
            if not os.read(readable, 4096) and readable == _STDIN:
                watched, deadline_s = [woken], time.monotonic() + stop_s
                os.killpg(0, signal.SIGTERM)


def _tell(status: int, line: str) -> None:
    with suppress(OSError):  # the owner has died
        os.write(status, f"{line}\n".encode())


if __name__ == "__main__":
    told, _, from_where = sys.argv[1].partition(":")
    main(int(told), int(from_where) if from_where else None, int(sys.argv[2]) / 1000, sys.argv[3:])
