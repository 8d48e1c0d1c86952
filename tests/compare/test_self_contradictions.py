"""Captures that call themselves complete and are not: none of them equals itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from rea_capture.canonical import record_bytes
from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult, Omissions
from rea_capture.contracts.capture_selection import CaptureSelection, NetworkContentSelection
from rea_capture.contracts.events import AnyEvent, NetworkContentEvent
from rea_capture.contracts.network import NotExposed
from rea_capture.contracts.states import NOT_REQUESTED
from rea_capture.evidence.identity import evidence_id_of
from rea_capture.workflows.compare import compare
from tests import builders as make
from tests.evidence.sealed import sealed_capture

STEPS = [make.start(), make.step("a", 1), make.step("b", 2), make.step("c", 3)]
EVERY_STEP = ["scenario_start", "a", "b", "c"]
ALL_CONTENT = make.network_content(request_body=True, response_body=True, header_values=True)
SENT = make.content(1, phase="request", body=NotExposed(), headers=())
RECEIVED = make.content(1, headers=())


def captured(events: Sequence[AnyEvent], **changes: Any) -> CaptureResult:
    capture = make.capture(STEPS, events, **{"families": ["network"], **changes})
    assert capture.completeness.equality_eligible
    return capture


def unknown_events(capture: CaptureResult) -> dict[str, str]:
    """The reasons for which the events of ``capture`` are not equal to themselves, by step."""
    result = compare_captures(capture, capture)
    rows = {step.step_id: row for step in result.steps for row in step.artifact_diffs}
    assert result.overall_status == ("unknown" if rows else "unchanged")
    for row in rows.values():
        assert (row.artifact, row.status) == ("events", "unknown")
        assert row.recovery
    return {step_id: str(row.reason) for step_id, row in rows.items()}


# Network content that was selected


def test_content_that_was_selected_and_is_all_there_equals_itself() -> None:
    assert (
        unknown_events(captured([*make.transaction(), SENT, RECEIVED], content_selection=ALL_CONTENT)) == {}
    )


@pytest.mark.parametrize("part", ["request_body", "response_body", "header_values"])
def test_a_transaction_without_the_content_that_was_selected_proves_nothing(part: str) -> None:
    selection = make.network_content(**{part: True})
    capture = captured([*make.transaction(), *make.transaction(2, 3)], content_selection=selection)
    found = unknown_events(capture)
    assert list(found) == ["a", "c"]
    assert "nothing in the capture says what became of it" in found["a"]


@pytest.mark.parametrize("present", [[SENT], [RECEIVED]])
def test_content_of_one_phase_does_not_stand_for_the_other(present: list[AnyEvent]) -> None:
    assert list(unknown_events(captured([*make.transaction(), *present], content_selection=ALL_CONTENT))) == [
        "a"
    ]


@pytest.mark.parametrize(
    ("phase", "part", "state"),
    [
        ("request", "headers", NOT_REQUESTED),
        ("request", "body", NOT_REQUESTED),
        ("response", "headers", NOT_REQUESTED),
        ("response", "body", NOT_REQUESTED),
        ("response", "body", NotExposed()),
    ],
)
def test_content_of_which_a_selected_part_was_not_looked_at_proves_nothing(
    phase: str, part: str, state: Any
) -> None:
    without: dict[str, Any] = {part: state}
    changed: dict[str, NetworkContentEvent] = {
        one.phase: dataclasses.replace(one, **without) if one.phase == phase else one
        for one in (SENT, RECEIVED)
    }
    events = [*make.transaction(), *changed.values()]
    capture = captured(events, content_selection=ALL_CONTENT)
    assert list(unknown_events(capture)) == ["a"]


def test_a_request_without_response_needs_no_content_of_one() -> None:
    events: list[AnyEvent] = [
        make.request(),
        make.outcome("request-failed", status=None, failure="net::ERR"),
        SENT,
    ]
    assert unknown_events(captured(events, content_selection=ALL_CONTENT)) == {}


def test_selected_content_without_a_transaction_that_should_have_it_equals_itself() -> None:
    assert unknown_events(captured([], content_selection=ALL_CONTENT)) == {}


@pytest.mark.parametrize(
    "source",
    [1, 3, 4, 5, 99],
    ids=["the request", "the end", "another transaction's request", "another's response", "nothing"],
)
def test_content_that_does_not_belong_to_its_own_response_proves_nothing(source: int) -> None:
    numbered = make.numbered([*make.transaction(), *make.transaction(2, 3), make.content(1), make.content(2)])
    strayed = [
        dataclasses.replace(event, source_event_sequence=source) if event.sequence == 7 else event  # type: ignore[arg-type]  # network content has one
        for event in numbered
    ]
    found = unknown_events(captured(strayed, renumber=False))
    assert list(found) == ["a"]
    assert "not in the capture, or not of its transaction" in found["a"]


# Transactions


def test_a_request_of_which_nothing_came_proves_nothing() -> None:
    found = unknown_events(captured([make.request(), *make.transaction(2, 3)]))
    assert list(found) == ["a"]
    assert "nothing came of a request" in found["a"]


def test_a_request_that_was_under_way_at_the_end_equals_itself() -> None:
    assert unknown_events(captured([make.request(), make.unfinished(1, 3)])) == {}


@pytest.mark.parametrize("kind", ["request-finished", "request-failed"])
def test_a_transaction_that_ends_twice_proves_nothing(kind: str) -> None:
    found = unknown_events(captured([*make.transaction(), make.outcome(kind)]))
    assert "ends more than once" in found["a"]


# Families


@pytest.mark.parametrize(
    ("event", "family"),
    [
        (make.console(), "console"),
        (make.page_error(), "page-errors"),
        (make.websocket(), "websockets"),
        (make.lifecycle("worker-created"), "workers"),
        (make.lifecycle("popup-opened"), "popups"),
        (make.lifecycle("frame-attached"), "frames"),
        (make.download(), "downloads"),
    ],
)
def test_events_of_a_family_that_was_not_selected_make_every_step_unknown(
    event: AnyEvent, family: str
) -> None:
    found = unknown_events(captured([*make.transaction(), event]))
    assert list(found) == EVERY_STEP
    assert f"families that it did not select ({family})" in found["a"]
    assert unknown_events(captured([event], families=[family])) == {}


def test_network_events_belong_to_a_selection_of_network_content() -> None:
    events = [*make.transaction(), make.content()]
    assert unknown_events(captured(events, families=[])) == {}
    assert list(unknown_events(captured(make.transaction(), families=[]))) == EVERY_STEP


def test_network_content_that_was_not_selected_makes_every_step_unknown() -> None:
    selection = make.network_content(request_body=True)
    events = [*make.transaction(), make.content(phase="request"), make.content(), make.content(headers=())]
    found = unknown_events(captured(events, content_selection=selection))
    assert list(found) == EVERY_STEP
    assert "content that it did not select (header_values and response_body)" in found["a"]


# Messages


@pytest.mark.parametrize(
    "changes", [{"payload_text": None}, {"payload_bytes": 6}, {"payload_bytes": 4}, {"truncated": True}]
)
def test_a_message_of_which_a_part_is_not_there_proves_nothing(changes: dict[str, Any]) -> None:
    message = dataclasses.replace(make.frame("hello", 2), **changes)
    assert list(unknown_events(captured([message], families=["websockets"]))) == ["b"]


def test_a_message_whose_length_redaction_changed_equals_itself() -> None:
    messages = [
        dataclasses.replace(make.frame("token [REDACTED:token]"), payload_bytes=11),
        make.frame("grün"),
        make.binary_frame(),
    ]
    assert unknown_events(captured(messages, families=["websockets"])) == {}


# Omissions


ONE_RESPONSE = {"by_kind": {"response": 1}, "transactions": {1: ["response"]}}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"first_last": (2, 3)}, "network_transaction_range has more transactions than"),
        ({"by_kind": {"console": 9}, "first_last": (2, 3)}, "network_transaction_range has more"),
        ({"by_kind": {"request": 1}, "first_last": (2, 3)}, "network_transaction_range has more"),
        ({"by_kind": {"request": 1}, "first_last": (3, 2)}, "ends before it begins"),
        ({**ONE_RESPONSE, "first_last": (2, 2)}, "network_transaction_range has more transactions than"),
        (
            {"by_kind": {"response": 2}, "transactions": {2: ["response"]}, "first_last": (2, 2)},
            "of network_tr",
        ),
        ({"transactions": {1: ["response"]}}, "names more events of kind 'response' than by_kind counts"),
        ({"by_kind": {"response": 1}, "transactions": {1: ["response"], 2: ["response"]}}, "names more"),
        ({"by_kind": {"console": 1}, "transactions": {1: ["console"]}}, "names more events"),
        ({"by_kind": {"response": 1}, "transactions": {1: []}}, "names no kind, or one twice"),
        ({"by_kind": {"response": 2}, "transactions": {1: ["response"] * 2}}, "names no kind, or one twice"),
    ],
)
def test_omissions_that_contradict_themselves_are_refused(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make.omissions(parts.get("by_kind"), **{key: parts[key] for key in parts if key != "by_kind"})


def test_omissions_with_two_rows_of_one_thing_are_refused() -> None:
    whole = make.omissions(**ONE_RESPONSE)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two rows of one kind"):
        dataclasses.replace(whole, by_kind=whole.by_kind * 2)
    with pytest.raises(ValueError, match="two rows of one transaction"):
        dataclasses.replace(whole, network_transactions=whole.network_transactions * 2)


def test_an_event_dropped_from_a_family_that_was_not_selected_makes_every_step_unknown() -> None:
    omitted: Omissions = make.omissions({"console": 1})
    capture = make.capture(STEPS, families=["network"], omitted=omitted)
    assert list(unknown_events(capture)) == EVERY_STEP


# What the Evidence around a capture asked for


def asked(capture: CaptureResult, **changes: Any) -> tuple[str, list[tuple[str, str]], tuple[str, ...]]:
    """What Evidence of ``capture`` whose parameters ask for more has to say to itself."""
    evidence = sealed_capture(capture)
    selection = CaptureSelection(**{"at_end": (), "events": capture.scenario.event_families, **changes})
    parameters = dataclasses.replace(evidence.parameters, capture=selection.record())
    result = compare_captures_as_evidence(dataclasses.replace(evidence, parameters=parameters))
    rows = [(step.step_id, row.artifact) for step in result.steps for row in step.artifact_diffs]
    return result.overall_status, rows, result.limitations


def compare_captures_as_evidence(evidence: Any) -> Any:
    resealed = dataclasses.replace(evidence, evidence_id=evidence_id_of(record_bytes(evidence)))
    return compare(resealed, resealed).normalized_result


def test_evidence_that_has_what_its_parameters_ask_for_equals_itself() -> None:
    assert asked(captured(make.transaction()))[:2] == ("unchanged", [])


def test_an_artifact_that_the_parameters_ask_for_and_no_step_has_is_missing() -> None:
    after_each = asked(captured([]), after_each_step=("dom",))
    assert after_each[:2] == ("unknown", [(step_id, "dom") for step_id in EVERY_STEP])
    at_end = asked(captured([]), at_end=("url", "storage"))
    assert at_end[:2] == ("unknown", [("c", "url"), ("c", "storage")])


def test_events_that_the_parameters_ask_for_and_the_capture_did_not_select_are_unknown() -> None:
    rows = [(step_id, "events") for step_id in EVERY_STEP]
    assert asked(captured([]), events=("network", "console"))[:2] == ("unknown", rows)
    assert asked(captured([], families=[]), events=("console",))[:2] == ("unknown", rows)
    content = NetworkContentSelection(response_body=True)
    assert asked(captured(make.transaction()), network=content)[:2] == ("unknown", rows)


def test_an_action_that_the_parameters_declare_and_no_step_is_leaves_nothing_unchanged() -> None:
    evidence = sealed_capture(captured([]))
    poorer = make.capture(STEPS[:3], families=["network"])
    result = compare_captures_as_evidence(dataclasses.replace(evidence, normalized_result=poorer))
    assert (result.overall_status, result.artifact_diffs.total) == ("unknown", 0)
    [said] = [sentence for sentence in result.limitations if "before capture contradicts" in sentence]
    assert "declare an action that none of its steps is (c)" in said
