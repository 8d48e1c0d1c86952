"""A budget that is used up while the browser opens leaves nothing behind."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.scenario import allowance as allowance_module
from rea_capture.session.scenario import runtime_browsing
from rea_capture.session.scenario.allowance import Allowance, SpentError
from rea_capture.session.scenario.runtime_browsing import RuntimeBrowsing
from rea_capture.session.transport.protocol import BrowserTransport


class Stubborn:
    """A worker whose opening goes on until the worker is closed, cancelled or not."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()
        self.is_over = False

    async def open(self, _: object) -> None:
        while not self.closed.is_set():
            try:
                await self.closed.wait()
            except asyncio.CancelledError:
                continue
        self.is_over = True
        raise asyncio.CancelledError

    async def close(self) -> None:
        self.closed.set()


async def test_a_worker_that_still_opens_is_ended_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance_module._given_up, "__defaults__", (0.02,))
    monkeypatch.setattr(Allowance.within, "__kwdefaults__", {"giving_up_s": 0.02})
    worker = Stubborn()
    monkeypatch.setattr(runtime_browsing, "ProcessTransport", lambda: worker)
    browsing = RuntimeBrowsing(SessionSettings())
    with pytest.raises(SpentError):
        await Allowance(20).within(browsing.open())
    assert not worker.is_over
    assert await asyncio.wait_for(browsing.close_browser(), 20) == ()
    assert worker.is_over


async def test_the_opening_in_the_worker_of_somebody_else_is_waited_for() -> None:
    begun, over = asyncio.Event(), asyncio.Event()

    class Slow:
        async def open(self, _: object) -> None:
            begun.set()
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                over.set()

    browsing = RuntimeBrowsing(SessionSettings(), transport=cast("BrowserTransport", Slow()))
    opening = asyncio.ensure_future(browsing.open())
    await asyncio.wait_for(begun.wait(), 20)
    assert await asyncio.wait_for(browsing.close_browser(), 20) == ()
    assert over.is_set()
    await asyncio.gather(opening, return_exceptions=True)
