"""``url``, ``history`` and ``storage``: what the document itself says about where it is.

The URL is asked of the renderer, since one that the driver remembers proves nothing about a page
that no longer answers.

Below: the private world, ``contracts``. Above: the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Cookie

from rea_capture.browser.artifacts.bounded import Got, NotRead, Reading
from rea_capture.browser.artifacts.scripts import FACTS
from rea_capture.browser.artifacts.world import PrivateWorld, retrying
from rea_capture.canonical import sha256_hex
from rea_capture.contracts.artifacts import History, NavigationEntry, Storage, StoredCookie, StoredEntry
from rea_capture.contracts.urls import ObservedUrl, observed_url
from rea_capture.redaction import Redactor
from rea_capture.redaction.wellformed import well_formed

Facts = dict[str, Any]


async def read_facts(world: PrivateWorld, *, storage: bool) -> Facts:
    """Location, history and, when asked for, web storage, in one look."""

    async def read() -> Facts:
        facts: Facts = await world.call(FACTS, storage)
        return facts

    return await retrying(read)


def url_of(facts: Facts, redactor: Redactor) -> ObservedUrl:
    """The document's URL in the form that may be kept."""
    return observed_url(facts["href"], redactor.text)


def history_of(facts: Facts, redactor: Redactor) -> History:
    """Session history length and the navigation timing entries, in the order of the page."""
    return History(
        current_url=url_of(facts, redactor),
        length=int(facts["history_length"]),
        navigation_entries=tuple(
            NavigationEntry(name=observed_url(name, redactor.text).url, type=redactor.text(kind))
            for kind, name in facts["navigations"]
        ),
    )


async def read_cookies(context: BrowserContext, url: str) -> list[Cookie]:
    """The cookies that a request for ``url`` would carry, partitioned ones too."""
    return await context.cookies(url)


async def read_cookies_of_page(session: CDPSession, url: str) -> list[Cookie]:
    """As :func:`read_cookies`, asked of the page itself.

    In a browser that is not ours the driver takes every context for the browser's own.
    """
    answer = await session.send("Network.getCookies", {"urls": [url]})
    cookies: list[Cookie] = answer["cookies"]
    return cookies


def storage_facts(
    facts: Reading[Facts] | None, cookies: Reading[list[Cookie]] | None
) -> Reading[tuple[Facts, list[Cookie]]] | None:
    """Cookies and web storage together; when one was denied, there is no storage artifact."""
    if facts is None or isinstance(facts, NotRead):
        return facts
    if cookies is None or isinstance(cookies, NotRead):
        return cookies
    stored = facts.value["storage"]
    if "denied" in stored:
        return NotRead(f"the page may not use storage: {stored['denied']}")
    return Got((stored, cookies.value))


def storage_of(stored: Facts, cookies: Sequence[Cookie], redactor: Redactor) -> Storage:
    """The storage artifact; values become digests, or nothing where they show a secret."""
    return Storage(
        cookies=tuple(sorted((_cookie(each, redactor) for each in cookies), key=_cookie_order)),
        local_storage=_entries(stored["local"], redactor),
        session_storage=_entries(stored["session"], redactor),
    )


def _entries(items: Sequence[Sequence[str]], redactor: Redactor) -> tuple[StoredEntry, ...]:
    entries = []
    for name, value in items:
        digest = _digest(value, redactor)
        entries.append(StoredEntry(name=redactor.text(name), value_sha256=digest, value_state=_state(digest)))
    return tuple(sorted(entries, key=lambda entry: (entry.name, entry.value_sha256 or "")))


def _cookie(cookie: Cookie, redactor: Redactor) -> StoredCookie:
    digest = _digest(cookie.get("value", ""), redactor)
    return StoredCookie(
        domain=redactor.text(cookie.get("domain", "")),
        http_only=cookie.get("httpOnly", False),
        name=redactor.text(cookie.get("name", "")),
        path=redactor.text(cookie.get("path", "")),
        same_site=cookie.get("sameSite", "Lax"),
        secure=cookie.get("secure", False),
        value_sha256=digest,
        value_state=_state(digest),
    )


def _cookie_order(cookie: StoredCookie) -> tuple[str, str, str, str]:
    return (cookie.name, cookie.domain, cookie.path, cookie.value_sha256 or "")


def _digest(value: str, redactor: Redactor) -> str | None:
    """Digest of the value as UTF-8, or None when it shows a secret (a digest could be guessed at)."""
    whole = well_formed(value)
    return None if redactor.shows(whole) else sha256_hex(whole.encode("utf-8"))


def _state(digest: str | None) -> Any:
    return "redacted-secret" if digest is None else "hashed"
