"""A session of :class:`BrowserRuntime` for a run: opened when its turn has come, and closed in two parts.

Below: ``session.runtime``, ``session.transport``. Above: ``file_run``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.frames import OpenResult
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import OperationResult
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.runtime import BrowserRuntime
from rea_capture.session.transport.process import ProcessTransport
from rea_capture.session.transport.protocol import BrowserTransport


class RuntimeBrowsing:
    """A session that is to be opened with ``settings``; see ``browsing``."""

    def __init__(
        self,
        settings: SessionSettings,
        *,
        artifact_folder: Path | None = None,
        transport: BrowserTransport | None = None,
    ) -> None:
        self._settings = settings
        self._artifact_folder = artifact_folder
        self._transport = transport
        self._opening: asyncio.Task[BrowserRuntime] | None = None
        self._worker: ProcessTransport | None = None
        self._runtime: BrowserRuntime | None = None

    async def open(self) -> OpenResult:
        """Start a worker, unless there is one, and a browser."""
        if self._transport is None:
            self._worker = ProcessTransport()
        self._opening = asyncio.ensure_future(
            BrowserRuntime.open(
                self._settings,
                artifact_folder=self._artifact_folder,
                transport=self._worker or self._transport,
            )
        )
        self._runtime = await self._opening
        return self._runtime.opened

    async def dispatch(
        self, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        """Do ``operation``."""
        assert self._runtime is not None
        return await self._runtime.dispatch(operation, context)

    async def close_browser(self) -> tuple[str, ...]:
        """End the session, and the worker where it is the session's own, also when both are only beginning.

        A worker of its own that still opens the session is ended, which ends the opening; that of somebody
        else is waited for.
        """
        problems: tuple[str, ...] = ()
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await self._end_worker()
            await asyncio.wait({self._opening})
        runtime = _made(self._opening)
        if runtime is not None:
            self._runtime = runtime
            problems = (await runtime.close_browser()).problems
        await self._end_worker()
        return problems

    async def _end_worker(self) -> None:
        if self._worker is not None:
            with suppress(BrowserOperationError):  # it says how the worker ended, which was to end
                await self._worker.close()

    async def close_store(self) -> None:
        """Give up what was not committed."""
        if self._runtime is not None:
            await self._runtime.close_store()


def _made(opening: asyncio.Task[BrowserRuntime] | None) -> BrowserRuntime | None:
    """What ``opening``, if there was one and it came to something, has opened."""
    if opening is None or opening.cancelled() or opening.exception() is not None:
        return None
    return opening.result()
