"""Starting a worker process: it is there when it has said hello, in the version of the protocol we speak.

Below: ``contracts.runtime.frames``. Above: ``process``.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES, WORKER_READINESS
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.frames import HelloFrame

KILLED_MS: Final = 2_000
"""How long the system may take to tell of a process that was killed."""

MAX_SHOWN_CHARACTERS: Final = 200
"""Of the name of a program."""


async def started(
    argv: Sequence[str], environ: Mapping[str, str] | None, folder: Path | str | None
) -> asyncio.subprocess.Process:
    """The worker that ``argv`` starts, after its hello.

    Raises :class:`BrowserOperationError` with ``unavailable``, and leaves no process then.
    """
    process = await _spawned(argv, environ, folder)
    try:
        async with asyncio.timeout(WORKER_READINESS.default_ms / 1000):
            reason = await _reason_against(process)
    except TimeoutError:
        reason = f"it said nothing within {WORKER_READINESS.default_ms:,} ms"
    except BaseException:
        await finished(ended(process))
        raise
    if reason is None:
        return process
    await finished(ended(process))
    raise _unavailable(argv, reason)


async def _spawned(
    argv: Sequence[str], environ: Mapping[str, str] | None, folder: Path | str | None
) -> asyncio.subprocess.Process:
    reason = ""
    try:
        return await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=None if environ is None else dict(environ),
            cwd=folder,
            limit=MAX_FRAME_BYTES,
            start_new_session=True,
        )
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else type(error).__name__
    except ValueError:
        reason = "no program can have that name"
    raise _unavailable(argv, reason)


async def _reason_against(process: asyncio.subprocess.Process) -> str | None:
    """Why what has been started is no worker of ours; None when it is one."""
    assert process.stdout is not None
    try:
        line = await process.stdout.readline()
    except ValueError:
        return "its first line has no end"
    if not line:
        return f"it ended with status {await process.wait()} before it said anything"
    try:
        HelloFrame.model_validate_json(line)
    except ValidationError:
        return "its first line is no hello of this version of the protocol"
    return None


async def ended(process: asyncio.subprocess.Process) -> None:
    """Kill ``process`` with its group, if it runs, and wait for it, for :data:`KILLED_MS` at most."""
    signalled(process, signal.SIGKILL)
    # Its end is told when its pipes are closed, which others may hold, or nobody reads to their end.
    transport: asyncio.SubprocessTransport = process._transport  # type: ignore[attr-defined]
    for descriptor in (0, 1):
        pipe = transport.get_pipe_transport(descriptor)
        if pipe is not None:
            pipe.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), KILLED_MS / 1000)


def signalled(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Send a signal to ``process`` and its group if it runs.

    Not by its own methods: they look whether it has ended, and the loop then never learns how.
    """
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


def _unavailable(argv: Sequence[str], reason: str) -> BrowserOperationError:
    program = (argv[0] if argv else "")[:MAX_SHOWN_CHARACTERS]
    said = f"the worker could not be started with {program!r}: {reason}"
    return failure("open", "startup", "unavailable", said)
