"""Lines on standard output that nobody has to wait for.

A thread writes them as fast as the reader takes them; whoever puts one goes on at once. So a slow reader
delays its lines and nothing else. Each write is preceded by a poll and small enough not to block, which
also tells of a reader that has gone while there is nothing to write.

Below: ``output``. Above: ``stream``.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from rea_capture.cli.output import Output, write_errors_explained
from rea_capture.cli.signals import SIGNALS

MAX_PENDING_NOTICES: Final = 64
"""Lines that may be left out, of those that wait for the reader. They come on top of what a pipe holds, which
is a few hundred; a reader that is as far behind wants to know what is, not what was."""

_WAIT_S: Final = 0.1
"""A wait is looked up from this often: the handler of a signal runs then, whichever thread got the signal."""

_GONE: Final = select.POLLERR | select.POLLHUP | select.POLLNVAL


class LineWriter:
    """Writes lines to the standard output of ``out``, in the order in which they are put."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._lines: deque[tuple[bytes, bool]] = deque()
        self._notices = 0
        self._dropped = 0
        self._ending = False
        self._failure: OSError | None = None
        self._thread: threading.Thread | None = None
        self._woken, self._wake = -1, -1

    @property
    def dropped(self) -> int:
        """How many notices were left out so far."""
        return self._dropped

    @property
    def ended(self) -> bool:
        """Whether the last line was put, written or not."""
        return self._ending

    def start(self, on_failure: Callable[[], None]) -> None:
        """Begin to write.

        When the reader has gone or a write fails, ``on_failure`` is called, in another thread. Raises
        :class:`OutputError` when standard output is closed.
        """
        self._out.write(b"")
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._thread = threading.Thread(target=self._run, args=(on_failure,), name="lines", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        """Write ``line``, now or later."""
        self._add(line, is_notice=False)

    def offer(self, notice: bytes) -> None:
        """Write ``notice``, unless too many of them wait for the reader already."""
        if self._notices >= MAX_PENDING_NOTICES:
            self._dropped += 1
        else:
            self._add(notice, is_notice=True)

    def check(self) -> None:
        """Raise what :meth:`end` would, if it is known by now."""
        if self._failure is not None:
            with write_errors_explained():
                raise self._failure

    def end(self, last: Callable[[], bytes]) -> None:
        """Write what is pending and then the line that ``last`` gives, however long the reader takes.

        Raises :class:`OutputError`, ``BrokenPipeError`` when the reader has gone, and what a signal's handler
        raises.
        """
        self._ending = True
        thread = self._thread
        if thread is not None:
            self._nudge()
            while thread.is_alive():
                thread.join(_WAIT_S)
            os.close(self._woken)
            os.close(self._wake)
        self.check()
        self._out.write(last())

    def _add(self, line: bytes, *, is_notice: bool) -> None:
        with self._lock:
            self._notices += is_notice
            self._lines.append((line, is_notice))
        self._nudge()

    def _nudge(self) -> None:
        with suppress(BlockingIOError):  # it has been woken often enough
            os.write(self._wake, b".")

    def _run(self, on_failure: Callable[[], None]) -> None:
        # Signals are for the main thread, which may be in a call that only they can end.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self._write_lines()
        except OSError as failure:
            self._failure = failure
            on_failure()

    def _write_lines(self) -> None:
        descriptor = self._out.descriptor
        assert descriptor is not None
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        rest = memoryview(b"")
        while True:
            rest = rest or self._next()
            if not rest and self._ending:
                return
            poll.register(descriptor, select.POLLOUT if rest else 0)
            for ready, events in poll.poll():
                if ready == self._woken:
                    os.read(self._woken, select.PIPE_BUF)
                elif events & _GONE:
                    raise BrokenPipeError
                else:
                    with suppress(BlockingIOError):  # of a descriptor that does not block; asked again
                        rest = rest[os.write(descriptor, rest[: select.PIPE_BUF]) :]

    def _next(self) -> memoryview:
        with self._lock:
            if not self._lines:
                return memoryview(b"")
            line, is_notice = self._lines.popleft()
            self._notices -= is_notice
            return memoryview(line)
