"""Reading back: what was written is accepted, and nothing else is."""

from __future__ import annotations

import copy
import gc
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.canonical import record_bytes, value_sha256
from rea_capture.contracts.json_text import pointer_of
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.evidence.reading import parse_record
from tests.evidence.sealed import (
    ZERO_SHA256,
    plain,
    resealed,
    rich_capture,
    sealed_capture,
    sealed_comparison,
)

CAPTURE = sealed_capture()
CAPTURE_BYTES = evidence_bytes(CAPTURE)
CAPTURE_START = b'{"authority":"controlled-replay","confidence":"observed",'
LAST_STEP = "/normalized_result/steps/1"


def refusal(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        parse(data, "evidence")
    return caught.value


def pointers(data: bytes) -> list[str]:
    return [fault.pointer for fault in refusal(data).faults]


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The capture with ``change`` made to it and an id that recomputes."""
    document = copy.deepcopy(plain(CAPTURE))
    change(document)
    return resealed(document)


def test_what_is_written_reads_back_as_the_same_record() -> None:
    for evidence in (CAPTURE, sealed_comparison()):
        parsed = parse(evidence_bytes(evidence), "evidence")
        assert parsed.document == evidence
        assert parsed.evidence_id == evidence.evidence_id


def test_indentation_and_the_order_of_keys_do_not_matter() -> None:
    backwards = dict(reversed(plain(CAPTURE).items()))
    parsed = parse(json.dumps(backwards, indent=2).encode(), "evidence")
    assert parsed == parse(CAPTURE_BYTES, "evidence")


def test_white_space_around_a_document_does_not_matter() -> None:
    assert parse(b"\n " + CAPTURE_BYTES + b"\r\n\t ", "evidence").document == CAPTURE


@pytest.mark.parametrize("indent", [None, 1])
def test_a_bare_result_is_read_with_its_digest_and_without_an_id(indent: int | None) -> None:
    for evidence in (CAPTURE, sealed_comparison()):
        bare = plain(evidence)["normalized_result"]
        parsed = parse(json.dumps(bare, indent=indent).encode(), "capture")
        assert parsed.document == evidence.normalized_result
        assert parsed.evidence_id is None
        assert parsed.result_sha256 == value_sha256(bare)


def test_the_digest_of_the_result_is_the_same_from_every_form() -> None:
    expected = value_sha256(plain(CAPTURE)["normalized_result"])
    bare = rfc8785.dumps(plain(CAPTURE)["normalized_result"])
    forms = (CAPTURE_BYTES, bare, bare + b"\n", json.dumps(plain(CAPTURE), indent=1).encode())
    assert {parse(form, "capture").result_sha256 for form in forms} == {expected}
    assert parse_record(CAPTURE).result_sha256 == expected
    assert parse_record(CAPTURE.normalized_result).result_sha256 == expected


def test_a_document_whose_id_does_not_recompute_is_refused() -> None:
    document = plain(CAPTURE)
    document["limitations"] = ["Somebody added this."]
    for data in (rfc8785.dumps(document), json.dumps(document, indent=1).encode()):
        assert pointers(data) == ["/evidence_id"]


def test_a_record_whose_id_does_not_recompute_is_refused() -> None:
    with pytest.raises(InputError, match="does not recompute"):
        parse_record(replace(CAPTURE, limitations=("Somebody added this.",)))


@given(st.data())
def test_no_byte_of_a_document_can_change_unnoticed(data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(CAPTURE_BYTES) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != CAPTURE_BYTES[position]))
    altered = CAPTURE_BYTES[:position] + bytes([byte]) + CAPTURE_BYTES[position + 1 :]
    with pytest.raises(InputError):
        parse(altered, "evidence")


@given(st.data())
def test_no_byte_of_a_document_can_be_left_out(data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(CAPTURE_BYTES) - 2))
    with pytest.raises(InputError):
        parse(CAPTURE_BYTES[:position] + CAPTURE_BYTES[position + 1 :], "evidence")


def artifact(name: str, field: str, value: object) -> Callable[[dict[str, Any]], object]:
    def change(document: dict[str, Any]) -> None:
        document["normalized_result"]["steps"][1]["artifacts"][name]["value"][field] = value

    return change


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (artifact("dom", "text", "<main>Another</main>"), f"{LAST_STEP}/artifacts/dom/value"),
        (artifact("dom", "sha256", ZERO_SHA256), f"{LAST_STEP}/artifacts/dom/value"),
        (artifact("dom", "bytes", 1), f"{LAST_STEP}/artifacts/dom/value"),
        (artifact("accessibility", "bytes", 0), f"{LAST_STEP}/artifacts/accessibility/value"),
        (artifact("screenshot", "width", 2), f"{LAST_STEP}/artifacts/screenshot/value"),
        (artifact("screenshot", "height", 2), f"{LAST_STEP}/artifacts/screenshot/value"),
        (artifact("screenshot", "bytes", 2), f"{LAST_STEP}/artifacts/screenshot/value"),
        (artifact("screenshot", "sha256", ZERO_SHA256), f"{LAST_STEP}/artifacts/screenshot/value"),
        (artifact("screenshot", "data_base64", "AAAA"), f"{LAST_STEP}/artifacts/screenshot/value"),
        (artifact("screenshot", "data_base64", "*"), f"{LAST_STEP}/artifacts/screenshot/value"),
    ],
)
def test_a_digest_or_size_that_is_not_of_the_content_is_refused_where_it_is(
    change: Callable[[dict[str, Any]], object], pointer: str
) -> None:
    assert pointers(changed(change)) == [pointer]


@pytest.mark.parametrize(("field", "value"), [("bytes", 9), ("sha256", ZERO_SHA256), ("content", "AAAA")])
def test_a_body_that_is_not_what_its_digest_says_is_refused(field: str, value: object) -> None:
    def change(document: dict[str, Any]) -> None:
        document["normalized_result"]["events"]["items"][-1]["body"][field] = value

    at = len(rich_capture().events.items) - 1
    assert pointers(changed(change)) == [f"/normalized_result/events/items/{at}/body"]


def test_an_unknown_field_is_refused_even_when_the_id_commits_to_it() -> None:
    assert pointers(changed(lambda document: document.update(note="hello"))) == ["/note"]
    deep = changed(lambda document: document["normalized_result"]["steps"][0].update(note="hello"))
    assert pointers(deep) == ["/normalized_result/steps/0/note"]


def test_a_missing_field_is_refused() -> None:
    assert pointers(changed(lambda document: document["normalized_result"].pop("limits"))) == [
        "/normalized_result/limits"
    ]


def test_null_is_not_the_same_as_a_field_that_is_absent() -> None:
    data = changed(lambda document: document["parameters"].update(command_timeout_ms=None))
    error = refusal(data)
    assert [fault.pointer for fault in error.faults] == ["/parameters/command_timeout_ms"]
    assert "leave this field out" in error.message


def test_a_key_that_appears_twice_is_refused() -> None:
    data = CAPTURE_BYTES.replace(b'"schema_version":2', b'"schema_version":2,"schema_version":2')
    assert pointers(data) == ["/schema_version"]


def test_every_fault_is_reported() -> None:
    def change(document: dict[str, Any]) -> None:
        document["schema_version"] = "2"
        document["normalized_result"]["duration_ms"] = 1.5
        document["normalized_result"]["note"] = 1

    assert sorted(pointers(changed(change))) == [
        "/normalized_result/duration_ms",
        "/normalized_result/note",
        "/schema_version",
    ]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty"),
        (b"  \n", "it is empty"),
        (b"[]", "must be a JSON object"),
        (b"{}", "neither Evidence nor"),
        (b"null", "must be a JSON object"),
        (b'{"predicate_type":"something/v1"}', "must be 'rea.browser-scenario-capture/v1' or"),
        (CAPTURE_BYTES[:-10], "not JSON"),
        (CAPTURE_BYTES + b"{}", "not JSON"),
        (b"\xef\xbb\xbf" + CAPTURE_BYTES, "byte order mark"),
        (CAPTURE_BYTES.decode().encode("utf-16"), "UTF-16"),
        (
            b'{"authority":"controlled-replay","confidence":"observed","environment":' + b"[" * 100_000,
            "nesting",
        ),
        (CAPTURE_START + b'"environment":NaN', "NaN"),
        (b'{"browser":NaN}', "NaN"),
        (b"\xff{}", "not UTF-8"),
    ],
)
def test_what_is_no_document_is_refused_with_the_reason(data: bytes, sentence: str) -> None:
    assert sentence in refusal(data).message


def test_a_lone_surrogate_is_refused() -> None:
    data = CAPTURE_BYTES.replace(b"<main>Shop</main>", b"\\ud800")
    assert refusal(data).exit_status == 65


def test_reading_leaves_the_garbage_collector_as_it_was() -> None:
    assert gc.isenabled()
    parse(CAPTURE_BYTES, "evidence")
    with pytest.raises(InputError):
        parse(b"{}", "evidence")
    assert gc.isenabled()


def test_the_result_of_a_record_is_what_was_written() -> None:
    assert record_bytes(parse(CAPTURE_BYTES, "evidence").result) == record_bytes(CAPTURE.normalized_result)


def _integers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if type(value) is int:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _integers(part, (*path, key))


def test_no_number_with_a_point_is_taken_for_an_integer() -> None:
    """``2.0`` is not an integer, though it is equal to one and its RFC 8785 form is one."""
    document = plain(sealed_capture())
    for path in _integers(document):
        if path[-1] == "device_scale_factor":
            continue
        altered = copy.deepcopy(document)
        parent: Any = altered
        for part in path[:-1]:
            parent = parent[part]
        parent[path[-1]] = float(parent[path[-1]])
        for data in (json.dumps(altered), json.dumps(altered, sort_keys=True, separators=(",", ":"))):
            with pytest.raises(InputError) as caught:
                parse(data.encode(), "evidence")
            assert [fault.pointer for fault in caught.value.faults] == [pointer_of(path)]
