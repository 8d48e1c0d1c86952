"""Network content as it may be kept: header values and bodies, redacted, sized and bounded.

Below: ``allocation``, ``limitations``, ``redaction``, ``contracts``. Above: ``recorder``; the
browser room hands over readings in the types of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rea_capture.capture.allocation import body_copies_bytes, texts_bytes
from rea_capture.capture.limitations import Limitations, bounded_sentence
from rea_capture.capture.observed import ObservedText
from rea_capture.capture.transactions import Phase
from rea_capture.contracts.encodings import CREDENTIAL_HEADERS
from rea_capture.contracts.network import (
    BodyState,
    CapturedBody,
    CapturedHeaders,
    HeaderItem,
    HeadersState,
    HeadersUnavailable,
    HeadersUnavailableReason,
    NotExposed,
    OverLimit,
    Unavailable,
    UnavailableReason,
)
from rea_capture.contracts.selection import RecordedLimits
from rea_capture.contracts.states import NOT_REQUESTED
from rea_capture.redaction import Redactor, well_formed

REFETCH_LIMITATION: Final = (
    "Response bodies were read through the browser's body interface after the response completed; when "
    "the browser no longer held one it may have loaded the URL again, with credentials, so that the kept "
    "bytes are not proven to be those of the original response. They are the content after decompression; "
    "text may have been decoded and written again as UTF-8."
)
MULTIPART_LIMITATION: Final = (
    "Multipart request bodies are kept as the browser exposes them, "
    "which may leave out the contents of the files sent."
)

HeadersFailure: TypeAlias = HeadersUnavailableReason


@dataclass(frozen=True, slots=True)
class HeadersNotRead:
    """Header values could not be read; ``message`` may hold page text."""

    reason: HeadersFailure
    message: str


@dataclass(frozen=True, slots=True)
class BodyNotRead:
    """A body could not be read; ``message`` may hold page text."""

    reason: UnavailableReason
    message: str


@dataclass(frozen=True, slots=True)
class BodyNotExposed:
    """The browser exposed no request body; ``declared``: the request has, or may have, one all the same."""

    declared: bool


@dataclass(frozen=True, slots=True)
class BodyRead:
    """The bytes of a body and the content type declared for it, both as read."""

    data: bytes
    content_type: str | None


HeadersReading: TypeAlias = Sequence[tuple[str, str]] | HeadersNotRead | None
"""Names and values in the order produced; None when they were not requested."""
BodyReading: TypeAlias = BodyRead | BodyNotRead | BodyNotExposed | None
"""None when it was not requested."""


@dataclass(frozen=True, slots=True)
class Content:
    """Headers and body as kept, what that leaves out, and what the headers cost in bytes."""

    headers: HeadersState
    body: BodyState
    missing: bool
    truncated: bool
    headers_bytes: int


class ContentKeeper:
    """Makes content states and keeps the header budget."""

    def __init__(
        self, limits: RecordedLimits, redactor: Redactor, observed: ObservedText, limitations: Limitations
    ) -> None:
        self._limits = limits
        self._redactor = redactor
        self._observed = observed
        self._limitations = limitations
        self._headers_bytes = 0

    def content(self, phase: Phase, headers: HeadersReading, body: BodyReading) -> Content:
        """What may be kept of two readings."""
        headers_state, headers_bytes = self._headers(headers)
        body_state = self._body(phase, body)
        over_header_limit = (
            isinstance(headers_state, HeadersUnavailable) and headers_state.reason == "header-bytes-limit"
        )
        return Content(
            headers=headers_state,
            body=body_state,
            missing=isinstance(body_state, Unavailable)
            or (isinstance(headers_state, HeadersUnavailable) and not over_header_limit)
            or (isinstance(body, BodyNotExposed) and body.declared),
            truncated=over_header_limit or isinstance(body_state, OverLimit),
            headers_bytes=headers_bytes,
        )

    def refuses(self, size_bytes: int) -> bool:
        """Whether a body of that size is over a limit of its own."""
        return self._over_limit(size_bytes) is not None

    def kept(self, phase: Phase, content: Content) -> None:
        """``content`` is part of a kept event: charge its headers and state what its body implies."""
        self._headers_bytes += content.headers_bytes
        if content.missing:
            self._state_missing(phase, content)
        if not isinstance(content.body, CapturedBody):
            return
        if phase == "response":
            self._limitations.add(REFETCH_LIMITATION)
        elif (content.body.media_type or "").lower().startswith("multipart/"):
            self._limitations.add(MULTIPART_LIMITATION)

    def _state_missing(self, phase: Phase, content: Content) -> None:
        """Say what is missing and why: without transactions, so that one cause is one sentence."""
        if isinstance(content.headers, HeadersUnavailable) and content.headers.reason != "header-bytes-limit":
            self._limitations.add(f"Header values of a {phase} are missing: {content.headers.message}")
        if isinstance(content.body, Unavailable):
            self._limitations.add(f"The body of a {phase} is missing: {content.body.message}")
        elif isinstance(content.body, NotExposed):
            self._limitations.add(
                "The body of a request is missing: it has, or may have, one that the browser does not expose."
            )

    def _headers(self, reading: HeadersReading) -> tuple[HeadersState, int]:
        if reading is None:
            return NOT_REQUESTED, 0
        if isinstance(reading, HeadersNotRead):
            return HeadersUnavailable(message=self._sentence(reading.message), reason=reading.reason), 0
        items = tuple(self._header(name, value) for name, value in reading)
        cost = texts_bytes(text for item in items for text in (item.name, item.value))
        allowed = self._limits.max_network_header_bytes - self._headers_bytes
        if cost > allowed:
            message = f"These header values take an estimated {cost} bytes, and {allowed} were left for them."
            return HeadersUnavailable(message=message, reason="header-bytes-limit"), 0
        return CapturedHeaders(items=items), cost

    def _header(self, raw_name: str, raw_value: str) -> HeaderItem:
        name = self._observed.name(raw_name)
        if raw_name.lower() in CREDENTIAL_HEADERS:  # whatever they hold
            return HeaderItem(name=name, redacted=True, value=None)
        value = self._observed.text(raw_value)
        redacted = value != well_formed(raw_value) or name != well_formed(raw_name)
        return HeaderItem(name=name, redacted=redacted, value=value)

    def _body(self, phase: Phase, reading: BodyReading) -> BodyState:
        if reading is None:
            return NOT_REQUESTED
        if isinstance(reading, BodyNotExposed):
            return NotExposed()
        if isinstance(reading, BodyNotRead):
            return Unavailable(message=self._sentence(reading.message), reason=reading.reason)
        too_large = self._over_limit(len(reading.data))
        if too_large is not None:
            return too_large
        data = self._redactor.data(reading.data)
        # A marker may be longer than what it stands for.
        too_large = self._over_limit(len(data)) if data is not reading.data else None
        return too_large or self._captured(phase, reading, data)

    def _captured(self, phase: Phase, reading: BodyRead, data: bytes) -> CapturedBody:
        content_type = reading.content_type
        return CapturedBody.of(
            data,
            media_type=None if content_type is None else self._observed.name(content_type),
            redacted=data != reading.data,
            representation=(
                "browser-exposed-request-bytes" if phase == "request" else "playwright-response-body"
            ),
        )

    def _over_limit(self, size_bytes: int) -> OverLimit | None:
        allowed = self._limits.max_network_body_bytes
        if size_bytes > allowed:
            return OverLimit(
                allowed=allowed,
                message=f"The body has {size_bytes} bytes, and {allowed} may be kept.",
                observed=size_bytes,
                reason="body-size-limit",
            )
        cost = body_copies_bytes(size_bytes)
        allowed = self._limits.max_network_body_allocation_bytes
        if cost > allowed:
            return OverLimit(
                allowed=allowed,
                message=f"Copies of the body take an estimated {cost} bytes, and {allowed} are allowed.",
                observed=cost,
                reason="body-allocation-limit",
            )
        return None

    def _sentence(self, raw: str) -> str:
        # Redacted before the first line is cut out: a secret may hold a line break.
        first, *_ = self._redactor.text(raw).strip().splitlines() or ["No reason was given."]
        return bounded_sentence(first, self._redactor)
