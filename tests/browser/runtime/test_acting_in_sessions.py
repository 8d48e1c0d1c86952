"""What an action comes to in a session: its postcondition, its popups, its secrets, and evidence of it."""

from __future__ import annotations

import asyncio
import base64
import threading
from typing import Any

import orjson

from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.operations import (
    ActRequest,
    CaptureEvidenceRequest,
    ObserveRequest,
    Step,
)
from rea_capture.contracts.runtime.results import ActResult
from tests.browser.runtime.asking import click, expect, failed, go, read
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Answer, Loopback

FORM = """<title>Sign in</title><form onsubmit='event.preventDefault(); p.textContent = `Welcome`'>
  <label>Name <input name=n></label><label>Password <input type=password name=w></label>
  <button>Sign in</button></form><p id=p></p>"""


async def fill(live: LiveSession, name: str, value: str) -> ActResult:
    seen = await live.observe(ObserveRequest(), "*")
    (ref,) = (element.ref for element in seen.elements if element.name == name)
    step = Step(instruction=f"Fill {name}", action="fill", ref=ref, value="not this one")
    return await live.act(ActRequest(step=step), "*", value)


async def test_a_postcondition_that_comes_to_hold_verifies_a_click(
    shared: LiveSession, site: Loopback
) -> None:
    await go(shared, site.route("/form", FORM))
    acted = await click(shared, "Sign in", postcondition={"kind": "text", "value": "Welcome"})
    assert (acted.mutation_state, acted.verified_by) == ("verified", "postcondition")
    again = await click(shared, "Sign in")
    assert (again.mutation_state, again.verified_by) == ("unknown", None)


async def test_a_postcondition_that_does_not_hold_is_told_and_nothing_is_done_twice(
    shared: LiveSession, site: Loopback
) -> None:
    counts = "<p id=p>0</p><button onclick='p.textContent = +p.textContent + 1'>Count</button>"
    await go(shared, site.route("/counts", counts))
    clicking = click(shared, "Count", postcondition={"kind": "text", "value": "Done"})
    details = await failed(clicking, "postcondition_failed")
    assert (details.phase, details.mutation_state) == ("verify", "unknown")
    assert details.retry == "after_observe"
    assert "begins '1" in details.message
    await expect(shared, kind="text", value="1")


async def test_a_click_that_navigates_has_the_new_document(shared: LiveSession, site: Loopback) -> None:
    next_one = site.route("/next", "<title>Next</title>")
    before = (await go(shared, site.route("/links", f"<a href='{next_one}'>Next</a>"))).tab
    acted = await click(shared, "Next", postcondition={"kind": "title", "value": "Next"})
    assert acted.tab.url == next_one
    assert acted.tab.document_id != before.document_id


async def test_a_ref_of_an_earlier_document_is_refused(shared: LiveSession, site: Loopback) -> None:
    await go(shared, site.route("/form", FORM))
    seen = await shared.observe(ObserveRequest(), "*")
    await go(shared, f"{site.origin}/form")
    step = Step(instruction="Sign in", action="click", ref=seen.elements[-1].ref)
    details = await failed(shared.act(ActRequest(step=step), "*", None), "stale_document")
    assert details.mutation_state == "not_attempted"


async def test_a_tab_outside_the_policy_is_neither_observed_nor_acted_on_nor_kept(
    shared: LiveSession, site: Loopback
) -> None:
    await go(shared, site.route("/form", FORM))
    ref = (await shared.observe(ObserveRequest(), "*")).elements[-1].ref
    elsewhere = ("http://127.0.0.1:1",)
    step = Step(instruction="Sign in", action="click", ref=ref)
    evidence = CaptureEvidenceRequest(run_id="run")
    for asked in (
        shared.observe(ObserveRequest(), elsewhere),
        shared.act(ActRequest(step=step), elsewhere, None),
        shared.capture_evidence(evidence, elsewhere),
    ):
        details = await failed(asked, "origin_refused")
        assert details.mutation_state == "not_attempted"
    assert (await read(shared)).text.endswith("Sign in")


async def test_a_frame_outside_the_policy_is_neither_observed_nor_acted_in(
    shared: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    inner = forbidden.route(
        "/inner", "<button>Inner</button><iframe srcdoc='<button>Deep</button>'></iframe>"
    )
    written = "<iframe srcdoc='<button>Written</button>'></iframe>"
    await go(shared, site.route("/outer", f"<button>Outer</button>{written}<iframe src='{inner}'></iframe>"))
    every = (await shared.observe(ObserveRequest(), "*")).elements
    assert [element.name for element in every] == ["Outer", "Written", "Inner", "Deep"]
    seen = await shared.observe(ObserveRequest(), (site.origin,))
    assert [element.name for element in seen.elements] == ["Outer", "Written"]
    assert any("1 frame" in each for each in seen.limitations)
    step = Step(instruction="Inner", action="click", ref=every[2].ref)
    details = await failed(shared.act(ActRequest(step=step), (site.origin,), None), "origin_refused")
    assert details.mutation_state == "not_attempted"


async def test_an_action_that_is_cancelled_is_over_when_that_is_said(
    shared: LiveSession, site: Loopback
) -> None:
    is_asked, may_answer = threading.Event(), threading.Event()

    def slow(_: object, __: object) -> Answer:
        is_asked.set()
        may_answer.wait(10)
        return Answer("<title>Slow</title>")

    site.route("/slow", slow)
    await go(shared, site.route("/asks", "<title>Asks</title><a href='/slow'>Slow</a>"))
    clicking = asyncio.ensure_future(click(shared, "Slow"))
    assert await asyncio.to_thread(is_asked.wait, 10)
    clicking.cancel()
    assert isinstance((await asyncio.gather(clicking, return_exceptions=True))[0], asyncio.CancelledError)
    may_answer.set()
    await expect(shared, kind="title", value="Slow", wait="bounded")


async def test_evidence_shows_no_secret_that_was_filled(open_session: OpenSession, site: Loopback) -> None:
    live = await open_session()
    logs = "<script>document.forms[0].onclick = () => console.log(document.forms[0].w.value)</script>"
    await go(live, site.route("/form", FORM + logs))
    secret = "correct horse battery"
    live.redact("password", secret)
    filled = await fill(live, "Password", secret)
    assert (filled.mutation_state, filled.verified_by) == ("verified", "value")
    await click(live, "Sign in", postcondition={"kind": "text", "value": "Welcome"})
    request = CaptureEvidenceRequest(
        run_id="run", operation="act", include=("screenshot", "diagnostics", "evidence")
    )
    kept = await live.capture_evidence(request, "*")
    assert kept.status == "complete", kept.limitations
    assert [artifact.kind for artifact in kept.artifacts] == ["screenshot", "diagnostics", "evidence"]
    contents = {artifact.kind: base64.b64decode(artifact.data_base64) for artifact in kept.artifacts}
    assert all(len(contents[each.kind]) == each.byte_length for each in kept.artifacts)
    assert not any(b"horse" in content for content in contents.values())
    assert b"[REDACTED:password]" in contents["diagnostics"]
    evidence: dict[str, Any] = orjson.loads(contents["evidence"])
    assert evidence["evidence_id"]
    assert kept.diagnostics is not None
    assert kept.diagnostics.operation == "act"
    assert kept.diagnostics.tab.title == "Sign in"
