"""A context narrows one call: never more than the session allows, never longer than the call."""

from __future__ import annotations

from tests.session.worker.asking import Asker, to

A, B, C = "http://a.test", "http://b.test", "http://c.test"


async def test_a_context_holds_for_its_call_and_no_longer(asker: Asker) -> None:
    session = await asker.opened(allowedOrigins=[A, B])
    await asker.ask("observe", session, context={"allowedOrigins": [B, C]})
    await asker.ask("observe", session)
    await asker.ask("observe", session, context={"allowedOrigins": "*"})
    assert asker.live().policies == [(B,), (A, B), (A, B)]


async def test_a_context_that_leaves_nothing_is_refused_before_anything_is_asked(asker: Asker) -> None:
    session = await asker.opened(allowedOrigins=[A])
    answer = await asker.ask("navigate", session, request=to("c.test"), context={"allowedOrigins": [C]})
    error = answer["error"]
    assert (error["code"], error["phase"], error["mutationState"]) == (
        "origin_refused",
        "policy",
        "not_attempted",
    )
    assert asker.events == []


async def test_narrowing_gives_a_context_and_changes_nothing(asker: Asker) -> None:
    session = await asker.opened(allowedOrigins=[A, B])
    narrow = await asker.ask("narrowOriginPolicy", session, request={"allowedOrigins": [B, C]})
    assert narrow["result"] == {"context": {"allowedOrigins": [B]}}
    further = await asker.ask(
        "narrowOriginPolicy", session, request={"allowedOrigins": "*"}, context=narrow["result"]["context"]
    )
    assert further["result"] == {"context": {"allowedOrigins": [B]}}
    await asker.ask("observe", session)
    assert asker.live().policies == [(A, B)]


async def test_narrowing_to_nothing_is_refused(asker: Asker) -> None:
    session = await asker.opened(allowedOrigins=[A])
    answer = await asker.ask("narrowOriginPolicy", session, request={"allowedOrigins": [C]})
    assert answer["error"]["code"] == "origin_refused"


async def test_everywhere_narrows_to_what_is_asked(asker: Asker) -> None:
    session = await asker.opened()
    answer = await asker.ask("narrowOriginPolicy", session, request={"allowedOrigins": [C]})
    assert answer["result"] == {"context": {"allowedOrigins": [C]}}


async def test_a_session_can_be_closed_whatever_the_context_says(asker: Asker) -> None:
    session = await asker.opened(allowedOrigins=[A])
    answer = await asker.ask("close", session, context={"allowedOrigins": [C]})
    assert answer["result"] == {"problems": []}
