"""What a run asks of a browser session. ``BrowserRuntime`` has it; tests have one that is scripted.

Below: ``contracts.runtime``. Above: ``running``, ``operations``.
"""

from __future__ import annotations

from typing import Protocol

from rea_capture.contracts.runtime.frames import OpenResult
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import OperationResult


class Browsing(Protocol):
    """One session. Raises :class:`BrowserOperationError`; a call that is cancelled ends in order."""

    async def open(self) -> OpenResult:
        """Start the browser."""
        ...

    async def dispatch(
        self, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        """Do ``operation``; of ``captureEvidence``, the result is what the store has."""
        ...

    async def close_browser(self) -> tuple[str, ...]:
        """End the session and what runs for it, opened or not. Sentences for what went wrong."""
        ...

    async def close_store(self) -> None:
        """Give up what was begun to be kept and not finished; what is kept stays."""
        ...
