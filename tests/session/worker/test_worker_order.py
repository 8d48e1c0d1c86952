"""Operations of a session wait for each other, sessions do not, and a session that is over stays so."""

from __future__ import annotations

import asyncio

import pytest

from rea_capture.contracts.runtime.budgets import MAX_REQUESTS_UNDER_WAY, MAX_SESSIONS
from rea_capture.session.worker import worker as module
from tests.session.worker.asking import PATIENCE_S, Asker, answered, to


async def test_operations_of_a_session_run_one_after_the_other_in_the_order_of_their_lines(
    asker: Asker,
) -> None:
    session = await asker.opened()
    sent = [asker.send("navigate", session, request=to("waits.test"))]
    sent += [asker.send("read", session), asker.send("navigate", session, request=to("b.test"))]
    sent += [asker.send("observe", session)]
    asker.live().release.set()
    assert ["result" in await answered(each) for each in sent] == [True] * 4
    assert asker.events == [
        "s0 begin http://waits.test", "s0 end http://waits.test", "s0 read",
        "s0 begin http://b.test", "s0 end http://b.test", "s0 observe",
    ]  # fmt: skip


async def test_sessions_do_not_wait_for_each_other(asker: Asker) -> None:
    first, second = await asker.opened(), await asker.opened()
    assert first != second
    held = asker.send("navigate", first, request=to("waits.test"))
    assert (await asker.ask("read", second))["result"]["text"] == "It shows nothing"
    assert not held.done()
    asker.live(0).release.set()
    assert "result" in await answered(held)


async def test_a_close_waits_for_what_was_asked_before_it_and_nothing_comes_after_it(asker: Asker) -> None:
    session = await asker.opened()
    before = asker.send("navigate", session, request=to("waits.test"))
    closing, after = asker.send("close", session), asker.send("observe", session)
    asker.live().release.set()
    assert "result" in await answered(before)
    assert (await answered(closing))["result"] == {"problems": []}
    assert (await answered(after))["error"]["code"] == "session_closed"
    assert asker.events[-1] == "s0 close"
    again = await asker.ask("close", session)
    assert again["result"] == {"problems": []}
    assert (await asker.ask("read", session))["error"]["code"] == "session_closed"
    assert asker.events.count("s0 close") == 1


async def test_closing_one_session_leaves_the_others(asker: Asker) -> None:
    first, second = await asker.opened(), await asker.opened()
    assert "result" in await asker.ask("close", first)
    assert "result" in await asker.ask("observe", second)
    assert not asker.live(1).is_closed


async def test_a_session_that_never_was_is_unknown(asker: Asker) -> None:
    for op in ("observe", "close"):
        assert (await asker.ask(op, "nobody"))["error"]["code"] == "unknown_session"


async def test_the_answer_to_open_says_what_was_opened(asker: Asker) -> None:
    result = (await asker.ask("open"))["result"]
    assert len(result.pop("sessionId")) >= 20
    assert result == {
        "protocolVersion": 1,
        "product": "scripted",
        "version": "1",
        "tab": {
            "tabId": "t1",
            "documentId": "d1",
            "title": "nothing",
            "url": "about:blank",
            "selected": True,
        },
        "limitations": ["There is no browser."],
    }


async def test_there_are_no_more_sessions_than_may_be_until_one_is_closed(asker: Asker) -> None:
    sessions = [await asker.opened() for _ in range(MAX_SESSIONS - 1)]
    both = [asker.send("open"), asker.send("open")]  # one of them is the last, also while both are opened
    said = [await answered(each) for each in both]
    assert [each["error"]["code"] for each in said if "error" in each] == ["too_many"]
    assert len(asker.browsers.sessions) == MAX_SESSIONS
    await asker.ask("close", sessions[0])
    assert await asker.opened()


async def test_one_request_too_many_is_refused_and_cancelling_is_still_possible(asker: Asker) -> None:
    session = await asker.opened()
    sent = [asker.send("navigate", session, id="0", request=to("hang.test"))]
    sent += [asker.send("read", session) for _ in range(MAX_REQUESTS_UNDER_WAY - 1)]
    assert (await asker.ask("read", session))["error"]["code"] == "too_many"
    assert (await asker.ask("cancel", request={"id": "0"}))["result"] == {"cancelled": True}
    said = [await answered(each) for each in sent]
    assert said[0]["error"]["code"] == "cancelled"
    assert ["result" in each for each in said[1:]] == [True] * (MAX_REQUESTS_UNDER_WAY - 1)


async def test_sessions_closed_long_ago_are_forgotten(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_REMEMBERED_SESSIONS", 1)
    first, second = await asker.opened(), await asker.opened()
    for session in (first, second):
        await asker.ask("close", session)
    assert (await asker.ask("read", first))["error"]["code"] == "unknown_session"
    assert (await asker.ask("read", second))["error"]["code"] == "session_closed"


async def test_closing_the_worker_cancels_ends_and_refuses(asker: Asker) -> None:
    first, second = await asker.opened(), await asker.opened()
    held, waiting = (asker.send(op, first, request=to("hang.test")) for op in ("navigate", "navigate"))
    await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(asker.worker.close(), asker.worker.close()), PATIENCE_S)
    for each in (held, waiting):
        assert (await answered(each))["error"]["code"] == "cancelled"
    assert [live.is_closed for live in asker.browsers.sessions] == [True, True]
    assert sorted(event for event in asker.events if "close" in event) == ["s0 close", "s1 close"]
    assert (await asker.ask("read", second))["error"]["code"] == "worker_gone"
    await asyncio.wait_for(asker.worker.close(), PATIENCE_S)
