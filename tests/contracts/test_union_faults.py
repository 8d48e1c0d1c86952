"""Faults in unions: pointers into the document and nothing else, sentences of the branch that is meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rea_capture.contracts.reading import validated
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.scenario_file import ScenarioFile
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.contracts.scenario import Scenario
from rea_capture.errors import InputError


def faults(document: Any, model: Any) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        validated(json.dumps(document).encode(), document, model, what="document")
    assert len({each.pointer for each in caught.value.faults}) == len(caught.value.faults)
    return {each.pointer: each.message for each in caught.value.faults}


UNKNOWN = "this field is unknown; remove it or correct its name"
REQUIRED = "this field is required"


@pytest.mark.parametrize("kind", ["text", "title", "url"])
def test_the_tag_of_a_union_is_no_key_of_the_document(kind: str) -> None:
    document = {"op": "assert", "request": {"assertion": {"kind": kind, kind: "x"}}}
    assert faults(document, BrowserOperation) == {
        "/request/assertion/value": REQUIRED,
        f"/request/assertion/{kind}": UNKNOWN,
    }


def test_neither_is_it_in_scenarios_and_scenario_files() -> None:
    credentials = {"a": {"source": "literal", "literal": "x"}}
    assert faults({"credentials": credentials}, SessionSettings) == {
        "/credentials/a/value": REQUIRED,
        "/credentials/a/literal": UNKNOWN,
    }
    file = {
        "version": 1,
        "id": "a",
        "operations": [{"op": "closeTab", "closeTab": 1, "request": {"tab": {"source": "operation"}}}],
    }
    assert set(faults(file, ScenarioFile)) == {
        "/operations/0/closeTab",
        "/operations/0/request/tab/operation",
        "/operations/0/request/tab/result",
    }
    action = {"action": "click", "click": 1, "locator": {"kind": "css", "css": "a"}}
    found = faults({"actions": [action]}, Scenario)
    assert {"/actions/0/click", "/actions/0/locator/css", "/actions/0/locator/selector"} <= set(found)


@pytest.mark.parametrize(
    ("origins", "expected"),
    [
        (
            ["http://127.0.0.1:80"],
            {"/allowedOrigins/0": "must be an exact origin, as a browser prints it: 'http://127.0.0.1'"},
        ),
        ([], {"/allowedOrigins": "must have at least 1 item(s), not 0"}),
        ("http://127.0.0.1", {"/allowedOrigins": "must be '*' or an array"}),
        (5, {"/allowedOrigins": "must be '*' or an array"}),
    ],
)
def test_of_a_union_only_the_branch_that_is_meant_speaks(origins: Any, expected: dict[str, str]) -> None:
    assert faults({"allowedOrigins": origins}, SessionSettings) == expected


def test_a_value_is_told_what_is_wrong_with_it_as_text_or_as_a_reference() -> None:
    def value(given: Any) -> dict[str, str]:
        step = {"instruction": "a", "action": "fill", "value": given}
        return faults({"op": "act", "request": {"step": step}}, BrowserOperation)

    assert value(5) == {"/request/step/value": "must be a string or an object"}
    assert value({"credential": 5}) == {"/request/step/value/credential": "must be a string"}
    assert value("x" * 5_000) == {"/request/step/value": "must have at most 4096 character(s)"}


def test_names_of_python_are_none_of_the_wire() -> None:
    assert faults({"op": "captureEvidence", "request": {"run_id": "a"}}, BrowserOperation) == {
        "/request/runId": REQUIRED,
        "/request/run_id": UNKNOWN,
    }
    assert faults({"allowed_origins": "*"}, SessionSettings) == {"/allowed_origins": UNKNOWN}


@pytest.mark.parametrize(
    ("browser", "mode"),
    [
        ({}, "launch"),
        ({"headless": False}, "launch"),
        ({"mode": "launch"}, "launch"),
        ({"cdpEndpoint": "http://127.0.0.1:1"}, "attach"),
        ({"mode": "attach", "cdpEndpoint": "http://127.0.0.1:1"}, "attach"),
    ],
)
def test_a_browser_without_a_mode_is_launched_unless_it_has_an_endpoint(browser: Any, mode: str) -> None:
    document = {"browser": browser}
    settings = validated(json.dumps(document).encode(), document, SessionSettings, what="document")
    assert settings.browser.mode == mode


@pytest.mark.parametrize("mode", ["other", 5, None, ["launch"]])
def test_any_other_mode_is_refused_where_it_is(mode: Any) -> None:
    assert faults({"browser": {"mode": mode}}, SessionSettings) == {
        "/browser/mode": "must be one of 'launch', 'attach'"
    }
