"""Scenario files are refused before anything starts, with a pointer to everything that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from rea_capture.contracts.runtime.budgets import MAX_OPERATIONS
from rea_capture.errors import InputError
from rea_capture.session.scenario.reading import read_scenario_file
from tests.session.scenario.scripted import document

ALLOWED = "http://127.0.0.1:4310"
OTHER = "http://127.0.0.1:4311"


def faults(*operations: dict[str, Any], **members: Any) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        read_scenario_file(document(*operations, **members))
    return {fault.pointer: fault.message for fault in caught.value.faults}


def after(operation: dict[str, Any], result: str, index: int | None = None) -> dict[str, Any]:
    """A selectTab whose tab ``operation`` gives."""
    reference: dict[str, Any] = {"source": "operation", "operation": operation, "result": result}
    if index is not None:
        reference["index"] = index
    return {"op": "selectTab", "request": {"tab": reference}}


LIST = {"id": "tabs", "op": "listTabs"}
PICKING = {"id": "tabs", "op": "listTabs", "request": {"select": {"kind": "index", "index": 0}}}
POPUP = {"id": "popup", "op": "waitPopup"}


def test_the_example_of_a_popup_is_read() -> None:
    file = read_scenario_file(
        document(
            {"id": "start", "op": "read", "request": {"tab": {"source": "initial", "target": "selected"}}},
            {"id": "tabs", "op": "listTabs", "request": {"select": {"kind": "origin", "origin": ALLOWED}}},
            {"id": "selected", **after({"id": "tabs"}, "listedTab", 0)},
            {
                "id": "popup",
                "op": "waitPopup",
                "request": {
                    "opener": {
                        "source": "operation",
                        "operation": {"id": "selected"},
                        "result": "selectedTab",
                    }
                },
            },
        )
    )
    assert [each.op for each in file.operations] == ["read", "listTabs", "selectTab", "waitPopup"]


@pytest.mark.parametrize(
    ("operations", "pointer", "words"),
    [
        ([after({"id": "popup"}, "popup"), POPUP], "operation/id", "forward, to /operations/1"),
        ([after({"index": 1}, "popup"), POPUP], "operation/index", "forward, to /operations/1"),
        ([{"id": "me", **after({"id": "me"}, "selectedTab")}], "operation/id", "to itself"),
        ([after({"index": 0}, "selectedTab")], "operation/index", "to itself"),
        ([after({"id": "nobody"}, "popup")], "operation/id", "no operation has the id 'nobody'"),
        ([after({"index": 5}, "popup")], "operation/index", "there is no operation 5; the last one is 0"),
        ([after({"index": -1}, "popup")], "operation/index", "at least 0"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(
    operations: list[dict[str, Any]], pointer: str, words: str
) -> None:
    found = faults(*operations)
    assert list(found) == [f"/operations/0/request/tab/{pointer}"]
    assert words in found[f"/operations/0/request/tab/{pointer}"]


@pytest.mark.parametrize(
    ("first", "result", "index", "pointer", "words"),
    [
        (LIST, "popup", None, "result", "waitPopup gives a popup"),
        (LIST, "selectedTab", None, "result", "selectTab gives a selectedTab"),
        (POPUP, "listedTab", 0, "result", "listTabs gives a listedTab"),
        ({"id": "read", "op": "read"}, "popup", None, "result", "waitPopup gives a popup"),
        (POPUP, "popup", 0, "index", "only a listedTab has an index"),
        (LIST, "listedTab", 32, "index", "at most 31"),
    ],
)
@pytest.mark.parametrize("by", ["id", "index"])
def test_a_reference_names_an_operation_that_gives_such_a_tab(
    by: str, first: dict[str, Any], result: str, index: int | None, pointer: str, words: str
) -> None:
    found = faults(first, after({"id": first["id"]} if by == "id" else {"index": 0}, result, index))
    assert list(found) == [f"/operations/1/request/tab/{pointer}"]
    assert words in found[f"/operations/1/request/tab/{pointer}"]


def test_operations_after_the_first_32_are_referred_to_by_id_only() -> None:
    operations = [*({"op": "read"} for _ in range(32)), POPUP]
    assert faults(*operations, after({"index": 32}, "popup")) == {
        "/operations/33/request/tab/operation/index": "must be at most 31"
    }
    read_scenario_file(document(*operations, after({"id": "popup"}, "popup")))


def test_a_list_that_picks_nothing_needs_an_index() -> None:
    assert "Give an index" in faults(LIST, after({"id": "tabs"}, "listedTab"))["/operations/1/request/tab"]
    read_scenario_file(document(PICKING, after({"id": "tabs"}, "listedTab")))
    read_scenario_file(document(LIST, after({"index": 0}, "listedTab", 31)))


def test_every_place_that_has_a_reference_is_looked_at() -> None:
    reference = {"source": "operation", "operation": {"id": "none"}, "result": "popup"}
    step = {"instruction": "Continue", "action": "click"}
    found = faults(
        {"op": "step", "step": step, "tab": reference},
        *({"op": op, "request": {"tab": reference}} for op in ("observe", "read", "reload", "closeTab")),
        {"op": "waitPopup", "request": {"opener": reference}},
        {"op": "captureEvidence", "request": {"tab": reference}},
    )
    assert list(found) == [
        "/operations/0/tab/operation/id",
        *(f"/operations/{index}/request/tab/operation/id" for index in range(1, 5)),
        "/operations/5/request/opener/operation/id",
        "/operations/6/request/tab/operation/id",
    ]


def test_ids_are_unique() -> None:
    found = faults({"id": "a", "op": "read"}, {"id": "b", "op": "read"}, {"id": "a", "op": "observe"})
    assert found == {"/operations/2/id": "'a' is already used at /operations/0; it must be unique"}


def test_a_reference_is_pointed_to_where_it_is_wrong_in_itself() -> None:
    found = faults(
        {"op": "closeTab", "request": {"tab": {"source": "operation", "operation": {"id": 1}}}},
        {"op": "closeTab", "request": {"tab": "tab-1"}},
        {"op": "closeTab", "request": {"tab": {"source": "initial", "index": 1}}},
    )
    assert found == {
        "/operations/0/request/tab/operation/id": "must be a string",
        "/operations/0/request/tab/result": "this field is required",
        "/operations/1/request/tab": "must be an object",
        "/operations/2/request/tab/index": "this field is unknown; remove it or correct its name",
    }


def test_all_faults_of_a_file_are_told_at_once() -> None:
    found = faults(
        {"id": "a", "op": "read", "script": "alert()"},
        {"id": "a", **after({"id": "later"}, "popup")},
        {"id": "later", "op": "waitPopup"},
        {"op": "evaluate"},
        budgets={"timeoutMs": 120_001},
        hooks={"setup": {"command": "run", "cwd": "/srv"}},
        fixture={"baseUrl": OTHER},
        settings={"allowedOrigins": [ALLOWED]},
    )
    assert set(found) == {
        "/operations/0/script",
        "/operations/1/id",
        "/operations/1/request/tab/operation/id",
        "/operations/3/op",
        "/budgets/timeoutMs",
        "/hooks/setup/cwd",
        "/fixture/baseUrl",
    }


def test_origins_of_a_file_agree_with_its_policy() -> None:
    found = faults(
        {"op": "navigate", "request": {"url": f"{OTHER}/page"}},
        {"op": "listTabs", "request": {"select": {"kind": "origin", "origin": OTHER}}},
        {"op": "read", "allowedOrigins": [OTHER]},
        {"op": "navigate", "request": {"url": f"{ALLOWED}/page"}, "allowedOrigins": [ALLOWED]},
        fixture={"baseUrl": f"{OTHER}/"},
        settings={"allowedOrigins": [ALLOWED]},
    )
    assert set(found) == {
        "/operations/0/request/url",
        "/operations/1/request/select/origin",
        "/operations/2/allowedOrigins",
        "/fixture/baseUrl",
    }


def test_one_operation_is_held_to_what_it_is_narrowed_to() -> None:
    found = faults({"op": "navigate", "request": {"url": OTHER}, "allowedOrigins": [ALLOWED]})
    assert found == {
        "/operations/0/request/url": f"{OTHER!r} is not in what /operations/0/allowedOrigins leaves"
    }


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1/", "http://user:secret@127.0.0.1/", "http://", "about:blank", "127.0.0.1"]
)
def test_addresses_are_http_and_without_credentials(url: str) -> None:
    readiness = {"mode": "external", "readiness": {"url": url}}
    found = faults(fixture={"baseUrl": url, "server": readiness})
    assert set(found) == {"/fixture/baseUrl", "/fixture/server/readiness/url"}
    assert "secret" not in "".join(found.values())


def test_a_file_cannot_know_what_is_made_when_it_runs() -> None:
    step = {"instruction": "Continue", "action": "click", "ref": "e1", "documentId": "d1"}
    assert set(faults({"op": "step", "step": step})) == {
        "/operations/0/step/ref",
        "/operations/0/step/documentId",
    }


@pytest.mark.parametrize("action", ["fill", "select", "press"])
def test_an_action_that_needs_a_value_has_one(action: str) -> None:
    found = faults({"op": "step", "step": {"instruction": "Name", "action": action}})
    assert found == {"/operations/0/step/value": f"{action} needs a value"}


@pytest.mark.parametrize("action", ["click", "check", "uncheck", "hover"])
def test_an_action_that_takes_no_value_has_none(action: str) -> None:
    found = faults({"op": "step", "step": {"instruction": "Name", "action": action, "value": "x"}})
    assert found == {"/operations/0/step/value": f"{action} takes no value"}


def test_a_credential_is_for_filling() -> None:
    step = {"instruction": "Choose", "action": "select", "value": {"credential": "password"}}
    assert faults({"op": "step", "step": step}) == {
        "/operations/0/step/value": "only fill takes a credential"
    }


def test_programs_are_what_a_system_can_start() -> None:
    found = faults(
        hooks={
            "reset": {
                "command": "a\0b",
                "args": ["ok", "\0"],
                "env": {"A=B": {"variable": "A"}, "": {"variable": "B"}},
            },
            "cleanup": {"command": "x", "shell": True},
        },
        fixture={
            "baseUrl": ALLOWED,
            "server": {
                "mode": "managed",
                "start": {"command": "serve", "cwd": "/"},
                "readiness": {"url": ALLOWED, "headers": {}},
            },
        },
    )
    assert set(found) == {
        "/hooks/reset/command",
        "/hooks/reset/args/1",
        "/hooks/reset/env/A=B",
        "/hooks/reset/env/",
        "/hooks/cleanup/shell",
        "/fixture/server/start/cwd",
        "/fixture/server/readiness/headers",
    }


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"version": 2}, "/version"),
        ({"id": "1 2"}, "/id"),
        ({"operations": []}, "/operations"),
        ({"operations": [{"op": "read"}] * (MAX_OPERATIONS + 1)}, "/operations"),
        ({"operations": [{"op": "close"}]}, "/operations/0/op"),
        ({"operations": [{"op": "act", "request": {}}]}, "/operations/0/op"),
        ({"hooks": {"setup": {"command": "x", "timeoutMs": 120_001}}}, "/hooks/setup/timeoutMs"),
        ({"fixture": {"baseUrl": ALLOWED, "server": {"mode": "other"}}}, "/fixture/server/mode"),
    ],
)
def test_what_no_file_can_hold_is_refused(members: dict[str, Any], pointer: str) -> None:
    assert list(faults(**members)) == [pointer]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"id": "a", "id": "b"}', b"\xff", b"\xef\xbb\xbf{}"])
def test_what_is_no_strict_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        read_scenario_file(data)


def test_a_name_that_a_file_repeats_is_told_shortened() -> None:
    reference = {"source": "operation", "operation": {"id": "x" * 5_000}, "result": "popup"}
    found = faults({"op": "closeTab", "request": {"tab": reference}})
    assert all(len(message) < 300 for message in found.values())
