"""Progress only rises, names the step, and costs nothing when nobody takes it."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.capture.progress import StepFinished, StepStarted, Waiting
from rea_capture.contracts.capture import Completeness
from rea_capture.mcp_server.limits import MAX_PENDING_PROGRESS
from rea_capture.mcp_server.progress import ProgressTeller
from tests import builders

Sent = list[tuple[float, float | None, str | None]]


def started(index: int, count: int) -> StepStarted:
    return StepStarted(step_index=index, action_count=count, step_id=f"s{index}", action="click")


def finished(index: int, count: int) -> StepFinished:
    return StepFinished(
        step_index=index,
        action_count=count,
        step_id=f"s{index}",
        action="click",
        status="completed",
        error=None,
        elapsed_ms=1,
        artifacts=builders.step().artifacts,
        completeness=Completeness.of(set(), set()),
    )


@given(st.lists(st.integers(0, 3), max_size=20), st.integers(0, 4))
def test_numbers_rise_and_end_with_the_total(waits: list[int], actions: int) -> None:
    sent: Sent = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        sent.append((progress, total, message))

    async def run() -> None:
        teller = ProgressTeller(actions + 1, report)
        async with teller.sending():
            for place in waits:
                teller.waits(place)
            for index in range(actions + 1):
                teller.tell(started(index, actions))
                teller.tell(Waiting("somebody else has the page"))
                teller.tell(finished(index, actions))

    asyncio.run(run())
    numbers = [progress for progress, _, _ in sent]
    assert all(later > earlier for earlier, later in pairwise(numbers))
    assert numbers[-1] == actions + 1
    assert {total for _, total, _ in sent} == {actions + 1}
    assert sum(f"s{actions} " in (message or "") for _, _, message in sent) == 2


async def test_a_client_that_takes_nothing_holds_nothing_up_and_the_oldest_is_left_out() -> None:
    sent: Sent = []
    taking = asyncio.Event()

    async def report(progress: float, total: float | None, message: str | None) -> None:
        await taking.wait()
        sent.append((progress, total, message))

    teller = ProgressTeller(1, report)
    async with teller.sending():
        for _ in range(10 * MAX_PENDING_PROGRESS):
            teller.waits(1)
        teller.tell(finished(0, 0))
        await asyncio.sleep(0)
        taking.set()
    assert len(sent) <= MAX_PENDING_PROGRESS + 1
    assert sent[-1] == (1, 1, "step 0 of 0: s0 completed")


async def test_a_silent_wait_gives_a_sign_of_life() -> None:
    sent: Sent = []
    three = asyncio.Event()

    async def report(progress: float, total: float | None, message: str | None) -> None:
        sent.append((progress, total, message))
        if len(sent) == 3:
            three.set()

    teller = ProgressTeller(2, report, heartbeat_s=0.001)
    async with teller.sending():
        teller.waits(4)
        await asyncio.wait_for(three.wait(), 30)
    assert {message for _, _, message in sent} == {"waiting for a turn: 4 before this one"}
    assert len({progress for progress, _, _ in sent}) == len(sent)
