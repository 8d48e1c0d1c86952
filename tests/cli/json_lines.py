"""Streams as their readers take them: lines that are records, in the order of the grammar.

Below: ``contracts.stream``. Above: the tests of the streams.
"""

from __future__ import annotations

import json
from typing import Any

from rea_capture.contracts.reading import adapter
from rea_capture.contracts.stream import StreamRecord

LAST = {"evidence", "error"}


def records_of(stream: bytes) -> list[dict[str, Any]]:
    """The records of a whole stream: each valid, each on one line, in the order of the grammar."""
    assert stream.endswith(b"\n")
    lines = stream[:-1].split(b"\n")
    for line in lines:
        adapter(StreamRecord).validate_json(line)
    records = [json.loads(line) for line in lines]
    kinds = [record["kind"] for record in records]
    assert kinds[-1] in LAST
    if kinds != ["error"]:
        assert kinds[0] == "started"
        assert set(kinds[1:-1]) <= {"step", "progress"}
    return records


def of_kind(records: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The records of one kind, in order."""
    return [record for record in records if record["kind"] == kind]
