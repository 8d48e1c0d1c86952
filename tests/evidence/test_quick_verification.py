"""The quick way of verifying says yes exactly where reading in full does, for documents in usual form."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.reading import adapter
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.evidence.identity import evidence_id_of
from rea_capture.evidence.origin import origin_of_record
from rea_capture.evidence.quick import RECORDS_WITH_RULES, quick_check
from rea_capture.evidence.shape import PATH, record_validator, shape_bytes
from tests import builders
from tests.evidence.sealed import (
    ZERO_SHA256,
    plain,
    resealed,
    sealed_capture,
    sealed_comparison,
)


def full_capture() -> CaptureEvidence:
    """A capture with every state of every artifact and every kind of event."""
    over_limit = builders.omissions(
        {"console": 2, "request": 4, "response": 1}, transactions={1: ["response"]}, first_last=(9, 12)
    )
    steps = (
        builders.start(url=builders.location()),
        builders.step(
            screenshot=builders.screenshot(),
            dom=builders.text(),
            accessibility=builders.text("- main: Shop"),
            url=builders.location("/?q=1"),
            history=builders.history(),
            storage=builders.storage(["session"], theme="dark"),
        ),
        builders.step("more", 2, dom=builders.missing(), accessibility=builders.truncated()),
        builders.step("fail", 3, status="failed", error="No element."),
    )
    events = [
        builders.console(),
        builders.page_error(),
        *builders.transaction(),
        builders.request(2, after=1),
        builders.request(3, state=None),
        builders.outcome("request-failed", 2, status=None, failure="net::ERR"),
        builders.unfinished(3),
        builders.content(),
        builders.websocket(),
        builders.frame(),
        builders.lifecycle(),
        builders.download(),
    ]
    return sealed_capture(
        builders.capture(steps=steps, events=events, omitted=over_limit), command_timeout_ms=1
    )


FULL = full_capture()
LACKING = sealed_capture(
    builders.capture(steps=(builders.start(), builders.step("a", 1, status="failed", error="no route")))
)
TEXT = evidence_bytes(FULL)
DOCUMENT = plain(FULL)


def agrees(data: bytes) -> bool:
    """Whether both ways say the same of ``data``; returns what they say."""
    quickly = quick_check(data)
    try:
        parsed = parse(data, "evidence")
    except InputError:
        assert quickly is None
        return False
    assert quickly is not None
    assert (quickly.evidence_id, quickly.result_sha256) == (parsed.evidence_id, parsed.result_sha256)
    assert isinstance(parsed.document, CaptureEvidence)
    assert quickly.origin == origin_of_record(parsed.document.normalized_result, parsed.document)
    return True


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value inside ``value``."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


PLACES = [place for place in places(DOCUMENT) if place != ("evidence_id",)]
VALUES: list[Any] = [None, True, False, 0, 1, 2, -1, 1.5, "", "complete", "missing", [], {}, [None]]


def test_both_ways_say_what_a_capture_lacks() -> None:
    assert agrees(evidence_bytes(LACKING))
    quickly = quick_check(evidence_bytes(LACKING))
    assert quickly is not None
    assert (quickly.origin.completeness, quickly.origin.shortfall) == (
        "incomplete",
        "step a failed: no route",
    )


def found_at(place: tuple[str | int, ...], document: Any = DOCUMENT) -> Any:
    for part in place:
        document = document[part]
    return document


def altered(place: tuple[str | int, ...], change: Callable[[Any, str | int], object]) -> bytes:
    """The document with ``change`` made at ``place`` and an id that recomputes."""
    document = json.loads(TEXT)
    change(found_at(place[:-1], document), place[-1])
    return resealed(document)


def by_shape(data: bytes) -> CaptureEvidence | None:
    """The record that the shape gives for ``data``, without the contracts' own validator."""
    try:
        record = record_validator().validate_json(data)
    except ValidationError:
        return None
    assert isinstance(record, CaptureEvidence)
    return record


