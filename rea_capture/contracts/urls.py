"""URLs: those a scenario names, and those a browser was seen at.

Below: ``base``. Above: scenario, artifacts, events and the rooms that observe a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Final, Literal
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit, urlunsplit

from pydantic import AfterValidator, Field

from rea_capture.canonical import sha256_hex
from rea_capture.contracts.base import InputModel, record

MAX_URL_CHARACTERS: Final = 65_536
"""Longest URL kept whole; a longer one (a ``data:`` URL, say) keeps its head and a digest of the rest."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}


class LiteralValue(InputModel):
    """A value written in the scenario."""

    source: Literal["literal"]
    value: str


class SecretValue(InputModel):
    """A value taken from a declared secret when the scenario runs."""

    source: Literal["secret"]
    secret_id: str


Value = Annotated[LiteralValue | SecretValue, Field(discriminator="source")]


def _http_url(url: str) -> str:
    parts = _split(url)
    if parts.scheme not in {"http", "https"}:
        raise ValueError("must be an http: or https: URL")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password; declare a secret instead")
    if not parts.hostname:
        raise ValueError("must name a host")
    if any(character <= " " or character in "\x7f\\" for character in url):
        raise ValueError("must not hold spaces, backslashes or control characters; percent-encode them")
    return url


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # parsed lazily; raises when it is not a port
    except ValueError as error:
        raise ValueError(f"must be an absolute URL ({error})") from None
    return parts


def _http_origin(origin: str) -> str:
    parts = _split(_http_url(origin))
    if parts.path or parts.query or parts.fragment or origin.endswith(("?", "#")):
        raise ValueError("must be an origin only: scheme, host and port, without a path")
    return origin_of(origin) or origin


HttpUrl = Annotated[str, AfterValidator(_http_url), Field(json_schema_extra={"format": "uri"})]
HttpOrigin = Annotated[str, AfterValidator(_http_origin), Field(json_schema_extra={"format": "uri"})]


class QueryEntry(InputModel):
    """One ordered query entry, appended to the URL; the value may be a secret."""

    name: str
    value: Value


class Destination(InputModel):
    """Where to navigate: an HTTP(S) URL and, optionally, structured query entries."""

    url: HttpUrl
    query: tuple[QueryEntry, ...] = ()

    def resolved(self, resolve: Callable[[LiteralValue | SecretValue], str]) -> str:
        """The URL with its query entries, percent-encoded in order, before any fragment."""
        if not self.query:
            return self.url
        pairs = (
            f"{quote(entry.name, safe='')}={quote(resolve(entry.value), safe='')}" for entry in self.query
        )
        scheme, host, path, query, fragment = urlsplit(self.url)
        return urlunsplit(
            (scheme, host, path or "/", "&".join(([query] if query else []) + list(pairs)), fragment)
        )


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


_BLOB_ID: Final = re.compile(r"^(blob:.*/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""The random part of a ``blob:`` URL (File API section 8.4). It names an object in the memory of one
browser, means nothing to a later reader, and would make every capture differ from every other."""


def origin_of(url: str) -> str | None:
    """The origin of ``url`` as a browser prints it, or None when it has none (RFC 6454 section 6.1).

    A ``blob:`` URL has the origin of the page that made it.
    """
    try:
        parts = urlsplit(url.removeprefix("blob:"))
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return None
    bracketed = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{bracketed}" + (
        f":{port}" if port is not None and port != _DEFAULT_PORTS[parts.scheme] else ""
    )


def observed_url(raw: str, redact: Callable[[str], str]) -> ObservedUrl:
    """``raw``, as a browser reported it, in the form that may be kept.

    ``redact`` takes text and returns it well formed and without secrets
    (:meth:`rea_capture.redaction.Redactor.text`).
    """
    without_user = _BLOB_ID.sub(r"\1[blob-id]", _without_user(raw))
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
