"""Pages that hang, crash, ask or never finish still end in valid Evidence that says so."""

from __future__ import annotations

import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.browser.capture.conftest import ALL_ARTIFACTS, RunScenario, css, pause
from tests.loopback import Answer, Loopback, Seen

SHORT: dict[str, Any] = {"command_timeout_ms": 8000}


async def test_a_start_page_that_cannot_be_reached_is_an_observation(run_scenario: RunScenario) -> None:
    evidence = await run_scenario("http://127.0.0.1:1/", [pause()])
    start, skipped = evidence.normalized_result.steps
    assert start.status == "failed"
    assert start.error is not None
    assert start.error.startswith("net::ERR_")
    assert (skipped.status, skipped.error) == (
        "cancelled",
        "not executed: the run ended at step scenario_start",
    )


async def test_a_page_that_cannot_be_reached_is_asked_for_once(run_scenario: RunScenario) -> None:
    selection = {"at_end": [], "after_each_step": ["screenshot"], "events": ["network"]}
    counts = set()
    for _ in range(2):
        result = (await run_scenario("http://127.0.0.1:1/", capture=selection)).normalized_result
        counts.add(len([event for event in result.events.items if event.kind == "request"]))
    assert counts == {1}


@pytest.mark.parametrize("dialog", ["alert('hi')", "confirm('hi')", "prompt('hi')"])
async def test_a_dialog_is_dismissed_and_stated(
    run_scenario: RunScenario, loopback: Loopback, dialog: str
) -> None:
    url = loopback.route("/", f"<script>document.title = String({dialog})</script><p>after")
    evidence = await run_scenario(url, capture={"at_end": ["dom"]})
    result = evidence.normalized_result
    assert [step.status for step in result.steps] == ["completed", "completed"]
    kind = dialog.partition("(")[0]
    assert any(f"dialog of type {kind} ('hi')" in sentence for sentence in result.limitations)


async def test_a_page_that_objects_to_leaving_stays_and_the_step_says_so(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", "<body onbeforeunload=\"return 'stay'\"><button>b</button>")
    loopback.route("/next", "<p>next")
    actions: list[dict[str, Any]] = [
        {"step_id": "touch", "action": "click", "locator": css("button")},
        {"step_id": "leave", "action": "goto", "destination": {"url": f"{loopback.origin}/next"},
         "timeout_ms": 5000},
    ]  # fmt: skip
    result = (await run_scenario(url, actions)).normalized_result
    assert result.steps[-1].status == "failed"
    assert result.steps[-1].after_url.url == url
    assert any("beforeunload" in sentence for sentence in result.limitations)


async def test_a_hung_renderer_is_said_to_be_hung_even_when_only_the_url_was_requested(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route(
        "/", "<p>x<script>addEventListener('load', () => setTimeout(() => { for (;;); }, 50))</script>"
    )
    result = (await run_scenario(url, [pause("wait", 300)], **SHORT)).normalized_result
    state = result.steps[-1].artifacts.url
    assert state.state == "missing"
    assert "8000 ms" in state.reason
    assert not result.completeness.equality_eligible


async def test_a_hung_renderer_makes_every_artifact_missing_within_the_bound(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route(
        "/", "<p>x<script>addEventListener('load', () => setTimeout(() => { for (;;); }, 50))</script>"
    )
    started = time.monotonic()
    evidence = await run_scenario(url, [pause("wait", 300)], capture={"at_end": ALL_ARTIFACTS}, **SHORT)
    assert time.monotonic() - started < 60
    artifacts = evidence.normalized_result.steps[-1].artifacts
    for name in ("screenshot", "dom", "accessibility", "url", "history", "storage"):
        assert getattr(artifacts, name).state == "missing", name


async def test_a_crashed_renderer_fails_the_action_and_is_named(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", "<p>x")
    goto = {"step_id": "crash", "action": "goto", "destination": {"url": f"{loopback.origin}/bomb"}}

    def bomb(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        page = "<script>const hog = []; for (;;) hog.push(new Array(1e7).fill(Math.random()))</script>"
        return Answer(page)

    loopback.route("/bomb", bomb)
    result = (await run_scenario(url, [goto], capture={"at_end": ["url", "dom"]}, **SHORT)).normalized_result
    assert result.steps[-1].status == "failed"
    assert result.steps[-1].error is not None
    assert "crash" in result.steps[-1].error
    assert result.steps[-1].artifacts.url.state == "missing"


async def test_a_font_that_never_arrives_costs_the_screenshot_and_nothing_else(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    def silence(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        connection.rfile.read(1)  # until the browser hangs up

    loopback.route("/never.woff2", silence)
    url = loopback.route(
        "/",
        "<script>addEventListener('load', () => { const s = document.createElement('style');"
        "s.textContent = `@font-face{font-family:N;src:url(/never.woff2)} p{font-family:N}`;"
        "document.head.append(s); });</script><p>text",
    )
    result = (
        await run_scenario(url, [pause("wait", 300)], capture={"at_end": ["screenshot", "dom"]}, **SHORT)
    ).normalized_result
    artifacts = result.steps[-1].artifacts
    assert artifacts.dom.state == "captured"
    assert artifacts.screenshot.state == "missing"
    assert "font" in artifacts.screenshot.reason


async def test_denied_storage_is_missing_with_the_reason(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    sandbox = Answer("<p>sandboxed", headers=[("Content-Security-Policy", "sandbox allow-scripts")])
    url = loopback.route("/", sandbox)
    result = (await run_scenario(url, capture={"at_end": ["storage", "url"]})).normalized_result
    state = result.steps[-1].artifacts.storage
    assert state.state == "missing"
    assert "storage" in state.reason.lower()
    assert result.steps[-1].artifacts.url.state == "captured"


@pytest.mark.parametrize("status", [204, 205])
async def test_a_navigation_without_content_fails_and_the_page_stays(
    run_scenario: RunScenario, loopback: Loopback, status: int
) -> None:
    url = loopback.route("/", "<p>x")
    loopback.route("/none", Answer(b"", None, status))
    goto = {"step_id": "none", "action": "goto", "destination": {"url": f"{loopback.origin}/none"},
            "timeout_ms": 5000}  # fmt: skip
    result = (await run_scenario(url, [goto], capture={"events": ["network"]})).normalized_result
    step = result.steps[-1]
    assert (step.status, step.after_url.url) == ("failed", url)
    assert str(step.error).startswith("net::ERR_ABORTED")
    outcomes = [
        (event.kind, getattr(event, "status", None), getattr(event, "failure", None))
        for event in result.events.items
        if event.step_index == step.step_index
    ]
    assert outcomes == [
        ("request", None, None),
        ("response", status, None),
        ("request-failed", status, "net::ERR_ABORTED"),
    ]


async def test_a_redirect_loop_fails_with_the_browsers_reason(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", Answer(b"", None, 302, [("Location", "/")]))
    result = (await run_scenario(url, capture={"events": ["network"]})).normalized_result
    assert result.steps[0].status == "failed"
    assert "ERR_TOO_MANY_REDIRECTS" in str(result.steps[0].error)
    requests = [event for event in result.events.items if event.kind == "request"]
    assert len(requests) == 20
    linked = [getattr(event, "redirected_from_transaction_id", None) for event in requests]
    assert linked == [None, *range(1, 20)]