def by_contracts(data: bytes) -> CaptureEvidence | None:
    """The record that the contracts give for ``data`` if writing it gives ``data`` again."""
    try:
        record = adapter(CaptureEvidence).validate_json(data)
    except ValidationError:
        return None
    assert isinstance(record, CaptureEvidence)
    return record if evidence_bytes(record) == data + b"\n" else None


def test_the_shape_in_the_repository_is_that_of_the_contracts() -> None:
    assert PATH.read_bytes() == shape_bytes(), "run: python -m rea_capture.evidence.shape"


def test_what_is_sealed_is_accepted_both_ways() -> None:
    assert agrees(evidence_bytes(FULL))
    assert agrees(evidence_bytes(FULL) + b"\r\n")
    assert agrees(evidence_bytes(sealed_capture()))


def test_a_record_made_by_the_shape_is_the_record_of_the_contracts() -> None:
    data = rfc8785.dumps(DOCUMENT)
    assert by_shape(data) == by_contracts(data) == FULL


@settings(max_examples=400, deadline=None)
@given(place=st.sampled_from(PLACES), data=st.data())
def test_shape_and_contracts_make_the_same_record_of_a_canonical_document_or_none(
    place: tuple[str | int, ...], data: st.DataObject
) -> None:
    elsewhere = st.sampled_from(PLACES).map(found_at)
    value = copy.deepcopy(data.draw(st.one_of(st.sampled_from(VALUES), elsewhere)))
    document = altered(place, lambda parent, key: parent.__setitem__(key, value))
    assert by_shape(document) == by_contracts(document)


@settings(max_examples=200, deadline=None)
@given(place=st.sampled_from(PLACES))
def test_shape_and_contracts_agree_on_what_is_left_out(place: tuple[str | int, ...]) -> None:
    document = altered(place, lambda parent, key: parent.__delitem__(key))
    assert by_shape(document) == by_contracts(document)


@pytest.mark.parametrize("number", [b"1.0", b"1e0", b"10.0", b"0.1e1"])
def test_a_whole_number_that_is_not_written_as_one_is_no_canonical_form(number: bytes) -> None:
    whole = b'"device_scale_factor":1,'
    data = rfc8785.dumps(DOCUMENT)
    assert data.count(whole) == 1
    content = data.replace(whole, b'"device_scale_factor":' + number + b",")
    document = content.replace(FULL.evidence_id.encode(), evidence_id_of(content).encode())
    assert quick_check(document) is None
    record = by_shape(document)
    assert record is None or evidence_bytes(record) != document + b"\n"
    with pytest.raises(InputError):
        parse(document, "evidence")


def test_other_forms_and_documents_are_left_to_reading_in_full() -> None:
    others = (
        json.dumps(DOCUMENT).encode(),
        b" " + evidence_bytes(FULL),
        rfc8785.dumps(DOCUMENT["normalized_result"]),
        evidence_bytes(sealed_comparison()),
        b"",
    )
    assert [quick_check(data) for data in others] == [None] * len(others)


@settings(max_examples=400, deadline=None)
@given(place=st.sampled_from(PLACES), data=st.data())
def test_both_agree_when_a_value_becomes_another(place: tuple[str | int, ...], data: st.DataObject) -> None:
    elsewhere = st.sampled_from(PLACES).map(found_at)
    text = st.text(st.characters(exclude_categories=["Cs"]))
    value = copy.deepcopy(data.draw(st.one_of(st.sampled_from(VALUES), elsewhere, text)))
    agrees(altered(place, lambda parent, key: parent.__setitem__(key, value)))


@settings(max_examples=200, deadline=None)
@given(place=st.sampled_from(PLACES))
def test_both_agree_when_anything_is_left_out_or_stands_twice(place: tuple[str | int, ...]) -> None:
    agrees(altered(place, lambda parent, key: parent.__delitem__(key)))
    if isinstance(place[-1], int):
        agrees(altered(place, lambda parent, key: parent.append(parent[key])))
    else:
        assert not agrees(altered(place, lambda parent, key: parent.update(note=1)))


