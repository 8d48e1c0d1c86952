"""Whatever is handed in for comparison gives a comparison that verifies, or is refused with pointers."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.compare import compare_input, read_normalization
from tests.evidence.sealed import plain, rich_capture, sealed_capture
from tests.fuzz.examples import altered, check_refusal, examples, json_values

RULES: Final = {"rules": [{"rule_id": "r", "artifacts": ["url", "dom"], "match": "Shop", "replacement": "S"}]}
INPUT: Final[dict[str, Any]] = {
    "before_scenario": plain(sealed_capture()),
    "after_scenario": plain(sealed_capture(rich_capture("<main>Other</main>")))["normalized_result"],
    "normalization": RULES,
}


def compared(data: bytes) -> str | None:
    """The verdict, or None when the input was refused as it should be."""
    try:
        evidence = compare_input(data)
    except InputError as error:
        check_refusal(error)
        return None
    parse(evidence_bytes(evidence), "the comparison")
    return evidence.normalized_result.overall_status


def as_bytes(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


def test_the_input_that_the_others_are_made_from_is_good() -> None:
    assert compared(as_bytes(INPUT)) == "changed"


@examples(80)
@given(altered(INPUT, json_values()))
def test_an_input_with_one_thing_altered_is_refused_or_compared(document: Any) -> None:
    compared(as_bytes(document))


@examples(80)
@given(altered(RULES, json_values()))
def test_rules_with_one_thing_altered_are_refused_or_applied(document: Any) -> None:
    compared(as_bytes({**INPUT, "normalization": document}))
    try:
        read_normalization(as_bytes(document))
    except InputError as error:
        check_refusal(error)


@examples(60)
@given(json_values())
def test_no_value_of_another_kind_is_an_input(document: Any) -> None:
    assert compared(as_bytes(document)) is None


@examples(60)
@given(st.binary(max_size=200))
def test_no_bytes_at_all_are_an_input(data: bytes) -> None:
    assert compared(data) is None
