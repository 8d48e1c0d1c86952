"""URLs that a browser was seen at, and how it prints hosts and origins.

Below: ``base``. Above: ``destinations``, artifacts, events and the rooms that observe a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlsplit, urlunsplit

from rea_capture.canonical import sha256_hex
from rea_capture.contracts.base import record

MAX_URL_CHARACTERS: Final = 65_536
"""Longest URL kept whole; a longer one (a ``data:`` URL, say) keeps its head and a digest of the rest."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}

_OTHER_UNDER_NFKC: Final = "the host contains invalid characters under NFKC normalization"


def split_url(url: str) -> SplitResult:
    """The parts of ``url``. Raises ``ValueError``, with a sentence, when it is not an absolute URL."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # parsed lazily; raises when it is not a port
    except ValueError as error:
        # The library repeats all that is before the host, and that may be a password.
        reason = _OTHER_UNDER_NFKC if str(error).startswith("netloc ") else error
        raise ValueError(f"must be an absolute URL ({reason})") from None
    return parts


def printed_host(host: str) -> str:
    """``host``, in lower case, as a browser prints it (URL standard, section 3.5).

    Names outside ASCII become punycode and IPv6 addresses their shortest form. Raises ``ValueError``,
    with what to write instead, for what a browser would refuse or make another host of.
    """
    if ":" in host:
        return _printed_ipv6(host)
    name = host if host.isascii() else _punycode(host)
    if _FORBIDDEN_IN_HOST.search(name):
        raise ValueError("the host holds characters that no host has; write it in its canonical form")
    if _ENDS_IN_NUMBER.search(name) and not _is_dotted_ipv4(name):
        raise ValueError(
            "the host is an IPv4 address in a form that browsers rewrite; write its canonical form, four "
            "decimal numbers such as 127.0.0.1"
        )
    return name


def _printed_ipv6(host: str) -> str:
    try:
        address = IPv6Address(host)
    except ValueError:
        raise ValueError("the host is not an IPv6 address") from None
    if address.scope_id is not None:
        raise ValueError("the host must not hold the zone of an IPv6 address")
    if address.ipv4_mapped is None:
        return str(address)
    low = int(address) & 0xFFFF_FFFF  # printed with dots by some versions of Python and by no browser
    return f"::ffff:{low >> 16:x}:{low & 0xFFFF:x}"


def _punycode(host: str) -> str:
    if not _DEVIATING.isdisjoint(host):
        raise ValueError("the host holds a letter that browsers disagree about; write it as punycode (xn--)")
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise ValueError("the host is not an internationalised name; correct it or write punycode") from None


def _is_dotted_ipv4(host: str) -> bool:
    try:
        IPv4Address(host)
    except ValueError:
        return False
    return True


_FORBIDDEN_IN_HOST: Final = re.compile(r"[\x00-\x20#%/:<>?@\[\\\]^`{|}\x7f]")
"""Forbidden domain code points (URL standard, section 3.1). A percent sign is one after decoding."""

_ENDS_IN_NUMBER: Final = re.compile(r"(?:^|\.)(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?$")
"""The last label is a number, which makes the host an IPv4 address (URL standard, section 3.5)."""

_DEVIATING: Final = frozenset("\u00df\u03c2\u200c\u200d")
"""Letters that IDNA 2003 and the IDNA of browsers make different names of (UTS 46, section 6)."""


@record
class ObservedUrl:
    """A URL the browser reported, without user information and with secrets as references.

    ``origin`` is null for what is not HTTP(S) or WebSocket; ``redacted`` says that something was
    taken out: user information, a secret, or the random part of a ``blob:`` URL.
    """

    origin: str | None
    query_parameter_names: tuple[str, ...]
    redacted: bool
    url: str


BLOB_ID_PATTERN: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""The random part of a ``blob:`` URL (File API section 8.4), letters of either case. It names an object in
the memory of one browser, means nothing to a later reader, and would make every capture differ from every
other."""

BLOB_ID_REPLACEMENT: Final = "[blob-id]"
"""What stands in its place."""

_BLOB_URL: Final = re.compile(f"^(blob:.*/){BLOB_ID_PATTERN}", re.IGNORECASE)


def origin_of(url: str) -> str | None:
    """The origin of ``url`` as a browser prints it, or None when it has none (RFC 6454 section 6.1).

    A ``blob:`` URL has the origin of the page that made it. A host that no browser would print stands
    as it is.
    """
    try:
        parts = urlsplit(url.removeprefix("blob:"))
        _ = parts.port  # parsed lazily; raises when it is not a port
    except ValueError:
        return None
    host = parts.hostname
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return None
    with suppress(ValueError):
        host = printed_host(host)
    return printed_origin(parts, host)


def printed_origin(parts: SplitResult, host: str) -> str:
    """The origin of ``parts``, whose ``host`` is as a browser prints it; their scheme is one with a port."""
    bracketed = f"[{host}]" if ":" in host else host
    port = "" if parts.port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{parts.port}"
    return f"{parts.scheme}://{bracketed}{port}"


def observed_url(raw: str, redact: Callable[[str], str]) -> ObservedUrl:
    """``raw``, as a browser reported it, in the form that may be kept.

    ``redact`` takes text and returns it well formed and without secrets
    (:meth:`rea_capture.redaction.Redactor.text`).
    """
    without_user = _BLOB_URL.sub(rf"\1{BLOB_ID_REPLACEMENT}", _without_user(raw))
    kept = redact(without_user)
    origin = origin_of(without_user)
    return ObservedUrl(
        origin=None if origin is None else redact(origin),
        query_parameter_names=_parameter_names(without_user, redact) if "?" in without_user else (),
        redacted=kept != raw,
        url=_bounded(kept),
    )


def _parameter_names(url: str, redact: Callable[[str], str]) -> tuple[str, ...]:
    try:
        query = urlsplit(url).query
    except ValueError:
        return ()
    names = {redact(name) for name, _ in parse_qsl(query, keep_blank_values=True)}
    return tuple(sorted(_bounded(name) for name in names))


def _without_user(raw: str) -> str:
    if "@" not in raw:
        return raw
    try:
        parts = urlsplit(raw)
    except ValueError:
        return raw
    if "@" not in parts.netloc:
        return raw
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _bounded(text: str) -> str:
    if len(text) <= MAX_URL_CHARACTERS:
        return text
    rest = text[MAX_URL_CHARACTERS:]
    digest = sha256_hex(rest.encode("utf-8", "replace"))
    return f"{text[:MAX_URL_CHARACTERS]}…[{len(rest)} more characters, sha256 {digest}]"