@settings(deadline=None)
@given(st.data())
def test_both_refuse_any_changed_byte(data: st.DataObject) -> None:
    whole = evidence_bytes(FULL)
    position = data.draw(st.integers(0, len(whole) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[position]))
    assert not agrees(whole[:position] + bytes([byte]) + whole[position + 1 :])


def test_the_records_with_rules_are_those_whose_rules_are_checked() -> None:
    assert {record.__name__ for record in records(adapter(CaptureEvidence).core_schema)} == RECORDS_WITH_RULES


def records(schema: Any) -> Iterator[type]:
    """The records of a core schema that check rules between their fields."""
    if isinstance(schema, dict):
        if schema.get("type") == "dataclass" and has_rules(schema["cls"]):
            yield schema["cls"]
        for part in schema.values():
            yield from records(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from records(part)


def has_rules(record: type) -> bool:
    """Whether ``record`` checks more than leaving out its absent fields."""
    check = getattr(record, "__post_init__", None)
    if check is None:
        return False
    inner = inspect.getclosurevars(check).nonlocals
    return inner["check"] is not None if "check" in inner else True


FIRST = ("normalized_result", "steps", 0)
STEP = ("normalized_result", "steps", 1)
TOTAL = FULL.normalized_result.events.total
LAST_EVENT = FULL.normalized_result.events.retained - 1
WHOLE = ("normalized_result", "completeness")
EVENTS = ("normalized_result", "events")
OMISSIONS = (*EVENTS, "omissions")
SCENARIO = ("normalized_result", "scenario")
BROWSER = ("normalized_result", "browser")


def headers(name: str, value: str | None, *, redacted: bool) -> Any:
    """Captured headers, of which there is one."""
    return {"items": [{"name": name, "redacted": redacted, "value": value}], "state": "captured"}


def event(kind: str) -> tuple[str | int, ...]:
    items = DOCUMENT["normalized_result"]["events"]["items"]
    return (*EVENTS, "items", next(index for index, item in enumerate(items) if item["kind"] == kind))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((*STEP, "artifacts", "screenshot", "value", "width"), 2),
        ((*STEP, "artifacts", "screenshot", "value", "height"), 2),
        ((*STEP, "artifacts", "screenshot", "value", "bytes"), 2),
        ((*STEP, "artifacts", "screenshot", "value", "sha256"), ZERO_SHA256),
        ((*STEP, "artifacts", "screenshot", "value", "data_base64"), "iVBORw0KGgo="),
        ((*STEP, "artifacts", "screenshot", "value", "data_base64"), "not base64"),
        ((*STEP, "artifacts", "dom", "value", "text"), "another"),
        ((*STEP, "artifacts", "dom", "value", "bytes"), 1),
        ((*STEP, "artifacts", "accessibility", "value", "sha256"), ZERO_SHA256),
        ((*STEP, "artifacts", "storage", "value", "cookies", 0, "value_sha256"), None),
        ((*STEP, "artifacts", "storage", "value", "local_storage", 0, "value_state"), "redacted-secret"),
        ((*STEP, "artifacts", "dom"), {"reason": "gone", "state": "missing"}),
        ((*STEP, "artifacts", "dom"), {"observed": 1, "reason": "long", "retained": 0, "state": "truncated"}),
        ((*STEP, "error"), "It failed."),
        ((*STEP, "status"), "failed"),
        ((*STEP, "completeness", "status"), "incomplete"),
        ((*STEP, "completeness", "equality_eligible"), False),
        ((*STEP, "completeness", "missing_sections"), ["url"]),
        ((*WHOLE, "missing_sections"), []),
        ((*WHOLE, "truncated_sections"), ["accessibility"]),
        ((*EVENTS, "retained"), 1),
        ((*EVENTS, "dropped"), 1),
        ((*OMISSIONS, "by_kind", 1, "kind"), "console"),
        ((*OMISSIONS, "by_kind", 2, "kind"), "page-error"),
        ((*OMISSIONS, "network_transactions", 0, "kinds"), []),
        ((*OMISSIONS, "network_transactions", 0, "kinds"), ["response", "response"]),
        ((*OMISSIONS, "network_transactions", 0, "kinds"), ["request-failed"]),
        ((*OMISSIONS, "network_transactions", 0, "kinds"), ["console"]),
        ((*OMISSIONS, "network_transactions", 0, "transaction_id"), 9),
        ((*OMISSIONS, "network_transactions"), [{"kinds": ["response"], "transaction_id": 1}] * 2),
        ((*OMISSIONS, "network_transaction_range"), {"first": 12, "last": 9}),
        ((*OMISSIONS, "network_transaction_range"), {"first": 9, "last": 13}),
        ((*EVENTS, "items", 0, "sequence"), 2),
        ((*EVENTS, "items", 1, "sequence"), 1),
        ((*EVENTS, "items", LAST_EVENT, "sequence"), TOTAL + 1),
        ((*EVENTS, "items", 0, "step_index"), 4),
        ((*STEP, "step_index"), 0),
        ((*STEP, "step_index"), 2),
        ((*STEP, "event_sequence_end"), TOTAL + 1),
        ((*FIRST, "step_id"), "start"),
        ((*FIRST, "action"), "click"),
        (("normalized_result", "scenario", "action_count"), 4),
        ((*SCENARIO, "event_families"), ["network", "console"]),
        ((*SCENARIO, "event_families"), ["console", "console"]),
        ((*SCENARIO, "secret_references"), ["two", "one"]),
        (("normalized_result", "started_at"), "2026-02-30T03:04:06.000Z"),
        (("normalized_result", "started_at"), "0000-01-02T03:04:06.000Z"),
        (("normalized_result", "finished_at"), "2026-13-02T03:04:06.000Z"),
        (("normalized_result", "finished_at"), "2026-01-02T24:04:06.000Z"),
        (("normalized_result", "finished_at"), "٢٠٢٦-01-02T03:04:06.000Z"),
        ((*BROWSER, "mode"), "connect"),
        ((*BROWSER, "process_ownership"), "external"),
        ((*BROWSER, "cleanup"), "disconnected-external"),
        (("normalized_result", "limits", "max_events"), LAST_EVENT),
        ((*event("network-content"), "headers"), headers("Cookie", "sid=1", redacted=True)),
        ((*event("network-content"), "headers"), headers("set-cookie", None, redacted=False)),
        ((*event("network-content"), "body", "content"), "AAAA"),
        ((*event("network-content"), "body", "bytes"), 1),
        ((*event("network-content"), "body", "sha256"), ZERO_SHA256),
        ((*event("request"), "redirected_from_transaction_id"), 1),
    ],
)
def test_each_broken_rule_is_refused_both_ways(place: tuple[str | int, ...], value: object) -> None:
    assert not agrees(altered(place, lambda parent, key: parent.__setitem__(key, value)))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((*event("network-content"), "headers"), headers("Cookie", None, redacted=True)),
        ((*event("network-content"), "headers"), headers("X-Cookie", "sid=1", redacted=False)),
        (("normalized_result", "limits", "max_events"), LAST_EVENT + 1),
        ((*SCENARIO, "secret_references"), ["one", "two"]),
        (("normalized_result", "started_at"), "2028-02-29T23:59:59.999Z"),
    ],
)
def test_what_keeps_to_the_rules_is_accepted_both_ways(place: tuple[str | int, ...], value: object) -> None:
    assert agrees(altered(place, lambda parent, key: parent.__setitem__(key, value)))


def test_two_steps_with_one_id_are_readable_both_ways() -> None:
    place = ("normalized_result", "steps", 2, "step_id")
    step_id = FULL.normalized_result.steps[1].step_id
    assert agrees(altered(place, lambda parent, key: parent.__setitem__(key, step_id)))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, LAST_EVENT), st.booleans())
def test_an_event_cannot_be_taken_out_unnoticed(position: int, recounted: bool) -> None:
    document = json.loads(TEXT)
    events = document["normalized_result"]["events"]
    del events["items"][position]
    if recounted:
        events["retained"] -= 1
    assert not agrees(resealed(document))
