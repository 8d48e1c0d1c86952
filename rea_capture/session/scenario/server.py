"""The server of a fixture: one that the run starts and owns, or one that somebody else runs.

Below: ``programs``, ``readiness``, ``failing``. Above: ``running``.
"""

from __future__ import annotations

import asyncio
from typing import Final

from rea_capture.contracts.runtime.budgets import SERVER_STOP_MS
from rea_capture.contracts.runtime.scenario_file import ExternalServer, HttpReadiness, ManagedServer
from rea_capture.session.scenario.failing import RunFailedError, failure
from rea_capture.session.scenario.programs import Ended, Place, Program, start_program
from rea_capture.session.scenario.readiness import NotReadyError, answers, until_ready

DEATH_SHOWS_WITHIN_S: Final = 0.25
"""A browser may notice that a server has gone before its end is told to us; a moment later we know."""

LOOK_S: Final = 0.02
"""For an end to be heard of that has been told already; where nothing has failed, no more is spent on it."""


class Server:
    """The server of one run. :meth:`stop` it whatever :meth:`start` did."""

    def __init__(self, declared: ManagedServer | ExternalServer, place: Place) -> None:
        self._declared = declared
        self._place = place
        self._program: Program | None = None

    async def start(self) -> None:
        """Start it, if it is ours, and wait until it is ready. Raises :class:`RunFailedError`."""
        declared = self._declared
        if isinstance(declared, ExternalServer):
            await self._ready(declared.readiness)
            return
        if await answers(declared.readiness.url):
            raise failure(
                "server_failed",
                "startup",
                "another program answers at the readiness URL already; it would be taken for the server",
            )
        program = await start_program(declared.start, self._place, stop_ms=SERVER_STOP_MS)
        if isinstance(program, Ended):
            raise failure("server_failed", "startup", f"the fixture's server {program}")
        self._program = program
        await self._ready_while_it_lives(declared.readiness, program)

    def died(self) -> RunFailedError | None:
        """The failure that its end is, if it has ended by itself."""
        ended = None if self._program is None else self._program.ended
        if self._program is None or ended is None:
            return None
        message = f"the fixture's server {ended} while it was needed"
        return failure("server_failed", "execute", message, output=self._program.last_lines())

    async def death(self, *, awaited: bool) -> RunFailedError | None:
        """As :meth:`died`; ``awaited`` where something has failed of which it may be the cause."""
        if self._program is not None and self._program.ended is None:
            waiting = asyncio.ensure_future(self._program.wait())
            await asyncio.wait({waiting}, timeout=DEATH_SHOWS_WITHIN_S if awaited else LOOK_S)
            waiting.cancel()
        return self.died()

    async def stop(self) -> str | None:
        """End it, if it is ours. A sentence where it had to be killed."""
        program, self._program = self._program, None
        if program is None or await program.stop(SERVER_STOP_MS):
            return None
        return f"The fixture's server did not end within {SERVER_STOP_MS} ms of SIGTERM and was killed."

    async def _ready_while_it_lives(self, readiness: HttpReadiness, program: Program) -> None:
        living = asyncio.ensure_future(program.wait())
        ready = asyncio.ensure_future(self._ready(readiness))
        try:
            await asyncio.wait({living, ready}, return_when=asyncio.FIRST_COMPLETED)
            if program.ended is not None:
                message = f"the fixture's server {program.ended} before it was ready"
                raise failure("server_failed", "startup", message, output=program.last_lines())
            await ready
        finally:
            living.cancel()
            ready.cancel()
            await asyncio.wait({ready, living})

    async def _ready(self, readiness: HttpReadiness) -> None:
        try:
            await until_ready(readiness)
        except NotReadyError as error:
            output = () if self._program is None else self._program.last_lines()
            message = f"the fixture's server was not ready within {readiness.timeout_ms} ms: {error}"
            raise failure("server_failed", "startup", message, output=output) from None
