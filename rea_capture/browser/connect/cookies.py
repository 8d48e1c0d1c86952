"""Seeded cookies in a browser that is not ours: what stood in their place comes back afterwards.

The place of a cookie is one name, host and path, outside any partition. The browser is asked for all cookies
it has, also those that the seed's address would not be sent: a secure one stands in the place of another.

A seed is taken out when it is still as it was set. Where a page or its server has put another in its
place, that one stays, as after any visit, unless the caller had one there.

Below: playwright, ``browser.cookies``. Above: ``session``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error

from rea_capture.browser.cookies import default_path, install_cookies
from rea_capture.browser.deadline import within
from rea_capture.contracts.scenario import SeededCookie
from rea_capture.contracts.values import Value
from rea_capture.errors import Fault, UnavailableError

_GIVEN_BACK: Final = (
    "name", "value", "path", "secure", "httpOnly", "sameSite", "priority", "sourceScheme", "partitionKey",
)  # fmt: skip
"""What the browser tells of a cookie and takes for one under the same names."""

_Cookie = dict[str, Any]
_Place = tuple[str, str, str]
"""Name, host, path."""


@dataclass(frozen=True, slots=True)
class _Seed:
    """A cookie as the scenario wants it, and where it is among the scenario's cookies."""

    index: int
    place: _Place
    cookie: SeededCookie
    value: str

    def is_(self, found: _Cookie) -> bool:
        """Whether ``found`` is this seed, as it was set."""
        cookie = self.cookie
        wanted = (self.value, True, cookie.secure, cookie.http_only, cookie.same_site)
        has = (found["value"], found["session"], found["secure"], found["httpOnly"], found.get("sameSite"))
        return has == wanted


class BorrowedCookies:
    """Seeds cookies, and remembers what stood in their place."""

    def __init__(self, session: CDPSession, timeout_ms: int) -> None:
        self._session = session
        self._timeout_ms = timeout_ms
        self._seeds: tuple[_Seed, ...] = ()
        self._places: set[_Place] = set()
        self._before: list[_Cookie] = []

    async def install(self, cookies: Iterable[SeededCookie], resolve: Callable[[Value], str]) -> None:
        """Seed ``cookies``. Raises what :func:`install_cookies` raises, and the driver's errors.

        A cookie that the browser says to have taken and has not is refused like one that it refuses.
        """
        wanted = tuple(cookies)
        seeds = _seeds(wanted, resolve)
        if not seeds:
            return
        self._before = await self._named({seed.place[0] for seed in seeds})
        self._seeds = seeds
        self._places = {seed.place for seed in seeds}
        await install_cookies(self._session, wanted, resolve, self._timeout_ms)
        now = await self._named({seed.place[0] for seed in seeds})
        faults = [
            Fault(f"/storage/cookies/{seed.index}", f"the browser did not keep cookie {seed.cookie.name!r}")
            for seed in seeds
            if not any(self._stems_from(seed, found) for found in now)
        ]
        if faults:
            raise UnavailableError(f"{faults[0]}", faults)
        self._places |= {_place(found) for found in now if self._is_ours(found)}

    async def give_back(self) -> bool:
        """Put back what was there before; whether all of it was. Never raises the driver's errors."""
        if not self._seeds:
            return True
        try:
            return await self._give_back()
        except (Error, TimeoutError):
            return False

    async def _give_back(self) -> bool:
        now = await self._here()
        before = [each for each in self._before if _is_in_place(each) and _place(each) in self._places]
        returning = {_place(each) for each in before}
        ours = [each for each in now if self._is_ours(each)]
        stay = [
            each
            for each in now
            if each not in ours and (not _is_in_place(each) or _place(each) not in returning)
        ]
        for seed in ours:
            if _place(seed) not in returning:
                await self._send(
                    "Network.deleteCookies", {name: seed[name] for name in ("name", "domain", "path")}
                )
        wanted = [*before, *stay]  # should anything else have gone with a seed, it is put back as well
        left = await self._here()
        for cookie in wanted:
            if not _has(left, cookie):
                await self._send("Network.setCookie", _as_it_was(cookie))
        left = await self._here()
        return len(left) == len(wanted) and all(_has(left, cookie) for cookie in wanted)

    def _is_ours(self, found: _Cookie) -> bool:
        return any(self._stems_from(seed, found) for seed in self._seeds) and found not in self._before

    def _stems_from(self, seed: _Seed, found: _Cookie) -> bool:
        """Whether ``found`` is ``seed``: in its place, or in another where nothing like it was before.

        The browser may write host and path in its own way.
        """
        alike = found["name"] == seed.place[0] and _is_in_place(found) and seed.is_(found)
        return alike and (_place(found) == seed.place or found not in self._before)

    async def _here(self) -> list[_Cookie]:
        """Every cookie of the places: of the whole domain and of partitions too."""
        return [
            each
            for each in await self._named({name for name, _, _ in self._places})
            if _place(each) in self._places
        ]

    async def _named(self, names: set[str]) -> list[_Cookie]:
        # Of the page's own context: ``Storage.getCookies`` would tell a page those of the default one.
        cookies = (await self._send("Network.getAllCookies", {}))["cookies"]
        return [cookie for cookie in cookies if cookie["name"] in names]

    async def _send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = await within(
            self._timeout_ms, self._session.send(method, params), "the browser"
        )
        return answer


def _seeds(cookies: Iterable[SeededCookie], resolve: Callable[[Value], str]) -> tuple[_Seed, ...]:
    """One for each place: of several the last one stands."""
    seeds: dict[_Place, _Seed] = {}
    for index, cookie in enumerate(cookies):
        url = cookie.destination.resolved(resolve)
        place = (cookie.name, urlsplit(url).hostname or "", default_path(url))
        seeds[place] = _Seed(index, place, cookie, resolve(cookie.value))
    return tuple(seeds.values())


def _place(cookie: _Cookie) -> _Place:
    return (cookie["name"], _host(cookie), cookie["path"])


def _host(cookie: _Cookie) -> str:
    host: str = cookie["domain"].removeprefix(".").strip("[]")
    return host


def _is_in_place(cookie: _Cookie) -> bool:
    """Whether a seed takes the place of ``cookie``: one of this very host, and of no partition."""
    return "partitionKey" not in cookie and not cookie["domain"].startswith(".")


def _has(cookies: Iterable[_Cookie], wanted: _Cookie) -> bool:
    """Whether ``wanted`` is there; the second in which it expires may have been rounded."""
    return any(
        {**cookie, "expires": 0} == {**wanted, "expires": 0}
        and abs(cookie["expires"] - wanted["expires"]) < 1
        for cookie in cookies
    )


def _as_it_was(cookie: _Cookie) -> dict[str, Any]:
    """What sets ``cookie`` again, for its host alone or its domain as it was.

    The address says where it comes from, and has to agree with the scheme and the port the browser noted.
    """
    scheme = "https" if cookie.get("sourceScheme") == "Secure" else "http"
    port = cookie.get("sourcePort", -1)
    host = _host(cookie)
    literal = f"[{host}]" if ":" in host else host
    url = f"{scheme}://{literal}{f':{port}' if port > 0 else ''}{cookie['path']}"
    kept: dict[str, Any] = {name: cookie[name] for name in _GIVEN_BACK if name in cookie}
    domain = {"domain": cookie["domain"]} if cookie["domain"].startswith(".") else {}
    lasting = {} if cookie.get("session") else {"expires": cookie["expires"]}
    return {"url": url, "sourcePort": port, **kept, **domain, **lasting}
