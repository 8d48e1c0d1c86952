"""What a client can do wrong is answered, and the server goes on."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from rea_capture.mcp_server.limits import MAX_CALL_BYTES, MAX_MESSAGE_BYTES
from tests.mcp_server.serving import Pipes, Place, call, request

SCENARIO = {
    "browser": {"mode": "launch"},
    "start_url": {"url": "http://127.0.0.1:9/"},
    "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
}


def error_of(answer: dict[str, Any]) -> Any:
    """The refusal in the answer to a call: structured, and the same as text."""
    result = answer["result"]
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"]["error"]


@pytest.mark.parametrize(
    ("line", "request_id", "code"),
    [
        (b"{", None, -32700),
        (b"\xff\xfe{}", None, -32700),
        (b"[" * 5_000, None, -32700),
        (b"[]", None, -32600),
        (b'"hello"', None, -32600),
        (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', 7, -32600),
        (b'{"id": "x"}', "x", -32600),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": 8, "method": "no/such"}', 8, -32601),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"arguments": {}}}', 9, -32602),
        (
            b'{"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": {"name": "x", "arguments": []}}',
            10,
            -32602,
        ),
    ],
)
def test_a_line_that_is_no_message_is_answered_with_an_error(
    shared: Pipes, line: bytes, request_id: Any, code: int
) -> None:
    shared.send(b"", line)
    assert shared.answer(request_id)["error"]["code"] == code
    shared.send(request("ping", "ping"))
    assert shared.answer("ping")["result"] == {}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Any:
    """One server for tests that leave it as it was."""
    place = Place(tmp_path_factory.mktemp("shared"), chromium_path)
    server = Pipes(place)
    server.initialize()
    yield server
    server.hang_up()
    status, said = server.ended()
    server.kill()
    left = place.leftovers()
    place.remove()
    assert (status, said, left) == (0, "", [])


def test_a_tool_that_does_not_exist_is_refused_with_those_that_do(shared: Pipes) -> None:
    shared.send(call("no_such_tool", 1, {}))
    error = error_of(shared.answer(1))
    assert error["code"] == "unknown_tool"
    assert "'no_such_tool'" in error["message"]
    assert "capture_browser_scenario" in error["message"]
    assert error["recovery"]
    shared.send(call("x" * 150, 2, {}))
    error = error_of(shared.answer(2))
    assert error["message"].startswith(f"there is no tool '{'x' * 100}… (50 more characters)'; there are ")


def test_every_fault_of_a_scenario_is_told_with_its_pointer(shared: Pipes) -> None:
    wrong = {
        **SCENARIO,
        "actions": [{"step_id": "1", "action": "wait_for_timeout", "duration_ms": "1"}],
        "x": 0,
    }
    shared.send(call("capture_browser_scenario", 1, wrong))
    error = error_of(shared.answer(1))
    assert error["code"] == "invalid_input"
    assert {each["pointer"] for each in error["details"]} >= {"/actions/0/duration_ms", "/x"}
    assert all(each["message"] for each in error["details"])


def test_numbers_and_keys_are_read_as_strictly_as_from_a_file(shared: Pipes) -> None:
    for text, pointer in (
        ('{"duration_ms": 1.0}', "/actions/0/duration_ms"),
        ('{"duration_ms": 1, "duration_ms": 2}', "/actions/0/duration_ms"),
        ('{"duration_ms": true}', "/actions/0/duration_ms"),
    ):
        action = '{"step_id": "wait", "action": "wait_for_timeout", ' + text[1:]
        scenario = (
            '{"browser": {"mode": "launch"}, "start_url": {"url": "http://127.0.0.1:9/"}, "actions": ['
            + action
            + "]}"
        )
        shared.send(
            b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": '
            b'{"name": "capture_browser_scenario", "arguments": ' + scenario.encode() + b"}}"
        )
        details = error_of(shared.answer(5))["details"]
        assert [each["pointer"] for each in details] == [pointer]


@pytest.mark.parametrize(
    ("message", "pointer", "sentence"),
    [
        (b'"params": {%b, "arguments": {"document": {}}, "arguments": {}}', "", "/params/arguments of the "),
        (b'"params": {%b, "name": "verify_evidence", "arguments": {}}', "", "/params/name of the message"),
        (b'"id": 6, "params": {%b, "arguments": {}}', "", "/id of the message"),
        (b'"params": {%b, "_meta": {"a": 1, "a": 2}, "arguments": {}}', "", "/params/_meta/a of the message"),
        (b'"params": {%b, "arguments": {"arguments": 1, "arguments": 2}}', "/arguments", "than once in its"),
    ],
)
def test_a_key_that_comes_twice_is_a_fault_wherever_it_is(
    shared: Pipes, message: bytes, pointer: str, sentence: str
) -> None:
    name = b'"name": "verify_evidence"'
    shared.send(b'{"jsonrpc": "2.0", "id": 6, "method": "tools/call", ' + message.replace(b"%b", name) + b"}")
    error = error_of(shared.answer(6))
    assert error["code"] == "invalid_input"
    [detail] = error["details"]
    assert detail["pointer"] == pointer
    assert "appears more than once" in detail["message"]
    assert sentence in detail["message"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (b'{"evidence_id": NaN}', "NaN is not a JSON number"),
        (b'{"offset": -Infinity}', "Infinity is not a JSON number"),
        (b'{"evidence_id": "\\ud800"}', "surrogates not allowed"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "deeper than 128 levels"),
    ],
)
def test_arguments_that_the_library_does_not_read_are_refused_in_words(
    shared: Pipes, arguments: bytes, sentence: str
) -> None:
    shared.send(
        b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": '
        b'{"name": "read_evidence", "arguments": ' + arguments + b"}}"
    )
    error = error_of(shared.answer(8))
    assert error["code"] == "invalid_input"
    assert sentence in error["message"]


def test_a_refusal_does_not_repeat_what_was_sent_without_bound(shared: Pipes) -> None:
    long = "x" * 1_000_000
    browser = {"mode": "launch", "executable_path": "/" + long}
    for tool, arguments in (
        ("compare_web_captures", {"before_scenario": {"evidence_id": long}, "after_scenario": {}}),
        ("read_evidence", {"evidence_id": "ev_" + "0" * 64, long: 1}),
        (
            "capture_browser_scenario",
            {**SCENARIO, "browser": browser},
        ),
    ):
        shared.send(call(tool, 1, arguments))
        assert len(json.dumps(error_of(shared.answer(1)))) < 10_000
    shared.send(request("resources/read", 2, {"uri": f"rea://evidence/{long}"}))
    assert len(json.dumps(shared.answer(2))) < 10_000


def test_a_browser_whose_name_no_file_can_have_is_not_there(shared: Pipes) -> None:
    browser = {"mode": "launch", "executable_path": "/" + "x" * 300}
    shared.send(call("capture_browser_scenario", 1, {**SCENARIO, "browser": browser}))
    error = error_of(shared.answer(1))
    assert error["code"] == "unavailable"
    assert "does not exist" in error["message"]


def test_a_side_of_a_comparison_that_is_not_kept_says_so(shared: Pipes) -> None:
    side = {"evidence_id": "ev_" + "0" * 64}
    shared.send(call("compare_web_captures", 1, {"before_scenario": side, "after_scenario": side}))
    error = error_of(shared.answer(1))
    assert error["code"] == "evidence_not_kept"
    assert "resources/list" in error["recovery"]
    assert {each["pointer"] for each in error["details"]} == {
        "/before_scenario/evidence_id",
        "/after_scenario/evidence_id",
    }
    shared.send(call("compare_web_captures", 2, {"before_scenario": side, "after_scenario": {}}))
    assert error_of(shared.answer(2))["code"] == "invalid_input"


def test_a_resource_that_cannot_be_read_is_refused_with_a_pointer_to_its_address(shared: Pipes) -> None:
    unknown = "ev_" + "0" * 64
    for uri, sentence in (("rea://other", "only resources"), (f"rea://evidence/{unknown}/a", unknown)):
        shared.send(request("resources/read", 7, {"uri": uri}))
        error = shared.answer(7)["error"]
        assert error["code"] == -32602
        [detail] = error["data"]["details"]
        assert detail["pointer"] == "/uri"
        assert sentence in detail["message"]


def test_a_secret_that_is_not_set_is_refused_by_the_name_of_its_variable(shared: Pipes) -> None:
    secrets = [{"secret_id": "token", "environment_variable": "REA_TEST_UNSET"}]
    shared.send(call("capture_browser_scenario", 1, {**SCENARIO, "secrets": secrets}))
    error = error_of(shared.answer(1))
    assert error["code"] == "unavailable"
    assert error["details"][0]["pointer"] == "/secrets/0/environment_variable"
    assert "REA_TEST_UNSET" in error["message"]


def test_arguments_of_20_megabytes_are_refused_by_the_name_of_the_limit(shared: Pipes) -> None:
    shared.send(call("verify_evidence", 1, {"document": {"text": "x" * 20_000_000}}))
    error = error_of(shared.answer(1))
    assert error["code"] == "input_too_large"
    assert f"{MAX_CALL_BYTES:,} (MAX_CALL_BYTES)" in error["message"]
    assert "evidence_id" in error["recovery"]


def test_a_line_that_is_too_long_is_skipped_and_refused_by_the_name_of_the_limit(shared: Pipes) -> None:
    shared.send(b'{"jsonrpc": "2.0", "id": 1, "x": "' + b"x" * MAX_MESSAGE_BYTES + b'"}', request("ping", 2))
    error = shared.answer(None)["error"]
    assert f"{MAX_MESSAGE_BYTES:,} bytes (MAX_MESSAGE_BYTES)" in error["message"]
    assert shared.answer(2)["result"] == {}


def test_a_document_that_is_not_what_it_says_it_is_is_refused_with_pointers(shared: Pipes) -> None:
    shared.send(call("verify_evidence", 1, {"document": {"schema_version": 2}}))
    error = error_of(shared.answer(1))
    assert error["code"] == "invalid_input"
    assert all(each["pointer"].startswith("/document") for each in error["details"])
    for arguments in ({}, {"document": {}, "evidence_id": "ev_" + "0" * 64}):
        shared.send(call("verify_evidence", 2, arguments))
        assert "document or evidence_id" in error_of(shared.answer(2))["message"]


def test_an_id_that_this_server_does_not_have_is_refused_wherever_it_is_named(shared: Pipes) -> None:
    unknown = "ev_" + "0" * 64
    for tool, arguments, pointer in (
        ("read_evidence", {"evidence_id": unknown}, "/evidence_id"),
        ("verify_evidence", {"evidence_id": unknown}, "/evidence_id"),
    ):
        shared.send(call(tool, tool, arguments))
        error = error_of(shared.answer(tool))
        assert (error["code"], error["details"][0]["pointer"]) == ("evidence_not_kept", pointer)
    sides = {"before_scenario": {"evidence_id": unknown}, "after_scenario": {"evidence_id": 5}}
    shared.send(call("compare_web_captures", "c", {**sides, "extra": 1}))
    error = error_of(shared.answer("c"))
    pointers = {each["pointer"] for each in error["details"]}
    assert pointers == {"/before_scenario/evidence_id", "/after_scenario/evidence_id", "/extra"}


def test_nothing_but_frames_comes_out_whatever_a_library_prints(place: Place) -> None:
    noisy = (
        "import os, subprocess, sys\n"
        "import rea_capture.mcp_server.server as room\n"
        "original = room._workshop\n"
        "def printing(settings):\n"
        "    print('stray', flush=True); os.write(1, b'raw'); subprocess.run(['echo', 'child'])\n"
        "    sys.stdout.write(sys.stdin.read() + 'read'); sys.stdout.flush()\n"
        "    return original(settings)\n"
        "room._workshop = printing\n"
        "print('early', file=sys.stderr)\n"
        "from rea_capture.cli import main\n"
        "main(['serve-mcp'])\n"
    )
    server = Pipes(place, command=(sys.executable, "-c", noisy))
    try:
        server.initialize()
        server.send(call("no_such_tool", 1, {}))
        server.answer(1)
        server.hang_up()
        status, said = server.ended()
    finally:
        server.kill()
    assert status == 0
    assert all(word in said for word in ("stray", "raw", "child", "read"))


def test_a_defect_is_refused_without_its_data(place: Place) -> None:
    broken = (
        "import rea_capture.mcp_server.tools as room\n"
        "def fails(*_): raise RuntimeError('correct-horse-battery')\n"
        "room.verify = fails\n"
        "from rea_capture.cli import main\n"
        "main(['serve-mcp'])\n"
    )
    server = Pipes(place, command=(sys.executable, "-c", broken))
    try:
        server.initialize()
        server.send(call("verify_evidence", 1, {"document": {}}))
        error = error_of(server.answer(1))
        server.hang_up()
        _, said = server.ended()
    finally:
        server.kill()
    assert error["code"] == "defect"
    assert "RuntimeError at rea_capture/mcp_server/tools.py:" in error["message"]
    assert "correct-horse" not in json.dumps(error) + said
