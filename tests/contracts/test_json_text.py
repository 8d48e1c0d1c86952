"""JSON text: what strict readers disagree about is found where it is."""

from __future__ import annotations

from rea_capture.contracts.json_text import duplicate_key_faults, plain_json


def test_each_repetition_of_a_key_is_reported_at_its_key() -> None:
    value = plain_json(b'{"a":{"x/y":1,"b":2,"x/y":3,"x/y":4}}', what="document")
    assert [fault.pointer for fault in duplicate_key_faults(value)] == ["/a/x~1y", "/a/x~1y"]


def test_a_document_without_repetition_has_no_fault() -> None:
    assert duplicate_key_faults(plain_json(b'{"a":[{"b":1},{"b":1}]}', what="document")) == []
