"""Whatever is handed in as a scenario is understood, or refused with pointers into it and sentences."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.contracts.reading import read_scenario
from rea_capture.contracts.scenario import Scenario
from rea_capture.errors import InputError
from tests.fuzz.examples import altered, check_refusal, examples, json_values

_LITERAL: Final = {"source": "literal", "value": "dark"}
_ENTRIES: Final = [{"origin": "http://127.0.0.1:3000", "entries": [{"name": "a", "value": _LITERAL}]}]
GOOD: Final[dict[str, Any]] = {
    "browser": {"mode": "launch", "executable_path": "/usr/bin/chromium", "headless": True},
    "start_url": {"url": "http://127.0.0.1:3000/?a=1#b", "query": [{"name": "q", "value": _LITERAL}]},
    "secrets": [{"secret_id": "password", "environment_variable": "SHOP_PASSWORD"}],
    "actions": [
        {"step_id": "open", "action": "goto", "destination": {"url": "http://a.test/"}, "wait_until": "load"},
        {"step_id": "type", "action": "fill", "locator": {"kind": "css", "selector": "#p"},
         "value": {"source": "secret", "secret_id": "password"}, "timeout_ms": 1000},
        {"step_id": "go", "action": "click", "locator": {"kind": "role", "role": "button", "name": "Go"},
         "button": "left", "click_count": 1},
        {"step_id": "key", "action": "press", "locator": {"kind": "test_id", "value": "x"}, "key": "Enter"},
        {"step_id": "there", "action": "wait_for", "locator": {"kind": "css", "selector": "p"},
         "state": "hidden"},
        {"step_id": "settle", "action": "wait_for_timeout", "duration_ms": 100},
    ],
    "environment": {"locale": "de-DE", "timezone": "Europe/Berlin", "service_workers": "allow",
                    "viewport": {"width": 800, "height": 600, "device_scale_factor": 2}},
    "storage": {
        "cookies": [{"name": "theme", "value": _LITERAL, "destination": {"url": "http://127.0.0.1:3000/"}}],
        "local_storage": _ENTRIES,
        "session_storage": _ENTRIES,
    },
    "capture": {"at_end": ["dom", "url"], "after_each_step": ["screenshot"], "events": ["network", "console"],
                "network": {"response_body": True, "request_body": False, "header_values": True},
                "limits": {"max_events": 10}},
    "command_timeout_ms": 30000,
}  # fmt: skip


def understood(data: bytes) -> Scenario | None:
    """The scenario in ``data``, or None when it was refused as it should be."""
    try:
        return read_scenario(data)
    except InputError as error:
        check_refusal(error)
        return None


def as_bytes(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


def test_the_scenario_that_the_others_are_made_from_is_good() -> None:
    assert understood(as_bytes(GOOD)) is not None


@examples(150)
@given(altered(GOOD, json_values()))
def test_a_scenario_with_one_thing_altered_is_refused_or_means_one_thing(document: Any) -> None:
    scenario = understood(as_bytes(document))
    if scenario is None:
        return
    again = read_scenario(as_bytes(scenario.model_dump(mode="json", exclude_none=True)))
    assert again == scenario
    assert again.sha256() == scenario.sha256()


@examples(60)
@given(json_values())
def test_no_value_of_another_kind_is_a_scenario(document: Any) -> None:
    assert understood(as_bytes(document)) is None


@examples(60)
@given(st.binary(max_size=200))
def test_no_bytes_at_all_are_a_scenario(data: bytes) -> None:
    assert understood(data) is None


@examples(60)
@given(st.integers(0, len(as_bytes(GOOD)) - 1), st.binary(max_size=3))
def test_a_scenario_with_bytes_put_in_or_taken_out_is_refused_or_understood(at: int, put: bytes) -> None:
    data = as_bytes(GOOD)
    for changed in (data[:at] + put + data[at:], data[:at] + put + data[at + 1 :], data[:at]):
        understood(changed)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"actions":['])
def test_a_scenario_as_deep_as_a_well_is_refused(opening: bytes) -> None:
    assert understood(opening * 100_000) is None
