"""An adapter that is a program: one JSON object to its standard input, one from its standard output.

    {"instruction": "…", "action": "click", "elements": [{"ref": "…", "role": "button", "name": "…", …}]}
    → {"ref": "…"}

It is started without a shell, on a leash (``session.leash``), once for each question. Its standard error is
the worker's. When its time is up, when nobody wants the answer any more, and when the worker is killed, it is
killed with whatever it has started.

Below: ``failing``, ``session.leash``. Above: ``adapters``.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final

from rea_capture.contracts.json_text import duplicate_key_faults, plain_json
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.results import ObserveResult
from rea_capture.contracts.runtime.settings import CommandAdapter
from rea_capture.errors import InputError
from rea_capture.session import leash
from rea_capture.session.adapters.failing import adapter_failed

MAX_ANSWER_BYTES: Final = 64 * 1024
"""A ref has at most 128 characters; the rest is patience with blanks."""

_READ_BYTES: Final = 16 * 1024
_MAX_STATUS_BYTES: Final = 256
_STOP_MS: Final = 0
"""It has nothing to put in order that would be worth waiting for."""

_RECOVERY: Final = "Correct the adapter's program or its argv in the settings, or give a ref."


class ByCommand:
    """See the module. ``withheld`` are environment variables that the program does not get."""

    name: Final = "command"

    def __init__(self, adapter: CommandAdapter, withheld: Collection[str] = ()) -> None:
        self._argv = adapter.argv
        self._timeout_ms = adapter.timeout_ms
        self._withheld = frozenset(withheld)

    async def choose(self, step_instruction: str, action: str, observation: ObserveResult) -> str:
        """What the program answers, if it was offered. Raises as the protocol says."""
        question = {
            "instruction": step_instruction,
            "action": action,
            "elements": [each.wire() for each in observation.elements],
        }
        said = await self._asked(json.dumps(question).encode() + b"\n")
        return _ref_of(said, {each.ref for each in observation.elements})

    async def _asked(self, question: bytes) -> bytes:
        reading, writing = os.pipe()
        try:
            said = await self._heard(question, writing)
            _check(os.read(reading, _MAX_STATUS_BYTES))
        finally:
            os.close(reading)
        return said

    async def _heard(self, question: bytes, status: int) -> bytes:
        """All that the program says until it has ended."""
        process = await self._started(question, status)
        try:
            async with asyncio.timeout(self._timeout_ms / 1000):
                said, _ = await asyncio.gather(_all_of(process), process.wait())
        except BaseException as error:
            await _ended(process)
            if isinstance(error, TimeoutError):
                raise _failed(f"did not answer within {self._timeout_ms:,} ms") from None
            raise
        return said

    async def _started(self, question: bytes, status: int) -> asyncio.subprocess.Process:
        """The leash with the program on it; ``status`` is closed here."""
        try:
            with tempfile.TemporaryFile() as file:  # not a pipe: a program may be slow to read, or not read
                file.write(question)
                file.seek(0)
                return await asyncio.create_subprocess_exec(
                    sys.executable, "-I", "-S", leash.__file__, f"{status}:{file.fileno()}", str(_STOP_MS),
                    *self._argv,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    pass_fds=(status, file.fileno()),
                    env={name: value for name, value in os.environ.items() if name not in self._withheld},
                    start_new_session=True,
                )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or "no program can have that name").lower()
        finally:
            os.close(status)
        raise _failed(f"cannot be started: {reason}")


async def _all_of(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    said = b""
    while piece := await process.stdout.read(_READ_BYTES):
        said += piece
        if len(said) > MAX_ANSWER_BYTES:
            raise _failed(f"answered more than {MAX_ANSWER_BYTES:,} bytes")
    return said


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Kill the whole group of ``process``, and wait for it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # What has left the group may hold the pipes, and nobody reads them any more.
    process._transport.close()  # type: ignore[attr-defined]  # there is no public way
    await asyncio.shield(process.wait())


def _check(status: bytes) -> None:
    """Raise unless the ``status`` that the leash has told is that of a program that ended well."""
    how, _, number = status.decode("ascii", "replace").partition("\n")[0].partition(" ")
    if (how, number) == ("exit", "0"):
        return
    if how == "unstarted":
        raise _failed(f"cannot be started: {os.strerror(int(number)).lower()}")
    ended = {"exit": "with status", "signal": "by signal"}.get(how)
    how = "" if ended is None else f" {ended} {number}"
    raise _failed(f"ended{how}; what it said of that is on the worker's standard error")


def _ref_of(said: bytes, offered: Collection[str]) -> str:
    answer = _object(said)
    if set(answer) != {"ref"} or not isinstance(answer["ref"], str):
        raise _failed('did not answer with one JSON object that has a "ref" and nothing else')
    if answer["ref"] not in offered:
        raise _failed("answered with a ref that it was not offered")
    return answer["ref"]


def _object(said: bytes) -> dict[str, Any]:
    with suppress(InputError):
        document = plain_json(said, what="answer")
        if isinstance(document, dict) and not duplicate_key_faults(document):
            return document
    return {}


def _failed(what: str) -> BrowserOperationError:
    return adapter_failed(f"the adapter's program {what}", _RECOVERY)
