"""An adapter that is a program: one JSON object to its standard input, one from its standard output.

    {"instruction": "…", "action": "click", "elements": [{"ref": "…", "role": "button", "name": "…", …}]}
    → {"ref": "…"}

It is started without a shell, in a process group of its own, once for each question. Its standard error is
the worker's. When its time is up, or nobody wants the answer any more, the whole group is killed.

Below: ``failing``. Above: ``adapters``.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final

from rea_capture.contracts.json_text import duplicate_key_faults, plain_json
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.results import ObserveResult
from rea_capture.contracts.runtime.settings import CommandAdapter
from rea_capture.errors import InputError
from rea_capture.session.adapters.failing import adapter_failed

MAX_ANSWER_BYTES: Final = 64 * 1024
"""A ref has at most 128 characters; the rest is patience with blanks and other keys' absence."""

_READ_BYTES: Final = 16 * 1024
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
        process = await self._started()
        try:
            async with asyncio.timeout(self._timeout_ms / 1000):
                _, said, status = await asyncio.gather(
                    _tell(process, question), _heard(process), process.wait()
                )
        except BaseException as error:
            await _ended(process)
            if isinstance(error, TimeoutError):
                raise _failed(f"did not answer within {self._timeout_ms:,} ms") from None
            raise
        if status:
            how = f"with status {status}" if status > 0 else f"by signal {-status}"
            raise _failed(f"ended {how}; what it said of that is on the worker's standard error")
        return said

    async def _started(self) -> asyncio.subprocess.Process:
        environ = {name: value for name, value in os.environ.items() if name not in self._withheld}
        try:
            return await asyncio.create_subprocess_exec(
                *self._argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environ,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or "no program can have that name").lower()
            raise _failed(f"cannot be started: {reason}") from None


async def _tell(process: asyncio.subprocess.Process, question: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):  # it has its own reasons; its answer decides
        process.stdin.write(question)
        await process.stdin.drain()
    process.stdin.close()


async def _heard(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    said = b""
    while piece := await process.stdout.read(_READ_BYTES):
        said += piece
        if len(said) > MAX_ANSWER_BYTES:
            raise _failed(f"answered more than {MAX_ANSWER_BYTES:,} bytes")
    return said


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Kill the whole group of ``process``, what it has left behind included, and wait for it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # What has left the group may hold the pipes, and nobody reads them any more.
    process._transport.close()  # type: ignore[attr-defined]  # there is no public way
    await asyncio.shield(process.wait())


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
