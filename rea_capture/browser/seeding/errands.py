"""Work started by an event: kept, bounded by its commands, and never allowed to raise into a listener.

A fault becomes one sentence.

Below: ``browser.channel`` for the faults. Above: ``target``, ``hold``, ``seeder``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final

from rea_capture.browser.channel import ChannelError, TargetGoneError

REPORTED_PROBLEMS_COUNT: Final = 100
"""A page that fails in every frame must not grow the capture."""


class Reporter:
    """Passes each problem on once, and no more than a bounded number of them."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._seen: set[str] = set()

    def __call__(self, problem: str) -> None:
        if problem in self._seen or len(self._seen) >= REPORTED_PROBLEMS_COUNT:
            return
        self._seen.add(problem)
        self._report(problem)


class Errands:
    """Runs coroutines beside the listeners that start them."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[object, object, object], failure: str) -> asyncio.Task[None]:
        """Start the work. A fault is reported as ``failure`` with its cause; a gone target is not one."""
        task = asyncio.get_running_loop().create_task(self._guarded(work, failure))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancel what still runs and wait until it has ended."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _guarded(self, work: Coroutine[object, object, object], failure: str) -> None:
        try:
            await work
        except TargetGoneError:
            return
        except ChannelError as fault:
            self._report(f"{failure}: {fault}.")
        except (KeyError, TypeError, ValueError) as surprise:  # a message of another shape than expected
            self._report(f"{failure}: unexpected answer ({type(surprise).__name__}).")
