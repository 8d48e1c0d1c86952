"""Programs that a scenario file names: hooks and servers. As they are written, and never through a shell.

Each runs on a leash (``leash``), so that nothing of it is left: not when it ends, not when it is stopped, and
not when this process is killed. What it writes is drained all the time, and its end is kept.

Below: asyncio, ``leash``, ``contracts.runtime.scenario_file``. Above: ``hooks``, ``server``.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.scenario_file import Command
from rea_capture.redaction import Redactor
from rea_capture.session import leash

MAX_KEPT_OUTPUT_BYTES: Final = 16 * 1024
"""The end of what a program writes; the reason why it failed is there."""

MAX_LAST_LINES: Final = 10
MAX_LINE_CHARACTERS: Final = 500

USUAL_VARIABLES: Final = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "TEMP", "TMP", "TERM",
    "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
)  # fmt: skip
"""What programs expect to find; whatever else a program needs, the file names."""

_LEASH: Final = Path(leash.__file__)
_CHUNK_BYTES: Final = 65_536
_MAX_STATUS_BYTES: Final = 256
LETTING_GO_S: Final = 2.0
"""Beyond a program's own time to stop: for its leash to end it and to say so."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where programs run: ``folder`` is that of the file, ``environ`` what references are resolved in."""

    folder: Path
    environ: Mapping[str, str]
    redactor: Redactor


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: with a status, by a signal, or by never having been started (an ``errno``)."""

    how: Literal["exit", "signal", "unstarted"]
    number: int

    @property
    def well(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.how == "exit" and self.number == 0

    def __str__(self) -> str:
        match self.how:
            case "exit":
                return f"ended with status {self.number}"
            case "unstarted":
                return f"could not be started: {os.strerror(self.number).lower()}"
        with suppress(ValueError):
            return f"was ended by {signal.Signals(self.number).name}"
        return f"was ended by signal {self.number}"


class Program:
    """A program that was started. To be stopped, whatever happens."""

    def __init__(
        self, process: asyncio.subprocess.Process, status: asyncio.StreamReader, place: Place
    ) -> None:
        self._leash = process
        self._place = place
        self._kept: deque[bytes] = deque()
        self._kept_bytes = 0
        self._is_cut = False
        self._draining = asyncio.ensure_future(self._drain())
        self._ending = asyncio.ensure_future(self._read_status(status))

    @property
    def ended(self) -> Ended | None:
        """How it ended, if it has."""
        return self._ending.result() if self._ending.done() else None

    async def wait(self) -> Ended:
        """How it ended, once it has and all of its output was read."""
        ended = await asyncio.shield(self._ending)
        await asyncio.wait({self._draining}, timeout=LETTING_GO_S)
        return ended

    async def stop(self, stop_ms: int) -> bool:
        """End it and whatever it started. Whether it ended in time, without being killed.

        Takes ``stop_ms`` (what it was started with) and :data:`LETTING_GO_S` at most, twice.
        """
        ended_before = self.ended is not None
        if self._leash.stdin is not None:
            self._leash.stdin.close()
        await asyncio.wait({self._ending}, timeout=stop_ms / 1000 + LETTING_GO_S)
        if self._leash.returncode is None:
            with suppress(ProcessLookupError):  # our own child that nobody has waited for: the group is its
                os.killpg(self._leash.pid, signal.SIGKILL)
        await asyncio.wait({self._draining, asyncio.ensure_future(self._leash.wait())}, timeout=LETTING_GO_S)
        self._draining.cancel()
        return ended_before or self.ended not in (None, Ended("signal", signal.SIGKILL))

    def last_lines(self) -> tuple[str, ...]:
        """The last lines that it wrote, redacted and bounded."""
        text = b"".join(self._kept).decode("utf-8", "replace")
        if self._is_cut:  # of a value whose beginning is gone, redaction would not know the rest
            text = text.partition("\n")[2]
        text = self._place.redactor.text(text)
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        return tuple(line[:MAX_LINE_CHARACTERS] for line in lines[-MAX_LAST_LINES:])

    async def _drain(self) -> None:
        assert self._leash.stdout is not None
        while piece := await self._leash.stdout.read(_CHUNK_BYTES):
            self._kept.append(piece)
            self._kept_bytes += len(piece)
            while self._kept_bytes - len(self._kept[0]) >= MAX_KEPT_OUTPUT_BYTES:
                self._kept_bytes -= len(self._kept.popleft())
                self._is_cut = True

    async def _read_status(self, status: asyncio.StreamReader) -> Ended:
        line = (await status.read(_MAX_STATUS_BYTES)).partition(b"\n")[0].decode("ascii", "replace").split()
        if len(line) == 2 and line[0] in ("exit", "signal", "unstarted"):
            return Ended(line[0], int(line[1]))  # type: ignore[arg-type]  # one of the three
        with suppress(ProcessLookupError):  # its leash was killed: it is not to go on without one
            os.killpg(self._leash.pid, signal.SIGKILL)
        return Ended("signal", signal.SIGKILL)


async def start_program(command: Command, place: Place, *, stop_ms: int) -> Program | Ended:
    """Start ``command``; it gets ``stop_ms`` to end once it is asked to. Cancelled, it leaves none."""
    starting = asyncio.ensure_future(_started(command, place, stop_ms))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        program = await finished(starting)
        if isinstance(program, Program):
            await finished(program.stop(stop_ms))
        raise


async def _started(command: Command, place: Place, stop_ms: int) -> Program | Ended:
    reading, writing = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(_LEASH), str(writing), str(stop_ms),
            command.command, *command.args,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            pass_fds=(writing,),
            cwd=place.folder / (command.cwd or "."),
            env=environment_of(command, place.environ),
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        os.close(reading)
        return Ended("unstarted", error.errno or 0)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    status = asyncio.StreamReader()
    pipe = os.fdopen(reading, "rb", buffering=0)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(status), pipe)
    return Program(process, status, place)


def environment_of(command: Command, environ: Mapping[str, str]) -> dict[str, str]:
    """The usual variables, and those that ``command`` refers to; one that is not set is left out."""
    usual = {name: environ[name] for name in USUAL_VARIABLES if name in environ}
    named = {name: environ[each.variable] for name, each in command.env.items() if each.variable in environ}
    return usual | named
