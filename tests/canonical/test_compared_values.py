"""What the comparison digests is written without checking it; it must be what the reference would write.

Verdicts rest on these bytes: the content of a transaction, the action of a step, an event, the list of
fingerprints of a step, and an artifact's value. Each is drawn with any text, numbers up to the largest,
and null where the contracts allow it.
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from rea_capture.canonical import record_bytes
from rea_capture.compare.ancestry import Transaction
from rea_capture.compare.artifacts import action_state_sha256, record_sha256
from rea_capture.compare.event_digest import CAPTURE_LOCAL_FIELDS, event_bytes
from rea_capture.compare.faults import NO_FAULT
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.urls import ObservedUrl
from rea_capture.limits import MAX_SAFE_INTEGER
from tests import builders as make

NO_RULES = Replacements((), ())

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Any well-formed text: NUL, separators, characters beyond the basic plane."""

numbers = st.sampled_from((0, 1, 2**32, MAX_SAFE_INTEGER)) | st.integers(0, MAX_SAFE_INTEGER)
digests = st.binary(max_size=4).map(lambda data: hashlib.sha256(data).hexdigest())
urls = st.builds(
    ObservedUrl,
    origin=st.none() | texts,
    query_parameter_names=st.lists(texts, max_size=3).map(tuple),
    redacted=st.booleans(),
    url=texts,
)
EVENTS: tuple[Any, ...] = (
    make.console(),
    make.page_error(),
    make.request(),
    make.request(2, after=1),
    make.outcome(),
    make.unfinished(),
    make.content(headers=(("accept", "*/*"),)),
    make.content(body=make.unavailable(), headers=make.headers_unavailable()),
    make.websocket(),
    make.frame(),
    make.binary_frame(),
    make.lifecycle(),
    make.download(),
)
FREE_NUMBERS = ("status", "payload_bytes")


def plain(value: Any) -> Any:
    """``value`` as plain JSON, built field by field and not by writing it."""
    if dataclasses.is_dataclass(value):
        absent = object()
        read = {field.name: vars_of(value).get(field.name, absent) for field in dataclasses.fields(value)}
        return {name: plain(item) for name, item in read.items() if item is not absent}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def vars_of(value: Any) -> dict[str, Any]:
    if hasattr(value, "__dict__"):
        return dict(vars(value))
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


@st.composite
def events(draw: st.DrawFn) -> Any:
    """An event of any kind whose texts, URLs and numbers are drawn anew."""
    event = draw(st.sampled_from(EVENTS))
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(event):
        value = getattr(event, field.name)
        if isinstance(value, ObservedUrl):
            changes[field.name] = draw(urls)
        elif isinstance(value, str) and field.name not in {"kind", "redirected_from_transaction_state"}:
            changes[field.name] = draw(texts)
        elif field.name in FREE_NUMBERS and value is not None:
            changes[field.name] = draw(numbers)
        elif field.name == "header_names":
            changes[field.name] = tuple(draw(st.lists(texts, max_size=3)))
    return dataclasses.replace(event, **changes)


@settings(max_examples=150, deadline=None)
@given(st.lists(digests, max_size=5), st.none() | digests)
def test_the_content_of_a_transaction_is_written_as_the_reference_does(
    received: list[str], ancestor: str | None
) -> None:
    transaction = Transaction(digests=received, faults=NO_FAULT)
    transaction.settle(NO_FAULT, ancestor)
    expected = rfc8785.dumps({"redirected_from": ancestor, "events": sorted(received)})
    assert transaction.fingerprint == hashlib.sha256(expected).hexdigest()


@settings(max_examples=150, deadline=None)
@given(urls, urls, st.sampled_from((("completed", False), ("failed", True))), texts)
def test_the_action_of_a_step_is_written_as_the_reference_does(
    before: ObservedUrl, after: ObservedUrl, outcome: tuple[str, bool], error: str
) -> None:
    status, failed = outcome
    step = make.step(status=status, error=error or "x" if failed else None)
    step = dataclasses.replace(step, before_url=before, after_url=after)
    expected = rfc8785.dumps(
        {
            "status": step.status,
            "error": step.error,
            "before_url": plain(before),
            "after_url": plain(after),
            "action": step.action,
        }
    )
    assert action_state_sha256(step, NO_RULES) == hashlib.sha256(expected).hexdigest()


@settings(max_examples=400, deadline=None)
@given(events())
def test_an_event_is_written_as_the_reference_does(event: Any) -> None:
    kept = {name: value for name, value in plain(event).items() if name not in CAPTURE_LOCAL_FIELDS}
    assert event_bytes(event, NO_RULES) == rfc8785.dumps(kept)


@settings(max_examples=100, deadline=None)
@given(st.lists(digests, max_size=6))
def test_the_fingerprints_of_a_step_are_written_as_the_reference_does(fingerprints: list[str]) -> None:
    assert record_bytes(sorted(fingerprints)) == rfc8785.dumps(sorted(fingerprints))


@settings(max_examples=150, deadline=None)
@given(urls)
def test_the_value_of_an_artifact_is_written_as_the_reference_does(url: ObservedUrl) -> None:
    expected = rfc8785.dumps(plain(url))
    assert record_sha256(url, NO_RULES) == hashlib.sha256(expected).hexdigest()
