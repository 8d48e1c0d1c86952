"""Asking a running browser what it is called and which targets it has.

    1. ``/json/version`` gives the WebSocket address, which must name the very host and port that were asked.
    2. ``/json/list`` gives the targets.

Both within one deadline of their own: what listens on a debugging port answers at once, or is none.

Below: ``plain_http``. Above: ``session``, ``workflows.targets``. Needs no Playwright.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from rea_capture.browser.connect.plain_http import NoAnswerError, get_json
from rea_capture.errors import UnavailableError

T = TypeVar("T")

DISCOVERY_TIMEOUT_MS: Final = 5_000
"""For both questions together. A browser answers in milliseconds, one that starts in a second or two."""

MAX_SHOWN_CHARACTERS: Final = 200
"""What an error shows of an address or an id that somebody else made up."""

_KEY: Final = "webSocketDebuggerUrl"


@dataclass(frozen=True, slots=True)
class Target:
    """A target as the browser lists it. ``title`` and ``url`` are the page's own, and not to be trusted."""

    target_id: str
    type: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class RunningBrowser:
    """A browser that answered. ``path`` is the browser's own id for its debugger, the same whatever address
    was used to ask; ``product`` is its name and version, such as ``Chrome/156.0.1.2``.
    """

    host: str
    port: int
    path: str
    product: str
    targets: tuple[Target, ...]

    @property
    def websocket_url(self) -> str:
        """Where its debugger is, at the address that was asked."""
        return f"ws://{_literal(self.host)}:{self.port}{self.path}"

    def page(self, target_id: str) -> Target:
        """The page ``target_id``. Raises :class:`UnavailableError` when it is gone, or is no page."""
        endpoint = f"http://{_literal(self.host)}:{self.port}"
        advice = f"`rea list-browser-targets {endpoint}` lists the pages there are"
        found = next((each for each in self.targets if each.target_id == target_id), None)
        shown = repr(target_id[:MAX_SHOWN_CHARACTERS])
        if found is None:
            raise UnavailableError(f"the browser at {endpoint} has no target {shown}; {advice}")
        if found.type != "page":
            kind = repr(found.type[:MAX_SHOWN_CHARACTERS])
            raise UnavailableError(f"target {shown} is of type {kind}, not a page; {advice}")
        return found


async def discover(endpoint: str) -> RunningBrowser:
    """The browser at ``endpoint``, an address that the scenario's contract accepts.

    Raises :class:`UnavailableError` with one line when nothing there answers as a browser does within
    ``DISCOVERY_TIMEOUT_MS``.
    """
    parts = urlsplit(endpoint)
    host, port = parts.hostname or "", parts.port or 0
    try:
        return await _in_time(_ask(host, port))
    except NoAnswerError as reason:
        raise UnavailableError(
            f"no browser can be attached to at {endpoint}: {reason}; start one with "
            f"--remote-debugging-port={port}"
        ) from None


async def _in_time(work: Coroutine[Any, Any, T]) -> T:
    try:
        async with asyncio.timeout(DISCOVERY_TIMEOUT_MS / 1000):
            return await work
    except TimeoutError:
        raise NoAnswerError(f"it did not answer within {DISCOVERY_TIMEOUT_MS} ms") from None


async def _ask(host: str, port: int) -> RunningBrowser:
    version = await get_json(host, port, "/json/version")
    path = _debugger_path(version, host, port)
    listed = await get_json(host, port, "/json/list")
    if not isinstance(listed, list):
        raise NoAnswerError("it answered /json/list with something that is no list of targets")
    product = version.get("Browser")
    return RunningBrowser(
        host=host,
        port=port,
        path=path,
        product=product if isinstance(product, str) else "unknown",
        targets=tuple(target for each in listed if (target := _target(each)) is not None),
    )


def _debugger_path(version: Any, host: str, port: int) -> str:
    """The path of the debugger's address. Raises :class:`NoAnswerError` unless it is here."""
    url = version.get(_KEY) if isinstance(version, dict) else None
    if not isinstance(url, str):
        raise NoAnswerError(f"it answered /json/version without {_KEY}")
    shown = ascii(url[:MAX_SHOWN_CHARACTERS])
    try:
        parts = urlsplit(url)
        names_this = (parts.scheme, parts.hostname, parts.port) == ("ws", host, port)
    except ValueError:
        names_this = False
    if not names_this or url != f"ws://{_literal(host)}:{port}{parts.path}":
        raise NoAnswerError(f"its {_KEY} {shown} is not at this address, and is not followed")
    if not parts.path.strip("/") or not parts.path.isascii() or not parts.path.isprintable():
        raise NoAnswerError(f"its {_KEY} {shown} names no debugger")
    return parts.path


def _target(listed: Any) -> Target | None:
    """A target of the list; None for what has no id to select it by."""
    if not isinstance(listed, dict) or not isinstance(listed.get("id"), str) or not listed["id"]:
        return None

    def text(name: str) -> str:
        value = listed.get(name)
        return value if isinstance(value, str) else ""

    return Target(listed["id"], text("type"), text("title"), text("url"))


def _literal(host: str) -> str:
    return f"[{host}]" if ":" in host else host
