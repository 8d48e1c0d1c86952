"""Reporting documents: captures find their comparisons, and what belongs nowhere is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import permutations

import pytest

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes
from rea_capture.report.markdown import markdown
from rea_capture.report.view import Report
from rea_capture.workflows.compare import compare
from rea_capture.workflows.report import NamedDocument, read_report
from tests.evidence.sealed import plain, rich_capture, sealed_capture

BEFORE = sealed_capture()
AFTER = sealed_capture(rich_capture("<main>Sold out</main>"))
LATER = sealed_capture(rich_capture("<main>Closed</main>"))
COMPARISON = compare(BEFORE, AFTER)
SECOND = compare(AFTER, LATER)


def document(name: str, evidence: CaptureEvidence | ComparisonEvidence) -> NamedDocument:
    return NamedDocument(name, lambda: evidence_bytes(evidence))


def of_text(name: str, data: bytes) -> NamedDocument:
    return NamedDocument(name, lambda: data)


def reported(*documents: NamedDocument) -> Report:
    return read_report(documents)


def faults(documents: Iterable[NamedDocument]) -> list[tuple[str | None, str]]:
    with pytest.raises(InputError) as caught:
        read_report(documents)
    return [(fault.file, fault.message) for fault in caught.value.faults]


def test_a_comparison_alone_is_a_report() -> None:
    [view] = reported(document("shop.json", COMPARISON)).comparisons
    assert view.evidence_id == COMPARISON.evidence_id
    assert (view.before.result, view.after.result) == (None, None)
    assert view.name == "shop.json"


def test_captures_find_their_side_in_any_order() -> None:
    documents = [document("c", COMPARISON), document("b", BEFORE), document("a", AFTER)]
    for order in permutations(documents):
        [view] = reported(*order).comparisons
        assert view.before.evidence == BEFORE
        assert view.after.evidence == AFTER


def test_a_capture_serves_every_comparison_that_names_it() -> None:
    one = reported(
        document("a", AFTER), document("1", COMPARISON), document("2", SECOND), document("l", LATER)
    )
    first, second = one.comparisons
    assert (first.before.result, first.after.evidence) == (None, AFTER)
    assert (second.before.evidence, second.after.evidence) == (AFTER, LATER)


def test_each_document_is_read_once() -> None:
    read: list[str] = []

    def counted(name: str, evidence: CaptureEvidence | ComparisonEvidence) -> NamedDocument:
        def give() -> bytes:
            read.append(name)
            return evidence_bytes(evidence)

        return NamedDocument(name, give)

    reported(counted("a", AFTER), counted("1", COMPARISON), counted("2", SECOND))
    assert read == ["a", "1", "2"]


def test_a_bare_result_is_found_by_its_digest_and_the_evidence_preferred() -> None:
    bare = json.dumps(plain(BEFORE)["normalized_result"]).encode()
    [view] = reported(of_text("bare", bare), document("c", COMPARISON)).comparisons
    assert view.before.result == BEFORE.normalized_result
    assert view.before.evidence is None
    [view] = reported(of_text("bare", bare), document("c", COMPARISON), document("b", BEFORE)).comparisons
    assert view.before.evidence == BEFORE


def test_a_document_given_twice_counts_once() -> None:
    one = reported(document("x", COMPARISON), document("y", COMPARISON), document("b", BEFORE))
    assert [view.name for view in one.comparisons] == ["x"]


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("out/shop.json", "out/blog.json"), ["shop.json", "blog.json"]),
        (("a/it.json", "b/it.json"), ["a/it.json", "b/it.json"]),
    ],
)
def test_a_comparison_is_called_by_its_file_unless_another_is_called_so(
    names: tuple[str, str], called: list[str]
) -> None:
    one = reported(document(names[0], COMPARISON), document(names[1], SECOND))
    assert [view.name for view in one.comparisons] == called


def test_a_capture_of_no_comparison_is_refused_by_name() -> None:
    [(file, message)] = faults([document("c", COMPARISON), document("stray.json", LATER)])
    assert file == "stray.json"
    assert "none of the comparisons is about" in message


def test_no_comparison_is_refused() -> None:
    [(file, message)] = faults([document("b", BEFORE)])
    assert file is None
    assert "none of the documents is a comparison" in message


def test_a_comparison_without_its_envelope_is_refused_by_name() -> None:
    bare = json.dumps(plain(COMPARISON)["normalized_result"]).encode()
    [(file, message)] = faults([of_text("bare.json", bare)])
    assert file == "bare.json"
    assert "whole Evidence" in message


@pytest.mark.parametrize(
    "tampered",
    [
        lambda data: data.replace(b"Sold out", b"Sold 0ut"),
        lambda data: data.replace(b'"changed"', b'"unknown"'),
        lambda data: data[:-20],
        lambda data: b"",
        lambda data: b"[]",
    ],
)
def test_a_document_that_was_altered_is_refused_by_name(tampered: Callable[[bytes], bytes]) -> None:
    explained = evidence_bytes(AFTER), evidence_bytes(COMPARISON)
    altered = [tampered(data) for data in explained]
    documents = [of_text("c.json", altered[1]), of_text("a.json", altered[0]), document("b", BEFORE)]
    changed = {
        name for name, data, was in zip(("a.json", "c.json"), altered, explained, strict=True) if data != was
    }
    assert changed
    assert {file for file, _ in faults(documents)} == changed


def test_faults_of_all_documents_come_together() -> None:
    found = faults([of_text("x", b"{"), document("c", COMPARISON), of_text("y", b"[]")])
    assert [file for file, _ in found] == ["x", "y"]


def test_the_same_documents_give_the_same_report_again() -> None:
    documents = [document("c", COMPARISON), document("b", BEFORE), document("a", AFTER)]
    assert markdown(reported(*documents)) == markdown(reported(*documents))
