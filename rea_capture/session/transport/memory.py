"""A worker in this very process, reached by the same lines.

Below: ``worker``. Above: programs and tests that want no other process.
"""

from __future__ import annotations

import asyncio

from rea_capture.session.transport.framed import CLOSED, FramedTransport
from rea_capture.session.worker.worker import Worker


class InMemoryTransport(FramedTransport):
    """The way to ``worker``, which is closed with it."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self._worker = worker

    async def close(self) -> None:
        """As the protocol says. The worker answers what is under way first."""
        await self._worker.close()
        self._lost(CLOSED)

    async def _ready(self) -> None:
        """It always is."""

    def _send(self, line: bytes) -> None:
        answer = self._worker.take(line.rstrip(b"\n"))
        if answer is not None:
            answer.add_done_callback(self._answered)

    async def _give_up(self) -> None:
        self._lost("it does not keep its word")

    def _answered(self, answer: asyncio.Future[bytes]) -> None:
        self._received(answer.result())
