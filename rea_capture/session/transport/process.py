"""A worker in a process of its own: ``rea browser serve``, started with the interpreter that one names.

It is started with the first session, in a process group of its own, so that a Ctrl-C in the terminal is for
us to deal with. It ends when we close it, and when we are gone: its input ends then. Should it be killed,
what it has left is cleaned up here.

Below: ``framed``, ``starting``. Above: ``runtime``.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES, TEARDOWN_MS
from rea_capture.session.transport.framed import CLOSED, FramedTransport
from rea_capture.session.transport.starting import ended, signalled, started
from rea_capture.session.worker.deadlines import ANSWER_GRACE_MS

CLOSE_MS: Final = TEARDOWN_MS + ANSWER_GRACE_MS
"""How long a worker that was asked to end may take before it is ended."""

LEAVING_MS: Final = 2_000
"""How long a worker that says no more may take to be gone."""

MAX_RECLAIM_S: Final = 5.0
"""How long is looked for what a killed worker has left."""

_PACKAGE_ROOT: Final = str(Path(__file__).resolve().parents[3])
_PROGRAM: Final = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "from rea_capture.cli import main; main()"
)
"""``-m rea_capture``, but with this very package, and no module of the folder that we happen to be in."""


def worker_argv(python: str | None = None) -> tuple[str, ...]:
    """What starts a worker. ``python`` is the interpreter, in which this package has to be installed.

    None is the one that runs this, with the package that runs this.
    """
    if python is not None:
        return (python, "-P", "-m", "rea_capture", "browser", "serve")
    return (sys.executable, "-P", "-c", _PROGRAM, _PACKAGE_ROOT, "browser", "serve")


class ProcessTransport(FramedTransport):
    """The way to a worker that is started with the first session.

    ``python`` is the interpreter to start it with (see :func:`worker_argv`), ``argv`` the whole command in
    place of it; what cannot be started is an error, and nothing else is tried. ``environ`` and ``folder`` are
    the worker's; by default they are this process's.
    """

    def __init__(
        self,
        *,
        python: str | None = None,
        argv: Sequence[str] | None = None,
        environ: Mapping[str, str] | None = None,
        folder: Path | str | None = None,
    ) -> None:
        super().__init__()
        self._argv = tuple(argv) if argv is not None else worker_argv(python)
        self._environ = None if environ is None else dict(environ)
        self._folder = folder
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The worker's process; None while there is none."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and running else None

    async def close(self) -> None:
        """As the protocol says: the worker is asked to end, and ended if it does not within ``CLOSE_MS``."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await finished(self._closing)

    async def _ready(self) -> None:
        async with self._starting:
            if self._process is None and self._gone is None:
                self._process = await started(self._argv, self._environ, self._folder)
                self._listening = asyncio.ensure_future(self._listen(self._process))

    def _send(self, line: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line)

    async def _give_up(self) -> None:
        if self._process is not None:
            await ended(self._process)
        self._lost("it did not keep its word, and was ended")

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Take what the worker says until it says no more; then nothing is answered any more."""
        assert process.stdout is not None
        reason = ""
        try:
            while line := await process.stdout.readline():
                if not self._received(line):
                    reason = "it said what nobody had asked for"
                    break
        except ValueError:
            reason = f"it said more than {MAX_FRAME_BYTES:,} bytes in one line (MAX_FRAME_BYTES)"
        except OSError:  # the pipe is gone
            pass
        if self._closing is None:
            await self._bury(process, reason)

    async def _bury(self, process: asyncio.subprocess.Process, reason: str) -> None:
        """The worker has ended, or has to, and nobody has asked it to."""
        if not reason:  # it has closed its output, and may need a moment to be gone
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), LEAVING_MS / 1000)
        await ended(process)
        status = process.returncode or 0
        how = f"it was ended by signal {-status}" if status < 0 else f"it ended with status {status}"
        self._lost(reason or how)
        await self._reclaimed()

    async def _close(self) -> None:
        async with self._starting:  # one that is being started is there first
            process = self._process
            self._gone = self._gone or CLOSED
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        signalled(process, signal.SIGTERM)  # it need not finish what is under way
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), CLOSE_MS / 1000)
        if process.returncode is None:
            await ended(process)
            await self._reclaimed()
        self._lost(CLOSED)  # what it has not answered by now
        if self._listening is not None:  # which may be cleaning up after it
            await asyncio.wait({self._listening}, timeout=MAX_RECLAIM_S)
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _reclaimed(self) -> None:
        """Take down what a worker that was killed could not."""
        from rea_capture.browser.ownership import reclaim  # noqa: PLC0415 - for this case only

        environ = os.environ if self._environ is None else self._environ
        with suppress(Exception):  # what cannot be done now stays recorded, and `rea doctor` shows it
            await asyncio.to_thread(reclaim, environ, deadline=time.monotonic() + MAX_RECLAIM_S)
