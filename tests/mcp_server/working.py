"""Work in threads that a test holds up, counted.

Below: the standard library. Above: the tests of this folder.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Final

PATIENCE_S: Final = 30


class Work:
    """Something that is begun and goes on until it is let go; counts how much of it goes on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.begun = threading.Semaphore(0)
        self.release = threading.Event()
        self.now = self.most = self.done = 0

    def __call__(self) -> None:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.begun.release()
        assert self.release.wait(PATIENCE_S)
        with self._lock:
            self.now -= 1
            self.done += 1


async def begun(work: Work, count: int) -> None:
    """Wait until ``count`` more of ``work`` has begun."""
    for _ in range(count):
        assert await asyncio.to_thread(work.begun.acquire, timeout=PATIENCE_S)
