"""Blocked service workers: refused loudly, reported, and never the page's own fault."""

from __future__ import annotations

from rea_capture.contracts.events import ConsoleEvent, PageErrorEvent
from tests.browser.capture.conftest import RunScenario, css
from tests.loopback import Answer, Loopback

REGISTERS = """<p id="out">waiting</p><script>
navigator.serviceWorker.register('/worker.js').then(
  registration => { out.textContent = 'scope ' + registration.scope; out.id = 'done'; },
  error => { out.textContent = error.name + ': ' + error.message; out.id = 'done'; });
</script>"""
DONE = {"step_id": "done", "action": "wait_for", "locator": css("#done"), "timeout_ms": 10000}
WORKER = Answer("self.addEventListener('fetch', () => {})", "text/javascript")


async def test_a_blocked_registration_rejects_with_an_error_that_names_the_capture(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", REGISTERS)
    loopback.route("/worker.js", WORKER)
    result = (
        await run_scenario(
            url, [DONE], capture={"at_end": ["dom"], "events": ["console", "page-errors", "network"]}
        )
    ).normalized_result
    dom = result.steps[-1].artifacts.dom
    assert dom.state == "captured"
    assert "SecurityError: Service worker registration is blocked by this capture" in dom.value.text
    assert "GET /worker.js" not in loopback.targets()
    assert any("service worker '/worker.js'" in sentence for sentence in result.limitations)
    assert not [event for event in result.events.items if isinstance(event, ConsoleEvent | PageErrorEvent)]


async def test_an_unhandled_refusal_says_whose_doing_it_is(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route(
        "/", "<script>navigator.serviceWorker.register('/worker.js').then(r => r.scope)</script>"
    )
    result = (await run_scenario(url, capture={"events": ["page-errors"]})).normalized_result
    (error,) = [event for event in result.events.items if isinstance(event, PageErrorEvent)]
    assert "blocked by this capture" in error.message


async def test_frames_and_popups_are_blocked_too(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route(
        "/", "<iframe src='/inner'></iframe><button onclick=\"window.open('/inner')\">open</button>"
    )
    loopback.route("/inner", REGISTERS)
    loopback.route("/worker.js", WORKER)
    click = {"step_id": "open", "action": "click", "locator": css("button")}
    wait = {"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 800}
    await run_scenario(url, [click, wait])
    assert loopback.targets().count("GET /inner") == 2
    assert "GET /worker.js" not in loopback.targets()


async def test_an_allowed_service_worker_registers(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route("/", REGISTERS)
    loopback.route("/worker.js", WORKER)
    result = (
        await run_scenario(url, [DONE], capture={"at_end": ["dom"]}, environment={"service_workers": "allow"})
    ).normalized_result
    dom = result.steps[-1].artifacts.dom
    assert dom.state == "captured"
    assert f"scope {loopback.origin}/" in dom.value.text
    assert not [sentence for sentence in result.limitations if "service worker" in sentence.lower()]


async def test_the_block_is_stated_whatever_was_selected(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", REGISTERS)
    result = (await run_scenario(url, [DONE])).normalized_result
    assert any("service worker '/worker.js'" in sentence for sentence in result.limitations)
    assert result.events.items == ()
