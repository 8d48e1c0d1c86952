"""Network content: header values and bodies, each with an explicit state.

Below: ``base``, ``artifacts`` (digest checks). Above: ``events``.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from rea_capture.canonical import sha256_hex
from rea_capture.contracts.base import Constraint, SafeInteger, Sha256Hex, record
from rea_capture.contracts.encodings import (
    base64_of,
    check_digest,
    decoded_base64,
    is_without_credentials,
)
from rea_capture.contracts.states import NotRequested

_Bytes: TypeAlias = bytes  # a record below has a field of that name

UnavailableReason = Literal[
    "request-failed",
    "response-unfinished",
    "body-read-failed",
    "body-read-timeout",
    "cancelled",
    "capture-ended",
]

HeadersUnavailableReason = Literal[
    "headers-read-failed", "headers-read-timeout", "cancelled", "capture-ended", "header-bytes-limit"
]
"""The reasons of captures made here."""


@record
class Unavailable:
    """Requested and not to be had: ``reason`` for programs, ``message`` for people."""

    message: str
    reason: UnavailableReason
    state: Literal["unavailable"] = "unavailable"


@record
class HeadersUnavailable:
    """Header values requested and not to be had."""

    message: str
    reason: str
    """One of :data:`HeadersUnavailableReason` in captures made here. The wire format names reasons for bodies
    and none for headers, so a document of another program may have others and is read all the same."""
    state: Literal["unavailable"] = "unavailable"


@record
class OverLimit:
    """A body larger than the limit: ``observed`` and ``allowed`` are bytes."""

    allowed: SafeInteger
    message: str
    observed: SafeInteger
    reason: Literal["body-size-limit", "body-allocation-limit"]
    state: Literal["unavailable"] = "unavailable"


@record
class HeaderItem:
    """One header as produced: order and duplicates kept, credentials and secrets taken out."""

    name: str
    redacted: bool
    value: str | None

    def __post_init__(self) -> None:
        if not is_without_credentials(self.name, self.value, self.redacted):
            raise ValueError("a header of credentials has the value null, and is redacted")


@record
class CapturedHeaders:
    items: tuple[HeaderItem, ...]
    state: Literal["captured"] = "captured"


@record
class NotExposed:
    """The browser exposed no body, which does not prove that there was none."""

    state: Literal["not_exposed"] = "not_exposed"


@record
class CapturedBody:
    """The retained body, after redaction, with its size in bytes and digest."""

    bytes: SafeInteger
    content: str
    encoding: Literal["base64"]
    media_type: str | None
    redacted: bool
    representation: Literal["browser-exposed-request-bytes", "playwright-response-body"]
    sha256: Sha256Hex
    state: Literal["captured"] = "captured"

    def __post_init__(self) -> None:
        check_digest(decoded_base64(self.content), self.bytes, self.sha256)

    @classmethod
    def of(
        cls,
        data: _Bytes,
        *,
        media_type: str | None,
        redacted: bool,
        representation: Literal["browser-exposed-request-bytes", "playwright-response-body"],
    ) -> CapturedBody:
        """The record of ``data``, the bytes that remain after redaction."""
        return cls(
            bytes=len(data),
            content=base64_of(data),
            encoding="base64",
            media_type=media_type,
            redacted=redacted,
            representation=representation,
            sha256=sha256_hex(data),
        )


HeadersState = Annotated[
    NotRequested | HeadersUnavailable | CapturedHeaders, Constraint(discriminator="state")
]
_UnavailableBody = Annotated[Unavailable | OverLimit, Constraint(discriminator="reason")]
BodyState = Annotated[
    NotRequested | NotExposed | CapturedBody | _UnavailableBody, Constraint(discriminator="state")
]
