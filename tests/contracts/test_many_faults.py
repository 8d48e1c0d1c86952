"""What a document may cost that is wrong in very many places: little, and never its refusal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.contracts import json_text
from rea_capture.contracts.json_text import value_count
from rea_capture.contracts.reading import read_scenario
from rea_capture.errors import InputError
from rea_capture.limits import MAX_FAULTS, MAX_SCENARIO_VALUES, MAX_VALUES_FULLY_TOLD
from rea_capture.workflows.compare import read_normalization

SCENARIO: dict[str, Any] = {"browser": {"mode": "launch"}, "start_url": {"url": "http://127.0.0.1/"}}


def scenario(actions: list[Any], **more: Any) -> bytes:
    return json.dumps({**SCENARIO, "actions": actions, **more}).encode()


def refused(read: Any, data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        read(data)
    return caught.value


@pytest.mark.parametrize(
    ("item", "count"),
    [
        (0, MAX_VALUES_FULLY_TOLD),
        ({}, MAX_VALUES_FULLY_TOLD),
        ({"action": "no_such"}, MAX_VALUES_FULLY_TOLD // 2),
    ],
)
def test_of_a_large_scenario_the_first_fault_of_each_list_is_told(item: Any, count: int) -> None:
    error = refused(read_scenario, scenario([item] * count))
    assert all(fault.pointer.startswith("/actions/0") for fault in error.faults[:-1])
    assert error.faults[:-1]
    assert error.faults[-1].pointer == ""
    assert "MAX_VALUES_FULLY_TOLD" in error.faults[-1].message
    assert "only the first fault of each list is told" in error.faults[-1].message


def test_so_it_is_with_caller_rules() -> None:
    error = refused(read_normalization, json.dumps({"rules": [0] * (MAX_VALUES_FULLY_TOLD + 1)}).encode())
    assert error.faults[0].pointer == "/rules/0"
    assert len(error.faults) == 2


def test_unknown_fields_beyond_counting_are_counted() -> None:
    many = {f"x{number}": 0 for number in range(MAX_VALUES_FULLY_TOLD)}
    [fault] = refused(read_normalization, json.dumps({"rules": [], **many}).encode()).faults
    assert f"{MAX_VALUES_FULLY_TOLD:,} faults are not told one by one" in fault.message


def test_an_object_of_a_scenario_that_is_full_of_unknown_fields_is_pointed_to() -> None:
    many = {f"x{number}": 0 for number in range(MAX_FAULTS + 1)}
    [fault] = refused(read_scenario, scenario([0, {"locator": many}])).faults
    assert (fault.pointer, fault.message) == (
        "/actions/1/locator",
        "has 1,001 fields, most of them unknown; remove those",
    )


def test_of_a_small_document_with_many_faults_some_are_told_and_the_others_counted() -> None:
    error = refused(read_scenario, scenario([0] * (MAX_FAULTS + 5)))
    assert len(error.faults) == MAX_FAULTS + 1
    assert error.faults[-1].message == "has 5 more faults (MAX_FAULTS)"
    assert f"(and {MAX_FAULTS + 4} more)" in error.message


def test_keys_that_come_twice_are_bounded_too() -> None:
    twice = b",".join([b'"a":0'] * (MAX_FAULTS * 2))
    data = b'{"browser":0,' + b'"b":{' + twice + b"}}"
    assert len(refused(read_scenario, data).faults) <= MAX_FAULTS + 1


def test_a_large_scenario_that_is_valid_is_read() -> None:
    action = {"action": "wait_for_timeout", "duration_ms": 1}
    actions = [{"step_id": f"s{number}", **action} for number in range(MAX_VALUES_FULLY_TOLD // 3)]
    assert len(read_scenario(scenario(actions)).actions) == len(actions)


def test_more_than_a_scenario_may_have_is_refused_unread() -> None:
    [fault] = refused(read_scenario, b'{"actions": [' + b"{}," * MAX_SCENARIO_VALUES + b"no JSON").faults
    assert fault.pointer == ""
    assert fault.message == "has more than 100,000 values (MAX_SCENARIO_VALUES); make several scenarios of it"


def test_keys_that_come_twice_are_told_up_to_a_number_and_then_counted() -> None:
    twice = b",".join([b'{"a":0,"a":0}'] * (MAX_FAULTS + 5))
    faults = refused(read_scenario, b'{"b":[' + twice + b"]}").faults
    assert len(faults) == MAX_FAULTS + 1
    assert faults[-1].message.startswith("has 5 more keys that appear more than once")


VALUES = st.recursive(
    st.none() | st.integers() | st.text(st.sampled_from('a"\\{}[],: ')),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.sampled_from('b"\\{}[],:')), inner),
)


@given(VALUES, st.sampled_from([None, 0, 2]), st.sampled_from([1, 2, 3, 7, 1_000]))
def test_values_are_counted_exactly_in_the_text(value: Any, indent: int | None, piece: int) -> None:
    data = json.dumps(value, indent=indent).encode()
    count = value_count(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_SCAN_BYTES", piece)
        assert not json_text.has_more_values(data, count)
        assert json_text.has_more_values(data, count - 1)
