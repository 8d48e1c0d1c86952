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
from rea_capture.contracts.urls import Value

_GIVEN_BACK: Final = (
    "name", "value", "domain", "path", "secure", "httpOnly", "sameSite", "priority", "sourceScheme",
    "sourcePort",
)  # fmt: skip
"""What the browser tells of a cookie and takes for one under the same names."""


class BorrowedCookies:
    """Seeds cookies, and remembers what stood in their place."""

    def __init__(self, session: CDPSession, timeout_ms: int) -> None:
        self._session = session
        self._timeout_ms = timeout_ms
        self._seeded: dict[tuple[str, str, str], str] = {}  # to the address each was seeded for
        self._before: dict[tuple[str, str, str], dict[str, Any]] = {}

    async def install(self, cookies: Iterable[SeededCookie], resolve: Callable[[Value], str]) -> None:
        """Seed ``cookies``. Raises what :func:`install_cookies` raises, and the driver's errors."""
        wanted = tuple(cookies)
        for cookie in wanted:
            url = cookie.destination.resolved(resolve)
            key = (cookie.name, urlsplit(url).hostname or "", default_path(url))
            self._seeded[key] = url
            for found in await self._at(url):
                if _key(found) == key:
                    self._before[key] = found
        await install_cookies(self._session, wanted, resolve, self._timeout_ms)

    async def give_back(self) -> bool:
        """Put back what was there before; whether it could be done. Never raises the driver's errors."""
        try:
            for key, url in self._seeded.items():
                await self._give_back(key, url)
        except (Error, TimeoutError):
            return False
        return True

    async def _give_back(self, key: tuple[str, str, str], url: str) -> None:
        before = self._before.get(key)
        if before is None:
            name, domain, path = key
            gone = {"name": name, "domain": domain, "path": path}
            await self._send("Network.deleteCookies", gone)
            return
        kept: dict[str, Any] = {name: before[name] for name in _GIVEN_BACK if name in before}
        if before["domain"] == key[1]:
            del kept["domain"]  # with it, the cookie would be sent to subdomains too
        if not before.get("session"):
            kept["expires"] = before["expires"]
        await self._send("Network.setCookie", {"url": url, **kept})

    async def _at(self, url: str) -> list[dict[str, Any]]:
        cookies: list[dict[str, Any]] = (await self._send("Network.getCookies", {"urls": [url]}))["cookies"]
        return [cookie for cookie in cookies if "partitionKey" not in cookie]

    async def _send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = await within(
            self._timeout_ms, self._session.send(method, params), "the browser"
        )
        return answer


def _key(cookie: dict[str, Any]) -> tuple[str, str, str]:
    return (cookie["name"], cookie["domain"], cookie["path"])
