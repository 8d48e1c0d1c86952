"""What headers say about a body, where the browser itself has nothing to show.

Below: ``capture.content``. Above: ``content_reads``.
"""

from __future__ import annotations

from collections.abc import Mapping

from rea_capture.capture.content import HeadersNotRead, HeadersReading


def empty_though_declared(headers: Mapping[str, str]) -> bool:
    """Whether a response with these headers (lower-case names) cannot have had an empty body.

    A length that is no number counts as one: what it declares is not known to be nothing. So does
    a range, which is never empty (RFC 9110 sections 8.6 and 14.4).
    """
    return "content-range" in headers or _is_positive(headers.get("content-length"))


def declares_body(headers: HeadersReading) -> bool:
    """Whether a request with these headers has a body, or may have one (RFC 9112 section 6.3)."""
    if headers is None or isinstance(headers, HeadersNotRead):
        return True
    values = {name.lower(): value for name, value in headers}
    return "transfer-encoding" in values or _is_positive(values.get("content-length"))


def _is_positive(length: str | None) -> bool:
    if length is None:
        return False
    # Repeated equal lengths are joined by commas and mean one (RFC 9110 section 8.6).
    return any(part.strip().strip("0") != "" or not part.strip() for part in length.split(","))
