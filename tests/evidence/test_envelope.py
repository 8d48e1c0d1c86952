"""Sealing: the id commits to everything, and the bytes are the canonical ones."""

from __future__ import annotations

import json
from dataclasses import replace

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.evidence import evidence_bytes
from rea_capture.version import __version__
from tests.evidence.sealed import id_of, plain, rich_capture, sealed_capture, sealed_comparison

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
"""Any text that JSON can hold."""


def test_the_id_is_the_digest_of_the_canonical_form_of_every_other_field() -> None:
    for evidence in (sealed_capture(), sealed_comparison()):
        document = plain(evidence)
        assert document.pop("evidence_id") == id_of(document) == evidence.evidence_id


@given(limitations=st.lists(TEXT), content=TEXT)
def test_the_id_recomputes_whatever_text_a_capture_holds(limitations: list[str], content: str) -> None:
    result = replace(rich_capture(content), limitations=tuple(limitations))
    document = plain(sealed_capture(result))
    assert document.pop("evidence_id") == id_of(document)


def test_text_that_looks_like_a_member_does_not_move_the_id() -> None:
    trap = '","evidence_id":"ev_' + "1" * 64 + '","normalized_result":{},"operation":"'
    document = plain(sealed_capture(replace(rich_capture(trap), limitations=(trap, trap[1:]))))
    assert document.pop("evidence_id") == id_of(document)


def test_the_document_is_its_canonical_form_and_a_newline() -> None:
    data = evidence_bytes(sealed_capture())
    assert data.endswith(b"}\n")
    assert rfc8785.dumps(json.loads(data)) + b"\n" == data


def test_sealing_the_same_result_again_gives_the_same_id() -> None:
    assert sealed_capture().evidence_id == sealed_capture().evidence_id


def test_any_other_content_gives_another_id() -> None:
    results = (rich_capture("a"), rich_capture("b"), replace(rich_capture("a"), duration_ms=1))
    assert len({sealed_capture(result).evidence_id for result in results}) == 3


def test_the_provider_is_this_program_and_the_environment_names_the_browser() -> None:
    document = plain(sealed_capture())
    assert document["provider"] == {"id": "rea_capture", "name": "rea_capture", "version": __version__}
    assert document["environment"]["id"] == "Chromium@156.0.1.2"
    assert set(document["environment"]) == {"id", "platform", "architecture", "isolation"}
    assert document["schema_version"] == 2
    assert document["subject"] is None
    assert document["raw_result"] is None


def test_an_omitted_command_timeout_stays_out_of_the_document() -> None:
    assert "command_timeout_ms" not in plain(sealed_capture())["parameters"]
    assert plain(sealed_capture(command_timeout_ms=5000))["parameters"]["command_timeout_ms"] == 5000


def test_a_comparison_links_to_the_evidence_it_read_once_each() -> None:
    one, other = "ev_" + "1" * 64, "ev_" + "2" * 64
    assert sealed_comparison(one, other).evidence_links == (one, other)
    assert sealed_comparison(one, one).evidence_links == (one,)
    assert sealed_comparison(None, other).evidence_links == (other,)
    assert sealed_comparison().evidence_links == ()
