"""Running a capture for a call: in its turn, with its progress, and gone when the call is.

A call is cancelled by scopes of ``anyio``, which cancel again at each turn of the loop. A capture therefore
runs in a task of its own, is cancelled once, and is waited for: browser, profile and driver are gone before
the call is over.

Below: ``workflows.capture``, ``turns``, ``progress``. Above: ``tools``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import anyio

from rea_capture.capture.finishing import finished
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.reading import read_scenario
from rea_capture.contracts.scenario import Scenario
from rea_capture.mcp_server.progress import ProgressTeller, Report
from rea_capture.mcp_server.turns import Turns
from rea_capture.workflows.capture import capture
from rea_capture.workflows.secrets import resolve_secrets
from rea_capture.workflows.ways import way_to_browser

T = TypeVar("T")

MAX_ORDERED_BYTES: Final = 256 * 1024
"""Scenarios up to this size get their turns in the order of their calls; each is checked in milliseconds."""


@dataclass(frozen=True, slots=True)
class Captures:
    """How captures are run: the browser for scenarios that name none, and where secrets come from."""

    turns: Turns
    executable_path: str | None
    environ: Mapping[str, str]
    checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One of the usual scenarios is checked at a time, so that turns come in the order of the calls."""

    async def run(self, data: bytes, report: Report) -> CaptureEvidence:
        """The Evidence of the scenario in ``data``, when its turn has come and it has run.

        What can be refused is refused before it waits. Raises as :func:`capture` and ``read_scenario`` do,
        and :class:`BusyError`.
        """
        # One that takes long to check has others before it, and its turn when it has been checked.
        async with self.checking if len(data) <= MAX_ORDERED_BYTES else nullcontext():
            scenario = await anyio.to_thread.run_sync(self._checked, data, abandon_on_cancel=True)
        teller = ProgressTeller(len(scenario.actions) + 1, report)
        async with teller.sending(), self.turns.turn(teller.waits):
            running = capture(
                scenario,
                executable_path=self.executable_path,
                environ=self.environ,
                progress=teller.tell,
            )
            return await in_own_task(running)

    def _checked(self, data: bytes) -> Scenario:
        scenario = read_scenario(data)
        way_to_browser(scenario, self.executable_path, self.environ)
        resolve_secrets(scenario, self.environ)
        return scenario


async def in_own_task(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``, which is cancelled once when the caller is, and then waited for."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        with anyio.CancelScope(shield=True):
            await finished(asyncio.wait({task}))
        if not task.cancelled():
            task.exception()  # looked at, so that the loop does not report it as forgotten
        raise
    return task.result()
