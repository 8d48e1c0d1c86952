"""URLs that a scenario names.

Below: ``inputs``, ``urls``, ``values``. Above: ``actions``, ``scenario``, and the browser that goes there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import AfterValidator, Field

from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.urls import printed_host, printed_origin, split_url
from rea_capture.contracts.values import LiteralValue, SecretValue, Value


def _http_url(url: str) -> str:
    parts = split_url(url)
    if parts.scheme not in {"http", "https"}:
        raise ValueError("must be an http: or https: URL")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password; declare a secret instead")
    if not parts.hostname:
        raise ValueError("must name a host")
    if any(character <= " " or character in "\x7f\\" for character in url):
        raise ValueError("must not hold spaces, backslashes or control characters; percent-encode them")
    printed_host(parts.hostname)  # raises for a host that browsers refuse or make another of
    return url


def _http_origin(origin: str) -> str:
    parts = split_url(_http_url(origin))
    if parts.path or parts.query or parts.fragment or origin.endswith(("?", "#")):
        raise ValueError("must be an origin only: scheme, host and port, without a path")
    return printed_origin(parts, printed_host(parts.hostname or ""))


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
