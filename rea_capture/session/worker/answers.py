"""Answers as lines, with whatever a session has resolved redacted in what is free text.

Below: ``contracts.runtime``, ``redaction``. Above: ``worker``.
"""

from __future__ import annotations

from typing import Any, Final

import orjson

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.failing import failure
from rea_capture.redaction import NO_SECRETS, Redactor

FREE_TEXT: Final = frozenset(
    {
        "limitations",
        "message",
        "name",
        "origin",
        "pointer",
        "problems",
        "text",
        "title",
        "url",
        "value",
    }
)
"""Fields that may hold anything. The others are handles, words of the contract, numbers and encoded bytes."""


def result_line(frame_id: str, op: str, result: RuntimeModel, redactor: Redactor = NO_SECRETS) -> bytes:
    """The answer ``result`` as a line; an error in its place where it is longer than a line may be."""
    document = result.wire()
    if redactor is not NO_SECRETS:
        document = redacted(document, redactor)
    line = orjson.dumps({"id": frame_id, "result": document}, option=orjson.OPT_APPEND_NEWLINE)
    if len(line) <= MAX_FRAME_BYTES:
        return line
    said = f"the answer has {len(line):,} bytes, and a line may have {MAX_FRAME_BYTES:,} (MAX_FRAME_BYTES)"
    return error_line(frame_id, failure(op, "transport", "artifact_failed", said).details)


def error_line(frame_id: str | None, details: BrowserErrorDetails, redactor: Redactor = NO_SECRETS) -> bytes:
    """The answer that something failed, as a line."""
    document = redacted(details.wire(), redactor)
    return orjson.dumps({"id": frame_id, "error": document}, option=orjson.OPT_APPEND_NEWLINE)


def redacted(value: Any, redactor: Redactor, key: str = "") -> Any:
    """``value`` of a document with its free text redacted."""
    if isinstance(value, dict):
        # The address that an assertion is about has to stay one; the caller has given it.
        kept = "value" if value.get("kind") == "url" else ""
        return {
            name: each if name == kept else redacted(each, redactor, name) for name, each in value.items()
        }
    if isinstance(value, list):
        return [redacted(each, redactor, key) for each in value]
    return redactor.abridged(value) if isinstance(value, str) and key in FREE_TEXT else value
