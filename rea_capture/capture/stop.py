"""Stopping a run early, from outside, without losing what it has seen.

Below: asyncio, ``finishing``. Above: the runner, the workflow, and the command line's signal handlers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from rea_capture.capture.finishing import finished

T = TypeVar("T")


class StoppedError(Exception):
    """The run was asked to stop while it was waiting for something."""


class Stop:
    """A request to stop that, once made, stays made. Use it within one event loop."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._reason = ""

    def request(self, reason: str) -> None:
        """Ask the run to end; the first ``reason`` (such as ``SIGTERM``) is the one that is kept."""
        if not self._event.is_set():
            self._reason = reason
            self._event.set()

    @property
    def requested(self) -> bool:
        """Whether somebody asked."""
        return self._event.is_set()

    @property
    def reason(self) -> str:
        """Why, or the empty string."""
        return self._reason

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of ``work``, or :class:`StoppedError` as soon as stopping is requested.

        ``work`` is cancelled and awaited when stopping wins, and when the caller itself is cancelled.
        """
        if self.requested:
            work.close()
            raise StoppedError(self._reason)
        task = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._event.wait())
        try:
            await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise StoppedError(self._reason)
        finally:
            stopping.cancel()
            if not task.done():
                task.cancel()
                await finished(asyncio.gather(task, return_exceptions=True))
