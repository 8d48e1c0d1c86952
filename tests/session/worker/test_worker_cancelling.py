"""What is cancelled, fails or hangs is over when it is answered, and it is told what may have changed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rea_capture.session.worker import deadlines
from rea_capture.session.worker import session as session_module
from tests.session.worker.asking import PATIENCE_S, Asker, answered, to


async def cancelled(asker: Asker, frame_id: str) -> bool:
    return bool((await asker.ask("cancel", request={"id": frame_id}))["result"]["cancelled"])


def changed(answer: Any) -> tuple[str, str]:
    return answer["error"]["code"], answer["error"]["mutationState"]


async def test_a_navigation_that_is_cancelled_on_its_way_may_have_changed_things(asker: Asker) -> None:
    session = await asker.opened()
    held = asker.send("navigate", session, id="it", request=to("hang.test"))
    await asyncio.wait_for(asker.live().begun.wait(), PATIENCE_S)
    assert await cancelled(asker, "it")
    assert held.done()  # the word of the cancellation comes when it is over
    assert changed(await answered(held)) == ("cancelled", "unknown")
    assert asker.events == ["s0 begin http://hang.test", "s0 cancelled hang"]
    assert "result" in await asker.ask("navigate", session, request=to("fine.test"))


async def test_what_is_cancelled_before_its_turn_has_changed_nothing(asker: Asker) -> None:
    session = await asker.opened()
    first = asker.send("navigate", session, request=to("waits.test"))
    second = asker.send("navigate", session, id="second", request=to("b.test"))
    third = asker.send("navigate", session, id="third", request=to("c.test"))
    cancelling = asker.send("cancel", request={"id": "third"})  # in the same breath
    assert await cancelled(asker, "second")
    for each in (second, third):
        assert changed(await answered(each)) == ("cancelled", "not_attempted")
    assert (await answered(cancelling))["result"]["cancelled"] is True
    asker.live().release.set()
    assert "result" in await answered(first)
    assert asker.events == ["s0 begin http://waits.test", "s0 end http://waits.test"]


async def test_what_was_done_all_the_same_is_told_as_done(asker: Asker) -> None:
    session = await asker.opened()
    held = asker.send("navigate", session, id="it", request=to("anyway.test"))
    await asyncio.wait_for(asker.live().begun.wait(), PATIENCE_S)
    assert not await cancelled(asker, "it")
    assert (await answered(held))["result"]["tab"]["url"] == "http://anyway.test"


async def test_what_is_not_under_way_is_not_cancelled(asker: Asker) -> None:
    session = await asker.opened()
    assert "result" in await asker.ask("read", session, id="over")
    assert not await cancelled(asker, "over")
    assert not await cancelled(asker, "never")
    itself = await asker.ask("cancel", id="itself", request={"id": "itself"})
    assert itself["result"] == {"cancelled": False}


async def test_an_opening_that_is_cancelled_opens_nothing(asker: Asker) -> None:
    begun = asyncio.Event()

    async def never(_: object) -> None:
        begun.set()
        await asyncio.get_running_loop().create_future()

    asker.browsers.on_open = never
    held = asker.send("open", id="it")
    await begun.wait()
    assert await cancelled(asker, "it")
    assert changed(await answered(held)) == ("cancelled", "not_attempted")
    assert asker.browsers.sessions == []


async def test_a_close_that_has_begun_is_not_cancelled(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await asker.opened()
    live, leaving, entered = asker.live(), asyncio.Event(), asyncio.Event()

    async def slow_close() -> tuple[str, ...]:
        entered.set()
        await leaving.wait()
        return ("It took long.",)

    monkeypatch.setattr(live, "close", slow_close)
    closing = asker.send("close", session, id="it")
    await asyncio.wait_for(entered.wait(), PATIENCE_S)
    cancelling = asker.send("cancel", request={"id": "it"})
    assert not (await asyncio.wait({closing, cancelling}, timeout=0.02))[0]
    leaving.set()
    assert (await answered(closing))["result"] == {"problems": ["It took long."]}
    assert (await answered(cancelling))["result"] == {"cancelled": False}


async def test_what_does_not_end_in_its_time_is_ended(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(deadlines._MS, "navigate", 20)
    session = await asker.opened()
    answer = await asker.ask("navigate", session, request=to("hang.test"))
    assert changed(answer) == ("timeout", "unknown")
    assert answer["error"]["retry"] == "after_observe"
    assert asker.events[-1] == "s0 cancelled hang"
    assert "result" in await asker.ask("read", session)


async def test_a_session_that_does_not_come_to_rest_is_closed(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(deadlines._MS, "navigate", 20)
    monkeypatch.setattr(deadlines, "TEARDOWN_MS", 20)
    session = await asker.opened()
    other = await asker.opened()
    answer = await asker.ask("navigate", session, request=to("stubborn.test"))
    assert changed(answer) == ("timeout", "unknown")
    assert answer["error"]["message"] == session_module.STUCK
    assert answer["error"]["recovery"] == "Open another session."
    assert asker.live(0).is_closed
    assert (await asker.ask("read", session))["error"]["code"] == "session_closed"
    assert "result" in await asker.ask("read", other)
    asker.live(0).release.set()


async def test_a_session_that_cannot_be_closed_is_told_and_not_waited_for(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "CLOSE_MS", 20)
    session = await asker.opened()

    async def hangs() -> tuple[str, ...]:
        await asyncio.get_running_loop().create_future()
        return ()

    monkeypatch.setattr(asker.live(), "close", hangs)
    assert (await asker.ask("close", session))["result"]["problems"] == [
        "The session did not end within 20 ms."
    ]


async def test_a_failure_is_passed_on_as_it_is(asker: Asker) -> None:
    session = await asker.opened()
    answer = await asker.ask("navigate", session, request=to("fails.test"))
    assert changed(answer) == ("navigation_failed", "unknown")
    assert answer["error"]["recovery"] == "See that it can be reached."


async def test_a_defect_is_told_without_what_it_happened_on(asker: Asker) -> None:
    session = await asker.opened()
    answer = await asker.ask("navigate", session, request=to("defect.test"))
    assert changed(answer) == ("defect", "unknown")
    assert "ValueError" in answer["error"]["message"]
    assert "nobody should see" not in answer["error"]["message"]
    assert "result" in await asker.ask("read", session)
