"""``rea validate``: the faults of the work itself, and nothing run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rea_capture.evidence import evidence_bytes
from tests.cli.running import json_text, rea, rea_on_terminal, written
from tests.cli.test_capture_command import scenario
from tests.cli.test_terminal_summaries import plain_text
from tests.evidence.sealed import sealed_capture

CAPTURE = json.loads(evidence_bytes(sealed_capture()))
SECRET = {"secret_id": "pin", "environment_variable": "REA_TEST_UNSET"}
GOOD = scenario("http://127.0.0.1:9", secrets=[SECRET])


def test_a_valid_scenario_needs_no_browser_no_site_and_no_secret() -> None:
    run = rea("validate", json_text(GOOD))
    assert (run.status, run.stderr) == (0, b"")
    assert run.document == {
        "environment_variables": ["REA_TEST_UNSET"],
        "kind": "scenario",
        "status": "valid",
        "steps": 2,
    }


def test_a_valid_comparison_input_is_known_by_its_sides(tmp_path: Path) -> None:
    pair = json_text({"before_scenario": CAPTURE, "after_scenario": CAPTURE})
    run = rea("validate", written(tmp_path / "pair.json", pair))
    assert run.status == 0
    assert (run.document["kind"], run.document["status"]) == ("comparison_input", "valid")


def test_a_scenario_may_speak_of_a_side() -> None:
    value = {"source": "literal", "value": '"before_scenario"'}
    locator = {"kind": "css", "selector": "input"}
    fill = {"step_id": "f", "action": "fill", "locator": locator, "value": value, "timeout_ms": 1}
    assert rea("validate", json_text({**GOOD, "actions": [fill]})).document["kind"] == "scenario"


BAD_SCENARIOS = [
    "{}",
    "[]",
    "{",
    "",
    "null",
    '{"browser": 1, "browser": 2}',
    json.dumps({**GOOD, "note": 1, "actions": [{"step_id": "x", "action": "wait_for_timeout"}]}),
    json.dumps({**GOOD, "command_timeout_ms": "100"}),
]


@pytest.mark.parametrize("text", BAD_SCENARIOS)
def test_the_faults_of_a_scenario_are_those_of_a_capture(text: str) -> None:
    validated = rea("validate", "-", stdin=text.encode())
    captured = rea("capture-browser-scenario", "-", stdin=text.encode())
    assert (validated.status, validated.error) == (captured.status, captured.error)
    assert validated.status == 65


BAD_PAIRS: list[dict[str, Any]] = [
    {"before_scenario": CAPTURE},
    {"before_scenario": CAPTURE, "after_scenario": {}, "note": 1},
    {"before_scenario": CAPTURE, "after_scenario": CAPTURE, "normalization": {"rules": [{}]}},
]


@pytest.mark.parametrize("pair", BAD_PAIRS)
def test_the_faults_of_a_comparison_input_are_those_of_a_comparison(pair: dict[str, Any]) -> None:
    validated = rea("validate", "-", stdin=json_text(pair))
    compared = rea("compare-web-captures", "-", stdin=json_text(pair))
    assert (validated.status, validated.error) == (compared.status, compared.error)
    assert validated.status == 65


def test_a_wrong_command_line_and_an_absent_file_are_refused_as_elsewhere(tmp_path: Path) -> None:
    assert rea("validate").status == 64
    absent = rea("validate", str(tmp_path / "absent.json"))
    assert (absent.status, absent.error["code"]) == (65, "invalid_input")


def test_a_terminal_gets_one_line() -> None:
    status, text = rea_on_terminal("validate", json.dumps(GOOD))
    assert status == 0
    assert plain_text(text).strip() == "valid scenario: 2 steps, secrets from REA_TEST_UNSET"
