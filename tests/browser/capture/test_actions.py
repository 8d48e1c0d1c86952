"""Every action and every locator, on a real form."""

from __future__ import annotations

from typing import Any

from rea_capture.contracts.capture import Step
from tests.browser.capture.conftest import RunScenario, css, literal, pause
from tests.loopback import Loopback

FORM = """<!doctype html><title>Form</title><body><form onsubmit="return false">
<label>Name <input id="name"></label>
<label><input type="checkbox" id="news"> Newsletter</label>
<label>Size <select id="size">
<option value="s">Small</option><option value="l">Large</option></select></label>
<button id="go" data-testid="go-button">Go</button></form><ul id="log"></ul>
<script>
const say = text => { const li = document.createElement('li'); li.textContent = text; log.append(li); };
go.addEventListener('click', e => say(`click ${e.button} ${e.detail}`));
go.addEventListener('auxclick', e => say(`auxclick ${e.button}`));
document.getElementById('name').addEventListener('keydown', e => say(`key ${e.key}`));
document.getElementById('name').addEventListener('input', e => say(`name ${e.target.value}`));
news.addEventListener('change', e => say(`news ${e.target.checked}`));
size.addEventListener('change', e => say(`size ${e.target.value}`));
</script>"""
ROLE_BUTTON = {"kind": "role", "role": "button", "name": "Go"}
TEST_ID_BUTTON = {"kind": "test_id", "value": "go-button"}


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "click": ({"action": "click", "locator": css("#go")}, ["click 0 1"]),
    "role": ({"action": "click", "locator": ROLE_BUTTON}, ["click 0 1"]),
    "test-id-twice": (
        {"action": "click", "locator": TEST_ID_BUTTON, "click_count": 2}, ["click 0 1", "click 0 2"],
    ),
    "middle": ({"action": "click", "locator": css("#go"), "button": "middle"}, ["auxclick 1"]),
    "fill": ({"action": "fill", "locator": css("#name"), "value": literal("Ada")}, ["name Ada"]),
    "press": ({"action": "press", "locator": css("#name"), "key": "Escape"}, ["key Escape"]),
    "check": ({"action": "check", "locator": css("#news")}, ["news true"]),
    "select": ({"action": "select_option", "locator": css("#size"), "value": literal("l")}, ["size l"]),
    "visible": ({"action": "wait_for", "locator": css("#go"), "state": "visible"}, []),
    "detached": ({"action": "wait_for", "locator": css("#none"), "state": "detached"}, []),
    "hidden": ({"action": "wait_for", "locator": css("#none"), "state": "hidden"}, []),
    "attached": (
        {"action": "wait_for", "locator": css("#go"), "state": "attached", "timeout_ms": 5000}, [],
    ),
}  # fmt: skip
"""Actions by the names of their steps, each with what a fresh form has logged after it."""


async def logs_after(run: RunScenario, url: str, *actions: dict[str, Any]) -> dict[str, list[str]]:
    """What the page shows to have happened to it, by step."""
    evidence = await run(url, list(actions), capture={"after_each_step": ["accessibility"]})
    steps = evidence.normalized_result.steps
    assert [step.status for step in steps] == ["completed"] * len(steps), [step.error for step in steps]
    return {step.step_id: _log(step) for step in steps}


def _log(step: Step) -> list[str]:
    state = step.artifacts.accessibility
    assert state.state == "captured"
    return [
        line.strip().removeprefix("- listitem: ")
        for line in state.value.text.splitlines()
        if "listitem:" in line
    ]


async def test_an_action_does_what_a_person_would_have_done(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", FORM)
    actions: list[dict[str, Any]] = []
    for step_id, (action, _) in CASES.items():
        actions.append({"step_id": f"before-{step_id}", "action": "goto", "destination": {"url": url}})
        actions.append({"step_id": step_id, **action})
    logs = await logs_after(run_scenario, url, *actions)
    assert {step_id: logs[step_id] for step_id in CASES} == {
        step_id: expected for step_id, (_, expected) in CASES.items()
    }
    assert not [step_id for step_id, log in logs.items() if step_id not in CASES and log]


async def test_checking_and_unchecking_follow_one_another(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", FORM)
    actions = [
        {"step_id": "on", "action": "check", "locator": css("#news")},
        {"step_id": "off", "action": "uncheck", "locator": css("#news")},
    ]
    assert (await logs_after(run_scenario, url, *actions))["off"] == ["news true", "news false"]


async def test_goto_appends_structured_query_entries_in_order(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    start = loopback.route("/", FORM)
    loopback.route("/next", "<title>next</title>")
    query = [{"name": "b", "value": literal("1 & 2")}, {"name": "a", "value": literal("é")}]
    destination = {"url": f"{loopback.origin}/next?first=0#part", "query": query}
    goto = {"step_id": "go", "action": "goto", "destination": destination, "wait_until": "domcontentloaded"}
    evidence = await run_scenario(start, [goto])
    step = evidence.normalized_result.steps[-1]
    assert step.after_url.url == f"{loopback.origin}/next?first=0&b=1%20%26%202&a=%C3%A9#part"
    assert step.after_url.query_parameter_names == ("a", "b", "first")
    assert "GET /next?first=0&b=1%20%26%202&a=%C3%A9" in loopback.targets()


async def test_a_locator_that_matches_twice_fails_with_a_sentence(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", "<button>One</button><button>Two</button>")
    click = {"step_id": "which", "action": "click", "locator": css("button"), "timeout_ms": 3000}
    evidence = await run_scenario(url, [click, pause()])
    failed, skipped = evidence.normalized_result.steps[1:]
    assert failed.status == "failed"
    assert failed.error is not None
    assert failed.error == (
        'strict mode violation: locator("button") resolved to 2 elements; make the locator more specific, '
        "so that it matches one element"
    )
    assert skipped.status == "cancelled"
    assert skipped.error == "not executed: the run ended at step which"


async def test_a_timeout_says_what_was_awaited_without_a_call_log(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", "<p>nothing here")
    click = {"step_id": "absent", "action": "click", "locator": css("#absent"), "timeout_ms": 300}
    evidence = await run_scenario(url, [click])
    error = evidence.normalized_result.steps[-1].error
    assert error == 'Timeout 300ms exceeded while waiting for locator("#absent")'
    assert evidence.normalized_result.completeness.missing_sections == ("action",)
