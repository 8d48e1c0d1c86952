"""What a way to reach a worker can do.

Below: ``contracts.runtime``. Above: ``runtime``, and each transport.
"""

from __future__ import annotations

from typing import Protocol

from rea_capture.contracts.runtime.frames import OpenRequest, OpenResult
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import OperationResult


class BrowserTransport(Protocol):
    """Raises :class:`BrowserOperationError` for whatever fails, in the worker or on the way to it.

    A call that is cancelled is cancelled in the worker too, and ends when that is done.
    """

    async def open(self, request: OpenRequest) -> OpenResult: ...

    async def dispatch(
        self, session_id: str, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        """The result that belongs to ``operation`` (of ``captureEvidence``, the payload with the bytes)."""
        ...

    async def close(self) -> None:
        """End the worker and every session of it. Once done, calling it again does nothing."""
        ...
