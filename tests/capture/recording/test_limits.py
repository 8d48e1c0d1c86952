"""Limits: what is not kept is numbered, counted, explained and marked, whatever the limits are."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rea_capture.capture.allocation import (
    body_copies_bytes,
    body_event_bytes,
    event_bytes,
    stored_text_bytes,
    text_bytes,
)
from rea_capture.capture.content import BodyRead
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture import OMISSION_REASONS
from rea_capture.contracts.capture_selection import NetworkContentSelection
from rea_capture.redaction import NO_SECRETS
from tests.capture.recording.support import URL, Key, complete, items, recorder_for, send

EVERYTHING = NetworkContentSelection(request_body=True, response_body=True, header_values=True)


def _reasons(recorder: EventRecorder) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {row.kind: (row.count, row.reasons) for row in recorder.events().omissions.by_kind}


def _rows(recorder: EventRecorder) -> dict[int, tuple[str, ...]]:
    return {row.transaction_id: row.kinds for row in recorder.events().omissions.network_transactions}


def test_events_beyond_the_count_are_numbered_and_counted() -> None:
    recorder, _ = recorder_for(["console"], max_events=2)
    for number in range(5):
        recorder.console("log", str(number), None)
    assert [event.sequence for event in items(recorder)] == [1, 2]
    assert recorder.last_sequence == 5
    assert recorder.events().dropped == 3
    assert _reasons(recorder) == {"console": (3, ("event-count-limit",))}
    assert recorder.step_sections(0) == (set(), {"events"})


def test_an_event_over_its_own_limit_leaves_room_for_later_ones() -> None:
    recorder, _ = recorder_for(["console"], max_event_bytes=2_000)
    recorder.console("log", "x" * 2_000, None)
    recorder.console("log", "small", None)
    assert [event.sequence for event in items(recorder)] == [2]
    assert _reasons(recorder) == {"console": (1, ("event-bytes-limit",))}


def test_the_total_is_never_exceeded_and_says_so() -> None:
    recorder, _ = recorder_for(["console"], max_total_event_bytes=3_000)
    for _ in range(50):
        recorder.console("log", "x" * 100, None)
    kept = sum(map(event_bytes, items(recorder)))
    assert 0 < kept <= 3_000
    assert _reasons(recorder)["console"][1] == ("total-event-bytes-limit",)


def test_an_event_that_fits_exactly_is_kept() -> None:
    probe, _ = recorder_for(["console"])
    probe.console("log", "x", None)
    cost = event_bytes(items(probe)[0])
    fits, _ = recorder_for(["console"], max_event_bytes=cost, max_total_event_bytes=cost)
    fits.console("log", "x", None)
    assert len(items(fits)) == 1
    short, _ = recorder_for(["console"], max_event_bytes=cost - 1)
    short.console("log", "x", None)
    assert items(short) == []


def test_transactions_beyond_the_limit_are_a_contiguous_range_without_rows() -> None:
    recorder, _ = recorder_for(["network"], max_network_transactions=2)
    keys = [send(recorder) for _ in range(5)]
    for key in keys:
        complete(recorder, key)
    omissions = recorder.events().omissions
    assert omissions.network_transaction_range is not None
    assert (omissions.network_transaction_range.first, omissions.network_transaction_range.last) == (3, 5)
    assert omissions.network_transactions == ()
    limit = ("network-transaction-limit",)
    assert _reasons(recorder) == {
        "request": (3, limit),
        "response": (3, limit),
        "request-finished": (3, limit),
    }
    assert {event.transaction_id for event in items(recorder)} == {1, 2}
    assert recorder.last_sequence == 15


def test_an_ended_transaction_beyond_the_limit_is_forgotten() -> None:
    recorder, _ = recorder_for(["network"], max_network_transactions=1)
    kept, ended, under_way = send(recorder), send(recorder), send(recorder)
    complete(recorder, ended)
    known = [recorder.network.knows(key) for key in (kept, ended, under_way)]
    assert known == [True, False, True]
    recorder.end_observation()
    assert _reasons(recorder)["request-unfinished"] == (1, ("network-transaction-limit",))


def test_metadata_beyond_its_limit_names_the_transactions_it_is_missing_from() -> None:
    recorder, _ = recorder_for(["network"], max_network_metadata_bytes=600)
    keys = [send(recorder, url=f"{URL}&n={number}") for number in range(5)]
    kept = len(items(recorder))
    assert 0 < kept < 5
    assert _reasons(recorder) == {"request": (5 - kept, ("network-metadata-limit",))}
    assert _rows(recorder) == dict.fromkeys(range(kept + 1, 6), ("request",))
    recorder.network.finished(keys[0])
    assert items(recorder)[-1].kind == "request-finished", "it adds no text of its own"


def test_header_names_shared_by_all_responses_count_once() -> None:
    names = [f"x-header-{number}" for number in range(50)]
    cost = sum(map(stored_text_bytes, names))
    recorder, _ = recorder_for(["network"], max_network_metadata_bytes=2 * cost)
    for number in range(3):
        key = send(recorder, url=f"http://a.test/{number}", header_names=())
        recorder.network.response(key, status=200, header_names=names)
    assert len(items(recorder, "response")) == 3


def test_a_page_of_a_thousand_ordinary_requests_fits_the_defaults() -> None:
    recorder, _ = recorder_for(["network"])
    names = [f"x-quite-long-header-{number}" for number in range(16)]
    for number in range(1_000):
        url = f"https://static.site.test/assets/modules/chunk-{number:08x}.js?version=2024.11.30&lang=en-US"
        key = send(recorder, url=url, header_names=names)
        recorder.network.response(key, status=200, header_names=names)
        recorder.network.finished(key)
    assert recorder.events().dropped == 0


def test_a_dropped_event_truncates_the_step_of_receipt_and_the_step_of_the_request() -> None:
    recorder, _ = recorder_for(["network"], max_events=1)
    recorder.begin_step(1)
    key = send(recorder)
    recorder.begin_step(4)
    complete(recorder, key)
    assert recorder.step_sections(1) == (set(), {"events"})
    assert recorder.step_sections(4) == (set(), {"events"})
    assert recorder.step_sections(2) == (set(), set())
    assert _rows(recorder) == {1: ("request-finished", "response")}


@pytest.mark.parametrize(
    ("kind", "section"),
    [("frame-attached", "frames"), ("worker-created", "workers"), ("popup-opened", "popups")],
)
def test_a_dropped_lifecycle_event_truncates_its_own_section_too(kind: Any, section: str) -> None:
    recorder, _ = recorder_for(["frames", "workers", "popups", "console"], max_events=1)
    recorder.console("log", "first", None)
    recorder.lifecycle("it", kind, "")
    assert recorder.step_sections(0)[1] == {"events", section}


def test_a_dropped_socket_event_truncates_websockets() -> None:
    recorder, _ = recorder_for(["websockets"], max_events=1)
    recorder.websocket_opened("ws://site.test/")
    recorder.websocket_frame_sent("ws://site.test/", "a")
    assert recorder.step_sections(0)[1] == {"events", "websockets"}


_OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["step", "console", "send", "answer", "finish", "fail", "content", "redirect"]),
        st.integers(0, 9),
        st.text(max_size=30),
    ),
    max_size=60,
)
_LIMITS = st.fixed_dictionaries(
    {
        "max_events": st.integers(1, 30),
        "max_event_bytes": st.integers(300, 3_000),
        "max_total_event_bytes": st.integers(300, 40_000),
        "max_network_transactions": st.integers(1, 8),
        "max_network_metadata_bytes": st.integers(100, 3_000),
        "max_network_body_bytes": st.integers(1, 40),
        "max_network_header_bytes": st.integers(1, 300),
        "max_network_body_allocation_bytes": st.integers(1, 200),
    }
)


@settings(deadline=None, max_examples=60)
@given(_OPERATIONS, _LIMITS)
def test_whatever_happens_every_event_is_accounted_for_once(
    operations: list[tuple[str, int, str]], limits: dict[str, int]
) -> None:
    recorder = _played(operations, limits)
    events = recorder.events()
    sequences = [event.sequence for event in events.items]
    rows = _rows(recorder)
    beyond = events.omissions.network_transaction_range

    assert sequences == sorted(set(sequences))
    assert all(1 <= sequence <= recorder.last_sequence for sequence in sequences)
    assert events.retained + events.dropped == recorder.last_sequence
    assert events.retained <= limits["max_events"]
    assert sum(map(event_bytes, events.items)) <= limits["max_total_event_bytes"]
    assert all(event_bytes(event) <= limits["max_event_bytes"] for event in events.items)
    assert {reason for _, reasons in _reasons(recorder).values() for reason in reasons} <= {*OMISSION_REASONS}
    assert all(transaction_id <= limits["max_network_transactions"] for transaction_id in rows)
    assert beyond is None or beyond.first == limits["max_network_transactions"] + 1 <= beyond.last
    truncated = set().union(*(recorder.step_sections(step)[1] for step in range(10)))
    assert not events.dropped or "events" in truncated
    _assert_every_transaction_is_whole_or_named(recorder, rows)
    _assert_content_points_at_a_kept_event(recorder)
    assert _played(operations, limits).events() == events


def _played(operations: list[tuple[str, int, str]], limits: dict[str, int]) -> EventRecorder:
    recorder, _ = recorder_for(["network", "console"], EVERYTHING, redactor=NO_SECRETS, **limits)
    keys: list[Key] = []
    for name, number, text in operations:
        key = keys[number % len(keys)] if keys else Key()
        match name:
            case "step":
                recorder.begin_step(number)
            case "console":
                recorder.console("log", text, None)
            case "send" | "redirect":
                keys.append(
                    send(recorder, url=URL + text, redirected_from=key if name == "redirect" else None)
                )
            case "answer":
                recorder.network.response(key, status=200, header_names=[text])
            case "finish":
                recorder.network.finished(key)
            case "fail":
                recorder.network.failed(key, text)
            case _ if recorder.network.wants_content(key, "request"):
                body = BodyRead(text.encode("utf-8", "replace"), text)
                recorder.network.content(key, "request", headers=[("a", text)], body=body)
    recorder.end_observation()
    return recorder


def _assert_every_transaction_is_whole_or_named(
    recorder: EventRecorder, rows: dict[int, tuple[str, ...]]
) -> None:
    kept: Counter[int] = Counter()
    for event in items(recorder):
        if event.kind in {"request", "request-finished", "request-failed", "request-unfinished"}:
            kept[event.transaction_id] += 1
    # Within the limit every transaction has a beginning and an end, kept or named as omitted.
    for transaction_id, count in kept.items():
        assert count == 2 or rows[transaction_id]


def _assert_content_points_at_a_kept_event(recorder: EventRecorder) -> None:
    by_sequence = {event.sequence: event for event in items(recorder)}
    for content in items(recorder, "network-content"):
        source = by_sequence[content.source_event_sequence]
        assert (source.kind, source.transaction_id) == (content.phase, content.transaction_id)


@settings(deadline=None)
@given(st.text())
def test_the_estimate_of_a_text_covers_its_utf16_form_and_its_json_form(text: str) -> None:
    utf16 = len(text.encode("utf-16-le"))
    written = len(json.dumps(text, ensure_ascii=False).encode())
    assert text_bytes(text) >= utf16 + written
    assert stored_text_bytes(text) >= utf16


@settings(deadline=None)
@given(st.text(max_size=200), st.sampled_from(["log", "\x00\x01", "é"]))
def test_the_estimate_of_an_event_covers_what_it_stores_and_writes(text: str, level: str) -> None:
    recorder, _ = recorder_for(["console"])
    recorder.console(level, text, None)
    assert event_bytes(items(recorder)[0]) >= 192 + len((text + level).encode("utf-16-le"))


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_the_preflight_never_estimates_more_than_the_event_costs(data: bytes) -> None:
    recorder, _ = recorder_for(["network"], NetworkContentSelection(request_body=True))
    recorder.network.content(send(recorder), "request", headers=None, body=BodyRead(data, None))
    assert body_event_bytes(len(data)) <= event_bytes(items(recorder)[-1])
    assert body_copies_bytes(len(data)) >= 2 * len(data) + 2 * 4 * ((len(data) + 2) // 3)
