"""Progress of a call: numbers that only rise, sentences that name the step, and a sign of life in between.

The whole part of a number is the steps that are over; every other notice moves on by a fraction of one. A
client that takes none slows nothing: what it has not taken is bounded, and the oldest of it is left out.

Below: ``capture.progress``. Above: ``captures``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from rea_capture.capture.progress import Progress, StepFinished
from rea_capture.mcp_server.limits import HEARTBEAT_S, MAX_PENDING_PROGRESS

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Sends one notification: progress, total, message."""


class ProgressTeller:
    """The progress of one call whose scenario has ``total`` steps, the start page included."""

    def __init__(self, total: int, report: Report, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._total = total
        self._report = report
        self._heartbeat_s = heartbeat_s
        self._pending: deque[tuple[float, str]] = deque(maxlen=MAX_PENDING_PROGRESS)
        self._news = asyncio.Event()
        self._over = 0
        self._notices = 0
        self._last = "starting"

    def waits(self, before: int) -> None:
        """The call waits for its turn behind ``before`` others that wait, and those that run."""
        self._tell(f"waiting for a turn: {before} before this one" if before else "waiting for a turn: next")

    def tell(self, news: Progress) -> None:
        """What the capture tells."""
        if isinstance(news, StepFinished):
            self._over = news.step_index + 1
            self._notices = -1
        self._tell(str(news))

    @asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Send what is told inside the block; at its end, what has not been sent yet."""
        task = asyncio.ensure_future(self._send())
        try:
            yield
            await self._send_pending()
        finally:
            task.cancel()

    def _tell(self, sentence: str) -> None:
        self._notices += 1
        self._last = sentence
        # Below the next whole number however many there are.
        self._pending.append((self._over + self._notices / (self._notices + 1), sentence))
        self._news.set()

    async def _send(self) -> None:
        while True:
            try:
                await asyncio.wait_for(self._news.wait(), self._heartbeat_s)
            except TimeoutError:
                self._tell(self._last)
            self._news.clear()
            await self._send_pending()

    async def _send_pending(self) -> None:
        while self._pending:
            progress, sentence = self._pending.popleft()
            await self._report(progress, float(self._total), sentence)
