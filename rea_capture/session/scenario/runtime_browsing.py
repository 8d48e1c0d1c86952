"""A session of :class:`BrowserRuntime` for a run: opened when its turn has come, and closed in two parts.

Below: ``session.runtime``. Above: ``file_run``.
"""

from __future__ import annotations

from pathlib import Path

from rea_capture.contracts.runtime.frames import OpenResult
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import OperationResult
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.runtime import BrowserRuntime
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
        self._runtime: BrowserRuntime | None = None

    async def open(self) -> OpenResult:
        """Start a worker, unless there is one, and a browser."""
        self._runtime = await BrowserRuntime.open(
            self._settings, artifact_folder=self._artifact_folder, transport=self._transport
        )
        return self._runtime.opened

    async def dispatch(
        self, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        """Do ``operation``."""
        assert self._runtime is not None
        return await self._runtime.dispatch(operation, context)

    async def close_browser(self) -> tuple[str, ...]:
        """End the session, and the worker where it is the session's own."""
        return () if self._runtime is None else (await self._runtime.close_browser()).problems

    async def close_store(self) -> None:
        """Give up what was not committed."""
        if self._runtime is not None:
            await self._runtime.close_store()
