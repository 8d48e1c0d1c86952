"""Service workers that the browser's owner has: a capture that blocks them refuses to meet one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from rea_capture.errors import UnavailableError
from tests.browser.capture.conftest import css, pause
from tests.browser.connect.conftest import RunAttached, SomebodysBrowser
from tests.browser.connect.raw_cdp import RawClient
from tests.loopback import Answer, Loopback

WORKER = "self.onfetch = event => {}; self.onactivate = event => event.waitUntil(clients.claim())"
REGISTERED = (
    "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)"
)
COUNT = "navigator.serviceWorker.getRegistrations().then(all => all.length)"


async def show(owner: RawClient, session: str, url: str) -> None:
    """Let a tab load ``url``."""
    await owner.send("Page.enable", session_id=session)
    await owner.send("Page.navigate", {"url": url}, session)
    await owner.until(
        lambda event: event["method"] == "Page.loadEventFired" and event["sessionId"] == session
    )


@pytest_asyncio.fixture(loop_scope="session")
async def registered(
    browser: SomebodysBrowser, owner: RawClient, other_loopback: Loopback
) -> AsyncIterator[str]:
    """The session of a tab of the owner's on an origin with a service worker."""
    other_loopback.route("/sw.js", Answer(WORKER, "text/javascript"))
    theirs = browser.new_tab()
    session = await owner.attach(theirs)
    await show(owner, session, other_loopback.route("/", "<p>theirs"))
    assert await owner.evaluate(session, REGISTERED) == 1
    yield session
    assert await owner.evaluate(session, COUNT) == 1, "a registration of the owner's was removed"
    browser.close_tab(theirs)


def reason(evidence: Any) -> str:
    return str(evidence.normalized_result.steps[-1].error)


async def test_a_start_page_with_a_registration_is_refused_before_it_is_asked_for(
    run_attached: RunAttached, registered: str, other_loopback: Loopback
) -> None:
    other_loopback.route("/start", "<p>x")
    with pytest.raises(UnavailableError, match=r"has a service worker registration .*\"allow\""):
        await run_attached(f"{other_loopback.origin}/start")
    assert "GET /start" not in other_loopback.targets()


async def test_a_page_that_shows_a_registered_origin_is_refused(
    run_attached: RunAttached, registered: str, loopback: Loopback, other_loopback: Loopback,
    owner: RawClient, tab: str,
) -> None:  # fmt: skip
    session = await owner.attach(tab)
    frame = loopback.route("/", f"<iframe src={other_loopback.origin}/></iframe>")
    await show(owner, session, frame)
    with pytest.raises(UnavailableError, match=r"the page is refused: .* has a service worker registration"):
        await run_attached(loopback.route("/start", "<p>x"))
    assert "GET /start" not in loopback.targets()


async def test_navigating_to_a_registered_origin_ends_the_run_with_what_was_seen(
    run_attached: RunAttached, registered: str, loopback: Loopback, other_loopback: Loopback
) -> None:
    link = f"<a href={other_loopback.origin}/>there</a>"
    go = {"step_id": "go", "action": "click", "locator": css("a"), "timeout_ms": 10_000}
    evidence = await run_attached(loopback.route("/", link), [go, pause()])
    assert [step.status for step in evidence.normalized_result.steps] == ["completed", "failed", "cancelled"]
    assert "has a service worker registration" in str(evidence.normalized_result.steps[1].error)


async def test_a_declared_navigation_to_a_registered_origin_is_not_begun(
    run_attached: RunAttached, registered: str, loopback: Loopback, other_loopback: Loopback
) -> None:
    url = other_loopback.route("/never", "<p>x")
    go = {"step_id": "go", "action": "goto", "destination": {"url": url}, "timeout_ms": 10_000}
    evidence = await run_attached(loopback.route("/", "<p>x"), [go])
    assert "has a service worker registration" in reason(evidence)
    assert "GET /never" not in other_loopback.targets()


async def test_a_frame_of_a_registered_origin_ends_the_run(
    run_attached: RunAttached, registered: str, loopback: Loopback, other_loopback: Loopback
) -> None:
    add = (
        "<button onclick=\"document.body.append(Object.assign(document.createElement('iframe'), "
        f"{{src: '{other_loopback.origin}/'}}))\">add</button>"
    )
    go = {"step_id": "add", "action": "click", "locator": css("button"), "timeout_ms": 10_000}
    evidence = await run_attached(loopback.route("/", add), [go, pause("later", 2_000)])
    # Whichever is noticed first: that the frame's origin has a registration, or that it is controlled.
    said = [step.error for step in evidence.normalized_result.steps if step.status == "failed"]
    assert [
        error for error in said if error and "service worker" in error and "nothing was unregistered" in error
    ]


async def test_allowing_them_meets_them(
    run_attached: RunAttached, registered: str, other_loopback: Loopback
) -> None:
    evidence = await run_attached(other_loopback.origin + "/", environment={"service_workers": "allow"})
    assert {step.status for step in evidence.normalized_result.steps} == {"completed"}


async def test_a_page_that_is_still_controlled_without_a_registration_is_refused(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str
) -> None:
    loopback.route("/sw.js", Answer(WORKER, "text/javascript"))
    session = await owner.attach(tab)
    await show(owner, session, loopback.route("/", "<p>x"))
    claimed = (
        "new Promise(done => { const own = navigator.serviceWorker;"
        " own.controller ? done(1) : own.oncontrollerchange = () => done(1); })"
    )
    await owner.evaluate(session, REGISTERED)
    assert await owner.evaluate(session, claimed) == 1
    unregistered = "navigator.serviceWorker.getRegistration().then(found => found.unregister())"
    assert await owner.evaluate(session, unregistered) is True
    assert await owner.evaluate(session, "Boolean(navigator.serviceWorker.controller)") is True
    with pytest.raises(UnavailableError, match="service worker"):
        await run_attached("http://127.0.0.1:1/")


async def test_a_popup_can_register_none_either_however_early_it_tries(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str
) -> None:
    loopback.route("/sw.js", Answer(WORKER, "text/javascript"))
    attempt = "navigator.serviceWorker.register('/sw.js').catch(error => console.log(error.name))"
    tell = "opener.document.body.append(opener.document.createElement('hr'))"
    loopback.route("/popup", f"<script>{attempt}.then(() => {tell})</script>")
    page = "<button onclick=\"window.open('/popup')\">open</button>"
    go = {"step_id": "open", "action": "click", "locator": css("button"), "timeout_ms": 10_000}
    told = {
        "step_id": "told",
        "action": "wait_for",
        "locator": css("hr"),
        "state": "attached",
        "timeout_ms": 9000,
    }
    evidence = await run_attached(loopback.route("/", page), [go, told, pause(duration_ms=200)])
    said = [event.text for event in evidence.normalized_result.events.items if event.kind == "console"]
    assert said == ["SecurityError"]
    assert await owner.evaluate(await owner.attach(tab), COUNT) == 0
    assert "GET /sw.js" not in loopback.targets()
