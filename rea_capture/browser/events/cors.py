"""Which requests a browser asks permission for first, as far as the request itself tells.

A preflight is due to a cross-origin request that no form could have sent: another method, a header of
its own, an unusual value of an ordinary header (Fetch standard, sections 2.2.2 and 4.1). Two things do
not show in a request and make it due as well: a listener for the upload of an ``XMLHttpRequest``, and a
body that is a stream. Whether a request is cross-origin is decided elsewhere, in ``preflights``.

Below: the standard library. Above: ``preflights``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final

_PLAIN_METHODS: Final = frozenset({"GET", "HEAD", "POST"})
"""What a form or an image could send (Fetch standard, "CORS-safelisted method")."""

_EXEMPT_TYPES: Final = frozenset(
    {"document", "stylesheet", "image", "media", "font", "script", "texttrack", "eventsource", "websocket"}
    | {"manifest", "cspreport"}
)
"""Kinds of requests that a page gives neither method nor headers; for what the browser adds to them,
such as the range of a video, it asks nobody."""

_BY_BROWSER: Final = frozenset(
    {"cookie", "host", "origin", "referer", "user-agent", "upgrade-insecure-requests", "connection"}
    | {"accept-encoding", "content-length", "date", "dnt", "expect", "keep-alive", "te", "trailer"}
    | {"transfer-encoding", "upgrade", "via", "purpose", "save-data", "x-client-data", "priority"}
)
"""Headers that pages cannot set, or that Chromium sends unasked and does not ask about."""

_HINTS: Final = frozenset({"device-memory", "downlink", "dpr", "ect", "rtt", "viewport-width", "width"})
"""Client hints that Chromium takes from a page without asking, when their values are short."""

_PLAIN_TYPES: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"})
_UNSAFE_BYTE: Final = re.compile(r'[\x00-\x08\x0a-\x1f"():<>?@\[\\\]{}\x7f]')
_LANGUAGES: Final = re.compile(r"[0-9A-Za-z *,\-.;=]*")
_SIMPLE_RANGE: Final = re.compile(r"bytes=\d+-\d*")
_MAX_VALUE_BYTES: Final = 128
_MAX_VALUES_BYTES: Final = 1024
"""Bounds of one value and of all together (Fetch standard, "CORS-safelisted request-header")."""


class Preflight(Enum):
    """Whether a preflight is due to a request, were it cross-origin."""

    NEVER = "never"
    POSSIBLE = "possible"
    """It depends on what the request does not show."""
    ALWAYS = "always"


def preflight_of(method: str, resource_type: str, headers: Mapping[str, str]) -> Preflight:
    """What is due to a request with these ``headers`` (lower-case names), as its page made it."""
    if resource_type in _EXEMPT_TYPES or "ping-to" in headers:  # the latter: ``<a ping>``
        return Preflight.NEVER
    if method.upper() not in _PLAIN_METHODS or not _all_plain(headers):
        return Preflight.ALWAYS
    if method.upper() != "POST":
        return Preflight.NEVER
    may_watch_upload = resource_type == "xhr" and "content-type" in headers
    may_stream = resource_type == "fetch" and "content-type" not in headers
    return Preflight.POSSIBLE if may_watch_upload or may_stream else Preflight.NEVER


def _all_plain(headers: Mapping[str, str]) -> bool:
    counted = 0
    for name, value in headers.items():
        if name in _BY_BROWSER or name.startswith(("sec-", "proxy-")):
            continue
        if not _is_plain(name, value):
            return False
        counted += len(value.encode())
    return counted <= _MAX_VALUES_BYTES


def _is_plain(name: str, value: str) -> bool:
    if len(value.encode()) > _MAX_VALUE_BYTES:
        return False
    if name == "accept":
        return _UNSAFE_BYTE.search(value) is None
    if name in ("accept-language", "content-language"):
        return _LANGUAGES.fullmatch(value) is not None
    if name == "content-type":
        return _UNSAFE_BYTE.search(value) is None and value.partition(";")[0].strip().lower() in _PLAIN_TYPES
    if name == "range":
        return _SIMPLE_RANGE.fullmatch(value) is not None
    return name in _HINTS
