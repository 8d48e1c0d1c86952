"""Installing the scenario's cookies before the first navigation.

The driver's own call derives ``secure`` from the URL's scheme; the browser's command keeps what the
scenario says.

Below: playwright. Above: ``driver``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error

from rea_capture.browser.deadline import within
from rea_capture.browser.failures import is_closing, reason_of
from rea_capture.contracts.scenario import SeededCookie
from rea_capture.contracts.values import Value
from rea_capture.errors import Fault, UnavailableError


async def install_cookies(
    session: CDPSession, cookies: Iterable[SeededCookie], resolve: Callable[[Value], str], timeout_ms: int
) -> None:
    """Set each cookie. Raises :class:`UnavailableError` naming every one that the browser refused,
    and what the driver raises when there is no browser any more."""
    faults: list[Fault] = []
    for index, cookie in enumerate(cookies):
        pointer = f"/storage/cookies/{index}"
        try:
            answer = await within(
                timeout_ms, _set(session, cookie, resolve), f"setting cookie {cookie.name!r}"
            )
        except (Error, TimeoutError) as error:
            if is_closing(error):
                raise
            faults.append(Fault(pointer, f"the browser refused cookie {cookie.name!r}: {reason_of(error)}"))
            continue
        if not answer.get("success", True):
            faults.append(Fault(pointer, f"the browser refused cookie {cookie.name!r} for its destination"))
    if faults:
        raise UnavailableError(f"{faults[0]}", faults)


async def _set(
    session: CDPSession, cookie: SeededCookie, resolve: Callable[[Value], str]
) -> dict[str, object]:
    url = cookie.destination.resolved(resolve)
    answer: dict[str, object] = await session.send(
        "Network.setCookie",
        {
            "name": cookie.name,
            "value": resolve(cookie.value),
            "url": url,
            "path": default_path(url),
            "secure": cookie.secure,
            "httpOnly": cookie.http_only,
            "sameSite": cookie.same_site,
        },
    )
    return answer


def default_path(url: str) -> str:
    """The path of a cookie set by ``url`` without naming one (RFC 6265 section 5.1.4)."""
    directory = urlsplit(url).path.rpartition("/")[0]
    return directory or "/"
