"""A hook: a program that is run to its end, within a bound of its own.

Below: ``programs``, ``failing``. Above: ``running``.
"""

from __future__ import annotations

import asyncio
from typing import Final

from rea_capture.contracts.runtime.errors import Phase
from rea_capture.contracts.runtime.scenario_file import Hook
from rea_capture.session.scenario.failing import failure
from rea_capture.session.scenario.programs import Ended, Place, start_program

HOOK_STOP_MS: Final = 1_000
"""Between asking a hook that takes too long to end and ending it."""


async def run_hook(name: str, hook: Hook, place: Place, *, timeout_ms: int, phase: Phase = "startup") -> None:
    """Run ``hook``, for ``timeout_ms`` at most. Raises :class:`RunFailedError` unless it ends well.

    Whatever it has left running in its group is ended too.
    """
    program = await start_program(hook, place, stop_ms=HOOK_STOP_MS)
    if isinstance(program, Ended):
        raise failure("hook_failed", phase, f"the {name} hook {program}")
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            ended = await program.wait()
    except TimeoutError:
        await program.stop(HOOK_STOP_MS)
        message = f"the {name} hook did not end within {timeout_ms} ms and was ended"
        raise failure(
            "timeout", phase, message, mutation_state="unknown", output=program.last_lines()
        ) from None
    finally:
        await program.stop(HOOK_STOP_MS)
    if not ended.well:
        raise failure("hook_failed", phase, f"the {name} hook {ended}", output=program.last_lines())
