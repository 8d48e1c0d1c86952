"""The names of the package: functions and classes, whatever else has been imported."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rea_capture
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes
from tests.cli.running import WAIT_S, environment
from tests.evidence.sealed import plain, sealed_capture

SCENARIO: dict[str, Any] = {
    "browser": {"mode": "launch", "executable_path": "/usr/bin/chromium"},
    "start_url": {"url": "http://127.0.0.1:3000/"},
    "actions": [{"step_id": "settle", "action": "wait_for_timeout", "duration_ms": 1}],
}


@pytest.mark.parametrize("name", rea_capture.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert name in dir(rea_capture)
    assert getattr(rea_capture, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'captur'"):
        _ = rea_capture.captur  # type: ignore[attr-defined]


@pytest.mark.parametrize("first", ["import rea_capture.capture.runner, rea_capture.compare.verdict", "pass"])
def test_capture_and_compare_are_functions_whatever_was_imported_before(first: str) -> None:
    script = (
        f"{first}\nimport inspect\nfrom rea_capture import capture, compare\n"
        "assert inspect.iscoroutinefunction(capture) and inspect.isfunction(compare)\n"
        "from rea_capture.capture import runner\nfrom rea_capture.compare import verdict\n"
        "import rea_capture\nassert rea_capture.compare is compare and rea_capture.capture is capture\n"
    )
    subprocess.run([sys.executable, "-c", script], env=environment(), timeout=WAIT_S, check=True)


def test_the_rooms_of_those_names_can_still_be_imported() -> None:
    assert inspect.ismodule(importlib.import_module("rea_capture.compare"))
    assert inspect.ismodule(importlib.import_module("rea_capture.capture"))


def test_a_scenario_is_read_from_text_bytes_a_value_or_a_path(tmp_path: Path) -> None:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(SCENARIO))
    text = json.dumps(SCENARIO, indent=1)
    scenarios = [rea_capture.read_scenario(source) for source in (text, text.encode(), SCENARIO, path)]
    assert all(scenario == scenarios[0] for scenario in scenarios)
    assert isinstance(scenarios[0], rea_capture.Scenario)


@pytest.mark.parametrize("source", ["", "{}", b"[]", {}, {"actions": {1}}, {"a": float("nan")}, "\ud800"])
def test_what_is_no_scenario_is_an_input_error(source: Any) -> None:
    with pytest.raises(InputError):
        rea_capture.read_scenario(source)


def test_evidence_is_read_checked(tmp_path: Path) -> None:
    evidence = sealed_capture()
    path = tmp_path / "evidence.json"
    rea_capture.write_document(path, rea_capture.evidence_bytes(evidence))
    assert rea_capture.read_evidence(path) == evidence
    with pytest.raises(InputError, match="evidence_id"):
        rea_capture.read_evidence(evidence_bytes(evidence).replace(b"theme", b"thema"))
    with pytest.raises(InputError, match="without its envelope"):
        rea_capture.read_evidence(plain(evidence)["normalized_result"])


def test_two_captures_are_compared_through_the_public_names() -> None:
    evidence = sealed_capture()
    comparison = rea_capture.compare(evidence, evidence)
    assert comparison.normalized_result.overall_status == "unchanged"
    assert rea_capture.verify(rea_capture.evidence_bytes(comparison)).kind == "comparison"


def test_a_typed_program_sees_the_types(tmp_path: Path) -> None:
    assert (Path(rea_capture.__file__).parent / "py.typed").exists()
    hints = inspect.get_annotations(rea_capture.capture)
    assert hints["return"] == "CaptureEvidence"
