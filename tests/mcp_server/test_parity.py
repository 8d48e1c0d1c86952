"""One body for every case: what comes of the same JSON is the same, whatever door it goes through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rea_capture.evidence import parse
from tests.browser.capture.conftest import ALL_ARTIFACTS, css, literal, scenario_document, secret
from tests.evidence.sealed import plain, rich_capture, sealed_capture
from tests.loopback import Answer, Loopback, serving
from tests.mcp_server.doors import Document, Outcome, Refused, doors
from tests.mcp_server.serving import Place, served_http

SECRET = "correct-horse-battery"
PAGE = """
<title>Shop</title><label>Word <input id="word"></label><button id="go">Go</button><p id="said"></p>
<script>
  console.log("ready");
  document.getElementById("go").onclick = async () => {
    const answer = await (await fetch("/answer?w=" + document.getElementById("word").value)).text();
    document.getElementById("said").textContent = answer;
  };
</script>
"""

TIMES = re.compile(r"(_at|_ms|_time|timestamp|^sequence|_sequence_start|_sequence_end|_event_sequence)$")
"""Which of two events of different kinds is first told of is a matter of time, too."""
IDS = {"evidence_id", "evidence_links"}


def same(value: Any) -> Any:
    """``value`` without ids, times and durations, and what is a digest of those."""
    if isinstance(value, dict):
        plain_ones: dict[str, Any] = {
            name: "…" if name in IDS or TIMES.search(name) else same(each) for name, each in value.items()
        }
        if "items" in plain_ones:  # the events
            plain_ones["items"].sort(key=lambda event: json.dumps(event, sort_keys=True))
        return plain_ones
    return [same(each) for each in value] if isinstance(value, list) else value


def differences(one: Any, other: Any, pointer: str = "") -> list[str]:
    """Where two outcomes are not the same, and how."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [line for name in one for line in differences(one[name], other[name], f"{pointer}/{name}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for at, (a, b) in pairs for line in differences(a, b, f"{pointer}/{at}")]
    return [] if one == other else [f"{pointer}: {one!r} is not {other!r}"]


@pytest.fixture(scope="module")
def shop() -> Iterator[Loopback]:
    """A page that types, asks and shows."""
    with serving() as server:
        server.route("/", PAGE)
        server.route("/answer", Answer("found", "text/plain"))
        yield server


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[Place]:
    """Folders and environment that all doors have."""
    place = Place(tmp_path_factory.mktemp("parity"), chromium_path)
    place.environ["REA_TEST_WORD"] = SECRET
    yield place
    place.remove()


@pytest.fixture(scope="module")
def http_address(everywhere: Place) -> Iterator[str]:
    """A server over HTTP."""
    with served_http(everywhere, "--inline-bytes", "10000000") as (_, address):
        yield address


def captured(origin: str) -> Document:
    """A scenario with a secret and every artifact, of which the last action fails."""
    return scenario_document(
        f"{origin}/",
        [
            {"step_id": "type", "action": "fill", "locator": css("#word"), "value": secret("word")},
            {"step_id": "go", "action": "click", "locator": css("#go")},
            {"step_id": "said", "action": "wait_for", "locator": css("#said:not(:empty)")},
            {"step_id": "no", "action": "click", "locator": css("#none"), "timeout_ms": 200},
        ],
        secrets=[{"secret_id": "word", "environment_variable": "REA_TEST_WORD"}],
        capture={
            "at_end": ALL_ARTIFACTS,
            "events": ["console", "network"],
            "network": {"response_body": True},
        },
    )


def wrong(origin: str) -> Document:
    """No scenario, in three ways."""
    fill = {"step_id": "a b", "action": "fill", "locator": css("#word"), "value": literal("x"), "extra": 1}
    return scenario_document(f"{origin}/", [fill], command_timeout_ms="5")


def unset(origin: str) -> Document:
    """A scenario with a secret that is not there."""
    missing = [{"secret_id": "no", "environment_variable": "REA_TEST_NOT_SET"}]
    return scenario_document(f"{origin}/", None, secrets=missing)


def changed(_: str) -> Document:
    """Two captures that differ, and a caller rule."""
    rule = {"rule_id": "r", "artifacts": ["dom"], "match": "Shop", "replacement": "Site"}
    after = sealed_capture(rich_capture("<main>Another</main>"))
    return {
        "before_scenario": plain(sealed_capture()),
        "after_scenario": plain(after)["normalized_result"],
        "normalization": {"rules": [rule]},
    }


def altered(_: str) -> Document:
    """A comparison of a capture that does not verify."""
    before = plain(sealed_capture())
    before["limitations"] = ["made up"]
    return {"before_scenario": before, "after_scenario": plain(sealed_capture())}


CASES = {
    "captured": ("capture_browser_scenario", captured),
    "wrong": ("capture_browser_scenario", wrong),
    "unset": ("capture_browser_scenario", unset),
    "changed": ("compare_web_captures", changed),
    "altered": ("compare_web_captures", altered),
    "verified": ("verify_evidence", lambda _: {"document": plain(sealed_capture())}),
}


async def test_every_door_gives_the_same(
    everywhere: Place, http_address: str, shop: Loopback, tmp_path: Path
) -> None:
    async with doors(everywhere, http_address, tmp_path) as opened:
        for case, (tool, arguments) in CASES.items():
            outcomes = {name: await door(tool, arguments(shop.origin)) for name, door in opened.items()}
            looked_at(case, outcomes)


def looked_at(case: str, outcomes: dict[str, Outcome]) -> None:
    """What came of one case: the same at each door, and what the case is about."""
    first = outcomes["command line"]
    for name, outcome in outcomes.items():
        assert differences(same(outcome), same(first)) == [], f"{case}: {name}"
        assert SECRET not in json.dumps(outcome, default=str)
        if isinstance(outcome, dict) and "normalized_result" in outcome:
            parse(json.dumps(outcome).encode(), name)
    if case == "captured":
        assert isinstance(first, dict)
        statuses = [step["status"] for step in first["normalized_result"]["steps"]]
        assert statuses == ["completed"] * 4 + ["failed"]
    codes = {"wrong": "invalid_input", "altered": "invalid_input", "unset": "unavailable"}
    assert (first.code if isinstance(first, Refused) else None) == codes.get(case)
    if case in {"changed", "verified"}:  # nothing of these is a time
        assert all(outcome == first for outcome in outcomes.values())
