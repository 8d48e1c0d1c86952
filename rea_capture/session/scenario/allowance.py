"""What is left of a run: its budget, which starts first, and whether somebody asked it to stop.

Below: asyncio. Above: ``running``, ``operations``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

GIVING_UP_S: Final = 5.0
"""For work that was cancelled to end in order, with the processes it has started. What takes longer is left
to the closing of the session, which ends it."""


class StoppedError(Exception):
    """Somebody asked the run to stop. The message is why: ``SIGTERM``."""


class SpentError(Exception):
    """The time for it was used up."""


class Allowance:
    """The time of a run from now on. To be used in one event loop."""

    def __init__(self, budget_ms: int) -> None:
        self.budget_ms = budget_ms
        self._end_s = time.monotonic() + budget_ms / 1000
        self._stop = asyncio.Event()
        self._reason = ""

    def stop(self, reason: str) -> None:
        """Ask the run to end; the first ``reason`` is kept."""
        if not self._stop.is_set():
            self._reason = reason
            self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether somebody asked."""
        return self._stop.is_set()

    @property
    def reason(self) -> str:
        """Why, or the empty string."""
        return self._reason

    @property
    def left_ms(self) -> int:
        """Of the budget; 0 when it is used up."""
        return max(0, round((self._end_s - time.monotonic()) * 1000))

    def check(self) -> None:
        """Raises :class:`SpentError` or :class:`StoppedError` where nothing more may begin."""
        if self.stopped or not self.left_ms:
            raise self._why()

    async def within(
        self,
        work: Coroutine[Any, Any, T],
        timeout_ms: int | None = None,
        *,
        giving_up_s: float = GIVING_UP_S,
    ) -> T:
        """The result of ``work``, done within ``timeout_ms``, else within what is left of the budget.

        Raises :class:`SpentError` or :class:`StoppedError` after ``work`` was cancelled, and was given
        ``giving_up_s`` to end.
        """
        timeout_s = (self.left_ms if timeout_ms is None else timeout_ms) / 1000
        if self.stopped or timeout_s <= 0:
            work.close()
            raise self._why()
        task = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait({task, stopping}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise self._why()
        finally:
            stopping.cancel()
            await _given_up(task, giving_up_s)

    def _why(self) -> Exception:
        return StoppedError(self._reason) if self.stopped else SpentError()


async def bounded(work: Coroutine[Any, Any, T], timeout_s: float) -> T:
    """The result of ``work``. Raises :class:`SpentError` when it takes longer, even where it will not end."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=timeout_s)
        if task.done():
            return task.result()
        raise SpentError
    finally:
        await _given_up(task)


async def _given_up(task: asyncio.Task[Any], timeout_s: float = GIVING_UP_S) -> None:
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task}, timeout=timeout_s)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # looked at, never reported
