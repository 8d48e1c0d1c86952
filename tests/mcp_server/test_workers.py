"""So many documents are worked on at one time, whatever becomes of the calls."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from rea_capture.errors import OutputError
from rea_capture.mcp_server import tools
from rea_capture.mcp_server.browsing.sessions import BrowserSessions
from rea_capture.mcp_server.captures import Captures
from rea_capture.mcp_server.limits import MAX_WORKERS
from rea_capture.mcp_server.store import EvidenceStore
from rea_capture.mcp_server.tools import Workshop
from rea_capture.mcp_server.turns import Turns
from tests.mcp_server.working import PATIENCE_S, Work, begun


def workshop() -> Workshop:
    return Workshop(Captures(Turns(1, 1), None, {}), EvidenceStore(), 0, BrowserSessions(None))


async def test_a_call_that_is_cancelled_gives_its_place_away_when_its_thread_has_ended() -> None:
    shop, abandoned, following = workshop(), Work(), Work()
    following.release.set()
    calls = [asyncio.ensure_future(shop.in_thread(abandoned)) for _ in range(3 * MAX_WORKERS)]
    try:
        await begun(abandoned, MAX_WORKERS)
        for call in calls:
            call.cancel()
        ended: list[Any] = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), PATIENCE_S)
        next_call = asyncio.ensure_future(shop.in_thread(following))
        for _ in range(50):
            await asyncio.sleep(0)
        assert (abandoned.now, following.most) == (MAX_WORKERS, 0)
    finally:
        abandoned.release.set()
    await asyncio.wait_for(next_call, PATIENCE_S)
    shop.close()
    shop.workers.shutdown()
    assert all(isinstance(each, asyncio.CancelledError) for each in ended)
    assert (abandoned.most, abandoned.done) == (MAX_WORKERS, MAX_WORKERS)


async def test_at_the_end_nothing_that_waits_is_begun_and_what_goes_on_keeps_nothing() -> None:
    shop, work = workshop(), Work()

    def keeping() -> None:
        work()
        shop.store.keep("ev_" + "0" * 64, "capture", b"{}")

    calls = [asyncio.ensure_future(shop.in_thread(keeping)) for _ in range(2 * MAX_WORKERS)]
    try:
        await begun(work, MAX_WORKERS)
        shop.close()
    finally:
        work.release.set()
    ended = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), PATIENCE_S)
    assert work.done == MAX_WORKERS
    assert [type(each) for each in ended[:MAX_WORKERS]] == [OutputError] * MAX_WORKERS
    assert [type(each) for each in ended[MAX_WORKERS:]] == [asyncio.CancelledError] * MAX_WORKERS
    with pytest.raises(RuntimeError):
        await shop.in_thread(work)


async def test_nothing_is_kept_of_a_capture_that_is_cancelled_while_its_evidence_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop, work = workshop(), Work()
    evidence_id = "ev_" + "0" * 64

    async def run(*_: Any) -> Any:
        return SimpleNamespace(evidence_id=evidence_id)

    def keeping(*_: Any) -> Any:
        work()
        return shop.store.keep(evidence_id, "capture", b"{}")

    monkeypatch.setattr(Captures, "run", run)
    monkeypatch.setattr(tools, "captured", keeping)
    call = asyncio.ensure_future(tools.TOOLS["capture_browser_scenario"](shop, {}, tell_nobody))
    try:
        await begun(work, 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(call, PATIENCE_S)
    finally:
        work.release.set()
    await asyncio.to_thread(shop.workers.shutdown)  # the document has been written by now
    await asyncio.sleep(0)
    assert (work.done, shop.store.listed()) == (1, ())
    shop.close()


async def tell_nobody(*_: Any) -> None:
    pass
