"""Whose turn it is: so many captures at one time, the others in the order in which they came.

Below: asyncio. Above: ``captures``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rea_capture.mcp_server.refusals import BusyError

TellPlace = Callable[[int], None]
"""Gets how many are before one's turn, each time that changes."""


@dataclass(eq=False)
class _Waiter:
    turn: asyncio.Future[None]
    tell: TellPlace


class Turns:
    """A queue for one event loop."""

    def __init__(self, at_once: int, max_waiting: int) -> None:
        self._at_once = at_once
        self._max_waiting = max_waiting
        self._running = 0
        self._waiting: list[_Waiter] = []

    @asynccontextmanager
    async def turn(self, tell: TellPlace) -> AsyncIterator[None]:
        """Wait for one's turn, and have it inside the block. Raises :class:`BusyError` when too many wait."""
        if self._running < self._at_once and not self._waiting:
            self._running += 1
        else:
            await self._wait(tell)
        try:
            yield
        finally:
            self._running -= 1
            self._pass_on()

    async def _wait(self, tell: TellPlace) -> None:
        if len(self._waiting) >= self._max_waiting:
            raise BusyError(
                f"{self._running} captures run and {len(self._waiting)} wait, which is as many as may"
            )
        waiter = _Waiter(asyncio.get_running_loop().create_future(), tell)
        self._waiting.append(waiter)
        tell(len(self._waiting) - 1)
        try:
            await waiter.turn
        except asyncio.CancelledError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
                self._tell_places()
            else:  # it had got its turn in the same moment
                self._running -= 1
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        moved = False
        while self._waiting and self._running < self._at_once:
            self._waiting.pop(0).turn.set_result(None)
            self._running += 1
            moved = True
        if moved:
            self._tell_places()

    def _tell_places(self) -> None:
        for place, waiter in enumerate(self._waiting):
            waiter.tell(place)
