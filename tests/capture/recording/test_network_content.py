"""Network content: states, redaction, limits of their own, and what each means for completeness."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from rea_capture.capture.allocation import body_copies_bytes, body_event_bytes
from rea_capture.capture.content import (
    MULTIPART_LIMITATION,
    REFETCH_LIMITATION,
    BodyNotExposed,
    BodyNotRead,
    BodyRead,
    HeadersNotRead,
)
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture_selection import NetworkContentSelection
from rea_capture.redaction import Redactor
from tests.capture.recording.support import Key, items, recorder_for, send

REQUEST_BODY = NetworkContentSelection(request_body=True)
RESPONSE_BODY = NetworkContentSelection(response_body=True)
HEADERS = NetworkContentSelection(header_values=True)
SECRET = "correct horse"
REDACTOR = Redactor({"token": SECRET})


def _answered(recorder: EventRecorder) -> Key:
    key = send(recorder)
    recorder.network.response(key, status=200, header_names=())
    recorder.network.finished(key)
    return key


def _content(recorder: EventRecorder) -> Any:
    (content,) = items(recorder, "network-content")
    return content


def test_a_body_is_kept_with_its_size_digest_and_media_type() -> None:
    recorder, limitations = recorder_for(["network"], RESPONSE_BODY)
    key = _answered(recorder)
    assert recorder.network.content(key, "response", headers=None, body=BodyRead(b"\xff\x00", "image/x"))
    content = _content(recorder)
    assert content.headers.state == "not_requested"
    assert base64.b64decode(content.body.content) == b"\xff\x00"
    assert content.body.bytes == 2
    assert content.body.sha256 == hashlib.sha256(b"\xff\x00").hexdigest()
    assert (content.body.media_type, content.body.redacted) == ("image/x", False)
    assert content.body.representation == "playwright-response-body"
    assert content.source_event_sequence == items(recorder, "response")[0].sequence
    assert limitations.sentences() == (REFETCH_LIMITATION,)
    assert recorder.step_sections(0) == (set(), set())


def test_a_request_body_is_what_the_browser_exposes() -> None:
    recorder, limitations = recorder_for(["network"], REQUEST_BODY)
    recorder.network.content(send(recorder), "request", headers=None, body=BodyRead(b"a=1", "text/plain"))
    assert _content(recorder).body.representation == "browser-exposed-request-bytes"
    assert limitations.sentences() == ()


def test_a_multipart_request_body_is_stated_to_be_possibly_incomplete() -> None:
    recorder, limitations = recorder_for(["network"], REQUEST_BODY)
    body = BodyRead(b"--x", "Multipart/Form-Data; boundary=x")
    recorder.network.content(send(recorder), "request", headers=None, body=body)
    assert limitations.sentences() == (MULTIPART_LIMITATION,)


def test_the_digest_is_of_the_body_after_redaction() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODY, redactor=REDACTOR)
    body = BodyRead(b"<" + SECRET.encode() + b">", f"text/{SECRET}")
    recorder.network.content(_answered(recorder), "response", headers=None, body=body)
    kept = _content(recorder).body
    assert base64.b64decode(kept.content) == b"<[REDACTED:token]>"
    assert kept.sha256 == hashlib.sha256(b"<[REDACTED:token]>").hexdigest()
    assert kept.bytes == len(b"<[REDACTED:token]>")
    assert kept.redacted
    assert kept.media_type == "text/[REDACTED:token]"


@pytest.mark.parametrize("name", ["Authorization", "proxy-authorization", "COOKIE", "Set-Cookie"])
def test_credential_headers_have_no_value(name: str) -> None:
    recorder, _ = recorder_for(["network"], HEADERS)
    recorder.network.content(send(recorder), "request", headers=[(name, "x")], body=None)
    (item,) = _content(recorder).headers.items
    assert (item.name, item.value, item.redacted) == (name, None, True)


def test_headers_keep_order_and_duplicates_and_lose_secrets() -> None:
    recorder, _ = recorder_for(["network"], HEADERS, redactor=REDACTOR)
    read = [("B", "1"), ("a", SECRET), ("B", "2"), (f"X-{SECRET}", "v"), ("c", "\ud800")]
    recorder.network.content(send(recorder), "request", headers=read, body=None)
    kept = [(item.name, item.value, item.redacted) for item in _content(recorder).headers.items]
    assert kept == [
        ("B", "1", False),
        ("a", "[REDACTED:token]", True),
        ("B", "2", False),
        ("X-[REDACTED:token]", "v", True),
        ("c", "\ufffd", False),
    ]


def test_a_body_of_exactly_the_limit_is_kept_and_one_byte_more_is_not() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODY, max_network_body_bytes=10)
    recorder.network.content(_answered(recorder), "response", headers=None, body=BodyRead(b"x" * 10, None))
    assert items(recorder)[-1].body.state == "captured"
    recorder.begin_step(1)
    recorder.network.content(_answered(recorder), "response", headers=None, body=BodyRead(b"x" * 11, None))
    body = items(recorder)[-1].body
    assert (body.state, body.reason, body.observed, body.allowed) == (
        "unavailable",
        "body-size-limit",
        11,
        10,
    )
    assert recorder.step_sections(0) == (set(), set())
    assert recorder.step_sections(1) == (set(), {"events"})


def test_a_body_that_redaction_makes_too_long_is_over_the_limit() -> None:
    redactor = Redactor({"a_very_long_secret_id": "abcd"})
    recorder, _ = recorder_for(["network"], RESPONSE_BODY, redactor=redactor, max_network_body_bytes=10)
    recorder.network.content(_answered(recorder), "response", headers=None, body=BodyRead(b"abcd", None))
    body = _content(recorder).body
    assert (body.reason, body.observed) == ("body-size-limit", len("[REDACTED:a_very_long_secret_id]"))


def test_a_body_over_the_allocation_limit_says_what_it_would_take() -> None:
    allowed = body_copies_bytes(30)
    recorder, _ = recorder_for(["network"], RESPONSE_BODY, max_network_body_allocation_bytes=allowed)
    recorder.network.content(_answered(recorder), "response", headers=None, body=BodyRead(b"x" * 30, None))
    assert items(recorder)[-1].body.state == "captured"
    recorder.network.content(_answered(recorder), "response", headers=None, body=BodyRead(b"x" * 31, None))
    body = items(recorder)[-1].body
    assert (body.reason, body.observed, body.allowed) == (
        "body-allocation-limit",
        body_copies_bytes(31),
        allowed,
    )


class _CountingRedactor:
    """Counts how many bodies it is given."""

    def __init__(self) -> None:
        self.bodies = 0

    def text(self, value: str) -> str:
        return value

    def abridged(self, value: str) -> str:
        return value

    def data(self, value: bytes) -> bytes:
        self.bodies += 1
        return value


def test_a_body_the_event_budget_rejects_is_neither_redacted_nor_encoded() -> None:
    redactor: Any = _CountingRedactor()
    data = b"x" * 600
    limit = body_event_bytes(len(data)) - 1
    recorder, _ = recorder_for(["network"], RESPONSE_BODY, redactor=redactor, max_event_bytes=limit)
    assert not recorder.network.content(
        _answered(recorder), "response", headers=None, body=BodyRead(data, None)
    )
    assert redactor.bodies == 0
    (row,) = recorder.events().omissions.by_kind
    assert (row.kind, row.reasons) == ("network-content", ("event-bytes-limit",))
    recorder.network.content(_answered(recorder), "response", headers=None, body=BodyRead(b"x", None))
    assert redactor.bodies == 1


def test_header_values_share_one_budget() -> None:
    recorder, _ = recorder_for(["network"], HEADERS, max_network_header_bytes=400)
    for _ in range(4):
        recorder.network.content(send(recorder), "request", headers=[("a", "v" * 20)], body=None)
    states = [content.headers.state for content in items(recorder, "network-content")]
    assert states == ["captured", "captured", "captured", "unavailable"]
    assert items(recorder)[-1].headers.reason == "header-bytes-limit"
    assert recorder.step_sections(0) == (set(), {"events"})


def test_headers_of_an_event_that_is_not_kept_cost_nothing() -> None:
    recorder, _ = recorder_for(["network"], HEADERS, max_network_header_bytes=1_000, max_event_bytes=1_800)
    big = [(f"h{number}", "") for number in range(14)]
    for _ in range(5):
        assert not recorder.network.content(send(recorder), "request", headers=big, body=None)
    assert recorder.network.content(send(recorder), "request", headers=[("a", "v")], body=None)
    assert items(recorder)[-1].headers.state == "captured"


@pytest.mark.parametrize(
    "reason",
    [
        "request-failed",
        "response-unfinished",
        "body-read-failed",
        "body-read-timeout",
        "cancelled",
        "capture-ended",
    ],
)
def test_an_unread_body_is_missing_from_the_step_of_receipt_and_of_the_request(reason: Any) -> None:
    recorder, limitations = recorder_for(["network"], RESPONSE_BODY)
    recorder.begin_step(1)
    key = _answered(recorder)
    recorder.begin_step(2)
    recorder.network.content(key, "response", headers=None, body=BodyNotRead(reason, "No.\nCall log:\n"))
    body = _content(recorder).body
    assert (body.state, body.reason, body.message) == ("unavailable", reason, "No.")
    assert recorder.step_sections(1) == recorder.step_sections(2) == ({"events"}, set())
    assert limitations.sentences() == ("The body of a response is missing: No.",)


def test_unread_headers_are_missing_and_their_reason_is_redacted() -> None:
    recorder, _ = recorder_for(["network"], HEADERS, redactor=REDACTOR)
    failure = HeadersNotRead("headers-read-failed", f"{SECRET} is broken")
    recorder.network.content(send(recorder), "request", headers=failure, body=None)
    headers = _content(recorder).headers
    assert (headers.state, headers.reason) == ("unavailable", "headers-read-failed")
    assert headers.message == "[REDACTED:token] is broken"
    assert recorder.step_sections(0) == ({"events"}, set())


def test_a_reason_without_a_text_has_one_all_the_same() -> None:
    recorder, _ = recorder_for(["network"], HEADERS)
    recorder.network.content(
        send(recorder), "request", headers=HeadersNotRead("headers-read-failed", " \n"), body=None
    )
    assert _content(recorder).headers.message == "No reason was given."


@pytest.mark.parametrize(("declared", "missing"), [(False, set()), (True, {"events"})])
def test_an_unexposed_body_is_missing_only_where_there_may_be_one(declared: bool, missing: set[str]) -> None:
    recorder, _ = recorder_for(["network"], REQUEST_BODY)
    recorder.network.content(send(recorder), "request", headers=None, body=BodyNotExposed(declared))
    assert _content(recorder).body.state == "not_exposed"
    assert recorder.step_sections(0) == (missing, set())


def test_content_is_wanted_only_where_selected_and_only_for_a_kept_event() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODY, max_events=2)
    key = send(recorder)
    assert not recorder.network.wants_content(key, "request"), "not selected"
    assert not recorder.network.wants_content(key, "response"), "not there yet"
    recorder.network.response(key, status=200, header_names=())
    assert recorder.network.wants_content(key, "response")
    late = send(recorder)
    recorder.network.response(late, status=200, header_names=())
    assert not recorder.network.wants_content(late, "response"), "its response event was not kept"
    assert not recorder.network.content(late, "response", headers=None, body=BodyRead(b"", None))
    assert not recorder.network.wants_content(Key(), "response")


def test_content_is_taken_after_the_end_of_observation() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODY)
    key = _answered(recorder)
    recorder.end_observation()
    assert recorder.network.content(key, "response", headers=None, body=BodyRead(b"", None))
    assert _content(recorder).body.bytes == 0


def test_selected_content_without_the_network_family_is_never_wanted() -> None:
    recorder, _ = recorder_for([])
    assert not recorder.network.wants_content(send(recorder), "request")
