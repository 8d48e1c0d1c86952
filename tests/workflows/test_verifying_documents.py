"""Verifying, in process."""

from __future__ import annotations

import json

import pytest

from rea_capture.canonical import value_sha256
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes
from rea_capture.workflows.verify import verify
from tests.evidence.sealed import plain, sealed_capture, sealed_comparison


def test_each_kind_of_document_is_named_with_its_id_and_digest() -> None:
    for kind, evidence in (("capture", sealed_capture()), ("comparison", sealed_comparison())):
        verified = verify(evidence_bytes(evidence))
        assert (verified.kind, verified.evidence_id) == (kind, evidence.evidence_id)
        assert verified.normalized_result_sha256 == value_sha256(plain(evidence)["normalized_result"])


def test_a_bare_result_has_no_id() -> None:
    bare = json.dumps(plain(sealed_capture())["normalized_result"]).encode()
    assert verify(bare).evidence_id is None


def test_the_error_names_the_document() -> None:
    with pytest.raises(InputError, match=r"^before\.json is not valid"):
        verify(b"{}", "before.json")
    with pytest.raises(InputError, match=r"^the document is not valid"):
        verify(b"{}")
