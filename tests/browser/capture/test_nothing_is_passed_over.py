"""What a capture cannot see of what it was asked for is said, and makes it ineligible for equality."""

from __future__ import annotations

from typing import Any

from tests.browser.capture.conftest import RunScenario, css, pause
from tests.loopback import Answer, Loopback

SLIDES = """<!doctype html><style>@keyframes a { to { transform: translate(900px, 500px) } }
#x { animation: a .7s linear infinite; position: absolute }</style><div id=x>S3cretW0rd</div>"""
SECRET: dict[str, Any] = {
    "secrets": [{"secret_id": "word", "environment_variable": "WORD"}],
    "environ": {"WORD": "S3cretW0rd"},
}


async def test_a_shared_worker_leaves_events_incomplete(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/shared.js", Answer("onconnect = e => e.ports[0].postMessage(1)", "text/javascript"))
    url = loopback.route(
        "/",
        "<script>const w = new SharedWorker('/shared.js');"
        "w.port.onmessage = () => { document.body.id = 'done'; }; w.port.start();</script><body>",
    )
    done = {"step_id": "done", "action": "wait_for", "locator": css("#done"), "timeout_ms": 20000}
    result = (await run_scenario(url, [done], capture={"events": ["network", "console"]})).normalized_result
    assert "events" in result.completeness.missing_sections
    assert any("shared worker" in sentence for sentence in result.limitations)


async def test_an_unreported_download_is_said(run_scenario: RunScenario, loopback: Loopback) -> None:
    loopback.route("/file", Answer(b"data", "application/octet-stream"))
    url = loopback.route("/", "<a id=a href='/file' download>get</a>")
    click = {"step_id": "get", "action": "click", "locator": css("#a")}
    result = (
        await run_scenario(url, [click, pause("wait", 500)], capture={"events": ["network"]})
    ).normalized_result
    assert "events" in result.completeness.missing_sections
    assert any("request of a download" in sentence for sentence in result.limitations)


async def test_a_moving_secret_costs_the_screenshot(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route("/", SLIDES)
    result = (await run_scenario(url, capture={"at_end": ["screenshot"]}, **SECRET)).normalized_result
    state = result.steps[-1].artifacts.screenshot
    assert state.state == "missing"
    assert "keeps moving" in state.reason


async def test_comments_beside_the_root_are_kept(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route("/", "<!-- maintenance --><!doctype html><html><body>x</body></html><!-- end -->")
    result = (await run_scenario(url, capture={"at_end": ["dom"]})).normalized_result
    state = result.steps[-1].artifacts.dom
    assert state.state == "captured"
    assert state.value.text.startswith("<!-- maintenance --><!DOCTYPE html><html>")
    assert "<!-- end -->" in state.value.text


async def test_a_long_secret_in_a_console_preview_is_not_kept_in_pieces(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    token = "".join(f"{n:02d}xY" for n in range(40))
    url = loopback.route("/", f"<script>console.log({{token: '{token}'}}, ['{token}'])</script>")
    result = (
        await run_scenario(
            url,
            capture={"events": ["console"]},
            secrets=[{"secret_id": "token", "environment_variable": "TOKEN"}],
            environ={"TOKEN": token},
        )
    ).normalized_result
    (event,) = [event for event in result.events.items if event.kind == "console"]
    assert token[:8] not in event.text
    assert token[-8:] not in event.text


async def test_what_a_preview_leaves_out_is_said(run_scenario: RunScenario, loopback: Loopback) -> None:
    plain = loopback.route("/plain", "<script>console.log('it is ready', 1, {a: 1}, [1, 2])</script>")
    nested = loopback.route("/nested", "<script>console.log({user: {id: 1}}, [[1], [2]])</script>")
    said = []
    for url in (plain, nested):
        result = (await run_scenario(url, capture={"events": ["console"]})).normalized_result
        said.append(any("a few properties or only its kind" in sentence for sentence in result.limitations))
    assert said == [False, True]
