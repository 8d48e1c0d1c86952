"""Captures run so many at a time, and the others in the order in which they came."""

from __future__ import annotations

import asyncio

import pytest

from rea_capture.mcp_server.refusals import BusyError
from rea_capture.mcp_server.turns import Turns


class Work:
    """Something that takes a turn and keeps it until it is let go."""

    def __init__(self, turns: Turns) -> None:
        self.places: list[int] = []
        self.runs = asyncio.Event()
        self.release = asyncio.Event()
        self.task = asyncio.ensure_future(self._work(turns))

    async def _work(self, turns: Turns) -> None:
        async with turns.turn(self.places.append):
            self.runs.set()
            await self.release.wait()

    async def end(self) -> None:
        """Let the turn go, and see that it has."""
        self.release.set()
        await asyncio.wait_for(self.task, 10)


async def settled() -> None:
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_the_longest_waiting_is_next_and_each_is_told_its_place() -> None:
    turns = Turns(2, 64)
    works = [Work(turns) for _ in range(50)]
    await settled()
    assert [work.runs.is_set() for work in works] == [True] * 2 + [False] * 48
    assert [work.places for work in works[2:]] == [[place] for place in range(48)]
    for number, work in enumerate(works):
        assert work.runs.is_set()
        await work.end()
        await settled()
        running = [each for each in works if each.runs.is_set() and not each.task.done()]
        assert running == works[number + 1 : number + 3]
    assert works[4].places == [2, 1, 0]


async def test_one_that_goes_while_it_waits_makes_room_for_those_behind_it() -> None:
    turns = Turns(1, 64)
    works = [Work(turns) for _ in range(4)]
    await settled()
    works[1].task.cancel()
    await settled()
    assert works[2].places == [1, 0]
    await works[0].end()
    await settled()
    assert works[2].runs.is_set()
    assert not works[3].runs.is_set()
    works[2].task.cancel()
    await settled()
    await works[3].end()


async def test_one_that_goes_in_the_moment_of_its_turn_passes_it_on() -> None:
    turns = Turns(1, 64)
    first, second, third = (Work(turns) for _ in range(3))
    await settled()
    first.release.set()
    await asyncio.wait({first.task})
    second.task.cancel()
    await settled()
    assert third.runs.is_set()
    await third.end()


async def test_more_than_may_wait_are_refused() -> None:
    turns = Turns(1, 1)
    works = [Work(turns) for _ in range(2)]
    await settled()
    with pytest.raises(BusyError, match="1 captures run and 1 wait"):
        async with turns.turn(lambda _: None):
            raise AssertionError
    for work in works:
        await work.end()
