"""Evidence with anything altered is refused, or is harmless: it verifies, compares and claims nothing new."""

from __future__ import annotations

from typing import Any

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.contracts.capture import CaptureResult
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.compare import compare, compare_documents
from rea_capture.workflows.verify import verify
from tests.evidence.sealed import plain, resealed, sealed_capture
from tests.fuzz.examples import altered, check_refusal, examples, json_values

EVIDENCE = sealed_capture()
BYTES = evidence_bytes(EVIDENCE)
CAPTURE = plain(EVIDENCE)
COMPARISON = plain(compare(EVIDENCE, EVIDENCE))


def _has_a_form(value: Any) -> bool:
    try:
        resealed({"value": value})
    except Exception:  # whatever rfc8785 says
        return False
    return True


# What RFC 8785 has no form for cannot be sealed either.
VALUES = json_values().filter(_has_a_form)


def accepted(data: bytes) -> bool:
    """Whether ``data`` is taken for Evidence; the two ways of finding out agree."""
    try:
        parse(data, "evidence")
    except InputError as error:
        check_refusal(error)
        try:
            verify(data)
        except InputError:
            return False
        raise AssertionError("verified, and yet refused") from error
    assert verify(data).evidence_id
    return True


@examples(100)
@given(altered(CAPTURE, VALUES))
def test_a_capture_that_was_altered_after_it_was_sealed_is_refused(document: Any) -> None:
    try:
        data = resealed(document)
    except Exception:  # an unknown field may have a name that has no form
        return
    content = {**document, "evidence_id": CAPTURE["evidence_id"]}
    if content != CAPTURE:
        assert not accepted(rfc8785.dumps(content))
    # Sealed again it has a right id, and is refused for what it says or harmless.
    if not accepted(data):
        return
    itself = compare(data, data).normalized_result
    assert itself.overall_status in {"unchanged", "unknown"}
    assert accepted(evidence_bytes(compare_documents(lambda: BYTES, lambda: data)))


@examples(100)
@given(altered(COMPARISON, VALUES))
def test_a_comparison_with_one_thing_altered_is_refused_or_says_as_much_as_before(document: Any) -> None:
    try:
        data = resealed(document)
    except Exception:
        return
    if accepted(data):
        result = parse(data, "evidence").result
        assert not isinstance(result, CaptureResult)
        assert result.overall_status in {"unchanged", "unknown"}


@examples(200)
@given(st.integers(0, len(BYTES) - 2), st.binary(min_size=1, max_size=2))
def test_evidence_with_bytes_altered_is_refused(at: int, put: bytes) -> None:
    for changed in (BYTES[:at] + put + BYTES[at + len(put) :], BYTES[:at] + BYTES[at + 1 :], BYTES[:at]):
        if changed.strip() != BYTES.strip() and not put.isspace():
            assert not accepted(changed)


@examples(40)
@given(st.binary(max_size=200))
def test_no_bytes_at_all_are_evidence(data: bytes) -> None:
    assert not accepted(data)
