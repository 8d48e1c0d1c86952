"""Storage seeds through whole captures: every partition once, and the page's own writes stay."""

from __future__ import annotations

from typing import Any

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.events import ConsoleEvent
from tests.browser.capture.conftest import RunScenario, css, literal, secret
from tests.loopback import Loopback

TELLS = """<script>
console.log(location.host.split('.')[0] + (top === window ? '' : ' framed') + ': '
  + localStorage.getItem('seed') + ' ' + sessionStorage.getItem('tab'));
</script>"""


def area(origin: str, name: str, value: dict[str, str]) -> dict[str, Any]:
    return {"origin": origin, "entries": [{"name": name, "value": value}]}


def told(evidence: CaptureEvidence) -> list[str]:
    return [
        event.text for event in evidence.normalized_result.events.items if isinstance(event, ConsoleEvent)
    ]


def goto(step_id: str, url: str) -> dict[str, Any]:
    return {"step_id": step_id, "action": "goto", "destination": {"url": url}}


async def test_the_page_keeps_what_it_did_with_its_seeds(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route(
        "/",
        TELLS + "<button id=w onclick=\"localStorage.setItem('seed', 'written')\">w</button>"
        "<button id=d onclick=\"localStorage.removeItem('seed'); sessionStorage.setItem('tab', '')\">d"
        "</button>",
    )
    storage = {
        "local_storage": [area(loopback.origin, "seed", secret("token"))],
        "session_storage": [area(loopback.origin, "tab", literal("one"))],
    }
    actions = [
        {"step_id": "write", "action": "click", "locator": css("#w")},
        goto("reload", url),
        {"step_id": "delete", "action": "click", "locator": css("#d")},
        goto("again", url),
    ]
    evidence = await run_scenario(
        url,
        actions,
        storage=storage,
        secrets=[{"secret_id": "token", "environment_variable": "TOKEN"}],
        environ={"TOKEN": "s3cr3t value"},
        capture={"events": ["console"], "at_end": ["storage"]},
    )
    host = "127"
    assert told(evidence) == [
        f"{host}: [REDACTED:token] one",
        f"{host}: written one",
        f"{host}: null ",
    ]
    state = evidence.normalized_result.steps[-1].artifacts.storage
    assert state.state == "captured"
    assert state.value.local_storage == ()


async def test_a_third_party_frame_has_a_seed_of_its_own(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    port = loopback.origin.rpartition(":")[2]
    first, third = f"http://first.localhost:{port}", f"http://third.localhost:{port}"
    loopback.route("/", TELLS + f"<iframe src='{third}/framed'></iframe>")
    loopback.route("/framed", TELLS + "<script>localStorage.setItem('seed', 'changed in the frame')</script>")
    loopback.route("/alone", TELLS)
    storage = {
        "local_storage": [area(third, "seed", literal("theirs"))],
        "session_storage": [area(third, "tab", literal("tab"))],
    }
    evidence = await run_scenario(
        f"{first}/",
        [
            {"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 500},
            goto("alone", f"{third}/alone"),
            goto("back", f"{first}/"),
            {"step_id": "end", "action": "wait_for_timeout", "duration_ms": 500},
        ],
        storage=storage,
        capture={"events": ["console"], "at_end": ["url"]},
    )
    known = ("favicon", "last moment")  # of the icon, and of what a frame does while it is left
    said = evidence.normalized_result.limitations
    assert not [text for text in said if not any(word in text for word in known)]
    lines = told(evidence)
    assert sorted(lines[:2]) == ["first: null null", "third framed: theirs tab"]
    assert lines[2] == "third: theirs tab"  # its own partition, not that of the frame
    assert sorted(lines[3:]) == ["first: null null", "third framed: changed in the frame tab"]


async def test_a_seed_for_another_origin_is_never_sent(run_scenario: RunScenario, loopback: Loopback) -> None:
    storage = {"local_storage": [area("http://elsewhere.localhost:1", "seed", literal("not yours"))]}
    url = loopback.route("/", "<script>console.log(JSON.stringify({...localStorage}))</script>")
    evidence = await run_scenario(
        url, storage=storage, capture={"events": ["console"], "at_end": ["storage"]}
    )
    assert told(evidence) == ["{}"]


async def test_a_seed_that_the_browser_refuses_makes_the_capture_ineligible(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    too_much = area(loopback.origin, "seed", literal("x" * 6_000_000))
    url = loopback.route("/", TELLS)
    result = (await run_scenario(url, storage={"local_storage": [too_much]})).normalized_result
    assert "storage" in result.completeness.missing_sections
    assert any("refused" in sentence for sentence in result.limitations)
