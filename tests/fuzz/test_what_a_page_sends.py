"""Messages and bodies of any bytes are recorded without a fault, and hold no secret afterwards."""

from __future__ import annotations

import base64
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.capture.content import BodyRead
from rea_capture.capture.recorder import MAX_WEBSOCKET_TEXT_CHARACTERS
from rea_capture.contracts.capture_selection import NetworkContentSelection
from rea_capture.redaction import Redactor
from tests.capture.recording.support import items, recorder_for
from tests.fuzz.examples import examples
from tests.redaction.encoders import ENCODERS

SECRET: Final = 'S3cr\u00ebt&"v<al>ue%2F'
REDACTOR: Final = Redactor({"password": SECRET})
FAMILIES: Final = ("console", "page-errors", "network", "websockets", "frames", "downloads")

pieces = st.one_of(
    st.text(max_size=30),
    st.sampled_from(sorted(ENCODERS)).map(lambda name: ENCODERS[name](SECRET)),
    st.sampled_from(("\ud800", "\udfff", "\x00", "%", "&#", "\\u", "\\", "[REDACTED:", "\r\n", "\u2028")),
)
texts = st.lists(pieces, max_size=6).map("".join)
binaries = st.lists(
    st.one_of(st.binary(max_size=30), pieces.map(lambda t: t.encode("utf-8", "surrogatepass"))), max_size=6
).map(b"".join)
types = st.sampled_from(
    (None, "", "text/html; charset=utf-16", "application/json", "image/png", "multipart/x", "\x00")
)


@examples(60)
@given(st.lists(st.one_of(texts, binaries), max_size=4), texts)
def test_websocket_messages_of_any_kind_are_kept_without_the_secret(
    payloads: list[str | bytes], url: str
) -> None:
    recorder, _ = recorder_for(FAMILIES, redactor=REDACTOR)
    recorder.begin_step(0)
    for payload in payloads:
        recorder.websocket_frame_sent(url, payload)
        recorder.websocket_frame_received(url, payload)
    kept = items(recorder, "websocket-frame-sent", "websocket-frame-received")
    assert len(kept) == 2 * len(payloads)
    for event in kept:
        assert event.payload_text is None or len(event.payload_text) <= MAX_WEBSOCKET_TEXT_CHARACTERS
        assert _is_clean(event.payload_text or "")
        assert _is_clean(event.url.url)


@examples(30)
@given(
    st.integers(MAX_WEBSOCKET_TEXT_CHARACTERS - 200, MAX_WEBSOCKET_TEXT_CHARACTERS + 200),
    st.sampled_from(sorted(ENCODERS)),
)
def test_a_secret_where_a_long_message_is_cut_leaves_no_piece(before: int, encoder: str) -> None:
    recorder, _ = recorder_for(FAMILIES, redactor=REDACTOR)
    recorder.begin_step(0)
    recorder.websocket_frame_received("ws://a.test/", "X" * before + ENCODERS[encoder](SECRET) + "Y" * 500)
    (event,) = items(recorder, "websocket-frame-received")
    assert _is_clean(event.payload_text)
    whole = "X" * before + "[REDACTED:password]" + "Y" * 500
    assert event.payload_text == whole[:MAX_WEBSOCKET_TEXT_CHARACTERS]


@examples(60)
@given(binaries, types, binaries, st.lists(st.tuples(texts, texts), max_size=3))
def test_bodies_and_headers_of_any_bytes_are_kept_without_the_secret(
    data: bytes, content_type: str | None, sent: bytes, headers: list[tuple[str, str]]
) -> None:
    wanted = NetworkContentSelection(request_body=True, response_body=True, header_values=True)
    recorder, _ = recorder_for(FAMILIES, wanted, redactor=REDACTOR)
    recorder.begin_step(0)
    key = object()
    recorder.network.request(
        key, method="POST", url="http://a.test/", resource_type="fetch", header_names=(), redirected_from=None
    )
    keeper: Any = recorder.network._keeper
    for phase, body in (("request", sent), ("response", data)):
        content = keeper.content(phase, headers, BodyRead(body, content_type))
        kept = base64.b64decode(getattr(content.body, "content", ""))
        assert not REDACTOR.shows(kept.decode("utf-8", "replace"))
        assert all(_is_clean(item.value or "") and _is_clean(item.name) for item in content.headers.items)


@examples(60)
@given(texts, texts, texts)
def test_whatever_a_page_says_is_kept_without_the_secret(one: str, two: str, three: str) -> None:
    recorder, limitations = recorder_for(FAMILIES, redactor=REDACTOR)
    recorder.begin_step(0)
    recorder.console(one, two, three)
    recorder.page_error(two, one)
    recorder.lifecycle(object(), "frame-navigated", three, one)
    recorder.gap({"events"}, two)
    for event in items(recorder):
        assert _is_clean(repr(event))
    assert all(_is_clean(sentence) for sentence in limitations.sentences())


def _is_clean(text: str) -> bool:
    text.encode()  # well formed
    return SECRET not in text and not REDACTOR.shows(text)
