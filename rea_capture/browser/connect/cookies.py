"""Seeded cookies in a browser that is not ours: what stood in their place comes back afterwards.

A cookie is one name, domain and path. What pages and their servers set stays, as after any visit.

Below: playwright, ``browser.cookies``. Above: ``session``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error

from rea_capture.browser.cookies import default_path, install_cookies
from rea_capture.browser.deadline import within
from rea_capture.contracts.scenario import SeededCookie
from rea_capture.contracts.values import Value

_GIVEN_BACK: Final = ("name", "value", "path", "secure", "httpOnly", "sameSite", "priority", "sourceScheme")
"""What the browser tells of a cookie and takes for one under the same names."""

_Key = tuple[str, str, str]
"""Name, domain, path."""


class BorrowedCookies:
    """Seeds cookies, and remembers what stood in their place."""

    def __init__(self, session: CDPSession, timeout_ms: int) -> None:
        self._session = session
        self._timeout_ms = timeout_ms
        self._seeded: set[_Key] = set()
        self._before: dict[_Key, dict[str, Any]] = {}

    async def install(self, cookies: Iterable[SeededCookie], resolve: Callable[[Value], str]) -> None:
        """Seed ``cookies``. Raises what :func:`install_cookies` raises, and the driver's errors."""
        wanted = tuple(cookies)
        for cookie in wanted:
            url = cookie.destination.resolved(resolve)
            key = (cookie.name, urlsplit(url).hostname or "", default_path(url))
            self._seeded.add(key)
            for found in await self._at(url):
                if _key(found) == key:
                    self._before[key] = found
        await install_cookies(self._session, wanted, resolve, self._timeout_ms)

    async def give_back(self) -> bool:
        """Put back what was there before; whether all of it was. Never raises the driver's errors."""
        given_back = True
        for key in self._seeded:
            try:
                given_back &= await self._give_back(key)
            except (Error, TimeoutError):
                given_back = False
        return given_back

    async def _give_back(self, key: _Key) -> bool:
        before = self._before.get(key)
        if before is None:
            name, domain, path = key
            await self._send("Network.deleteCookies", {"name": name, "domain": domain, "path": path})
            return True
        return bool((await self._send("Network.setCookie", _as_it_was(before)))["success"])

    async def _at(self, url: str) -> list[dict[str, Any]]:
        cookies: list[dict[str, Any]] = (await self._send("Network.getCookies", {"urls": [url]}))["cookies"]
        return [cookie for cookie in cookies if "partitionKey" not in cookie]

    async def _send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = await within(
            self._timeout_ms, self._session.send(method, params), "the browser"
        )
        return answer


def _key(cookie: dict[str, Any]) -> _Key:
    return (cookie["name"], cookie["domain"], cookie["path"])


def _as_it_was(cookie: dict[str, Any]) -> dict[str, Any]:
    """What sets ``cookie`` again, for its host alone as it was.

    The address says where it comes from, and has to agree with the scheme and the port the browser noted.
    """
    scheme = "https" if cookie.get("sourceScheme") == "Secure" else "http"
    port = cookie.get("sourcePort", -1)
    host = f"[{cookie['domain']}]" if ":" in cookie["domain"] else cookie["domain"]
    url = f"{scheme}://{host}{f':{port}' if port > 0 else ''}{cookie['path']}"
    kept: dict[str, Any] = {name: cookie[name] for name in _GIVEN_BACK if name in cookie}
    lasting = {} if cookie.get("session") else {"expires": cookie["expires"]}
    return {"url": url, "sourcePort": port, **kept, **lasting}
