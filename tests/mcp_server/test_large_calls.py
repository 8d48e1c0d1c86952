"""A large call is handed on without its arguments, and what is too much is refused unread."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.errors import InputError
from rea_capture.limits import MAX_SCENARIO_VALUES
from rea_capture.mcp_server import apart
from rea_capture.mcp_server.apart import without_arguments
from rea_capture.mcp_server.arguments import arguments_of
from rea_capture.mcp_server.incoming import Received, received
from rea_capture.mcp_server.limits import MAX_CALL_VALUES, MAX_WHOLE_BYTES
from tests.mcp_server.serving import Pipes, call

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('a"\\{}[],:é ')),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["arguments", "params", '"', "\\"]), inner)
    ),
)


@given(
    st.dictionaries(st.sampled_from(["a", "arguments", '\\"']), VALUES),
    st.dictionaries(st.sampled_from(["name", "_meta", 'arguments": {']), VALUES),
    st.permutations(["jsonrpc", "params", "more"]),
    st.sampled_from([1, 7, 64]),
)
def test_all_but_the_arguments_is_as_it_was(
    arguments: Any, beside: Any, order: list[str], piece: int
) -> None:
    members: dict[str, Any] = {"jsonrpc": "2.0", "params": {**beside, "arguments": arguments}, "more": beside}
    whole = {name: members[name] for name in order}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "_SCAN_BYTES", piece)
        found = without_arguments(json.dumps(whole, ensure_ascii=False).encode())
    assert found is not None
    assert json.loads(found) == {**whole, "params": {**beside, "arguments": {}}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b'{"arguments": {}}',
        b'{"params": {"a": {"arguments": {}}}}',
        b'{"params": {"a": "\\"arguments\\": {}"}}',
        b'{"params": {"arguments": []}}',
        b'{"params": {"arguments": {"a": "}',
    ],
)
def test_what_has_none_there_is_left_whole(data: bytes) -> None:
    assert without_arguments(data) is None


def test_only_calls_of_tools_are_handed_on_without_them() -> None:
    text = "x" * MAX_WHOLE_BYTES
    taken = received(json.dumps(call("t", 1, {"text": text})).encode())
    assert isinstance(taken, Received)
    assert isinstance(taken.message, types.JSONRPCRequest)
    assert (taken.message.params or {})["arguments"] == {}
    assert len(taken.data) < 200
    other = json.dumps({**call("t", 1, {"text": text}), "method": "prompts/get"}).encode()
    kept = received(other)
    assert isinstance(kept, Received)
    assert kept.data == other


def test_a_message_that_is_no_call_is_bounded_too() -> None:
    many = (
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": [' + b"0," * MAX_CALL_VALUES + b"0]}}"
    )
    refusal = received(many)
    assert isinstance(refusal, types.JSONRPCError)
    assert "(MAX_CALL_VALUES)" in refusal.error.message


def test_evidence_may_have_more_values_than_a_scenario() -> None:
    raw = json.dumps(call("verify_evidence", 1, {"document": {"a": [0] * MAX_SCENARIO_VALUES * 2}})).encode()
    assert len(arguments_of(raw, None, "verify_evidence")["document"]["a"]) == MAX_SCENARIO_VALUES * 2
    with pytest.raises(InputError, match="MAX_SCENARIO_VALUES"):
        arguments_of(raw, None, "capture_browser_scenario")


MAX_PEAK_KIB = 200 * 1024


def test_a_scenario_of_16_megabytes_that_is_none_costs_little(pipes: Pipes) -> None:
    """The bound is that of a server on its own, of which nothing else is asked."""
    actions = b"{}," * (5 * 1024 * 1024)
    pipes.send(
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "capture_browser_scenario", '
        b'"arguments": {"actions": [' + actions + b"{}]}}}"
    )
    error = pipes.answer(1)["result"]["structuredContent"]["error"]
    assert error["code"] == "invalid_input"
    assert error["details"] == [
        {
            "pointer": "",
            "message": "has more than 100,000 values (MAX_SCENARIO_VALUES); make several scenarios of it",
        }
    ]
    with open(f"/proc/{pipes.process.pid}/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    assert peak < MAX_PEAK_KIB
