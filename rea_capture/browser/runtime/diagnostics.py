"""What a session's pages logged and asked for: bounded, counted, redacted when it is told.

A secret may become known after it was logged, so messages are kept as they came, only cut, until then.

Below: ``payloads``, Playwright, ``contracts.runtime``. Above: the live session.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from playwright.async_api import BrowserContext, ConsoleMessage, Request, Response, WebError

from rea_capture.browser.runtime.elements import CurrentRedactor
from rea_capture.contracts.runtime.budgets import (
    MAX_CONSOLE_CHARACTERS,
    MAX_CONSOLE_ENTRIES,
    MAX_NETWORK_ENTRIES,
)
from rea_capture.contracts.runtime.operations import EvidenceOperationName
from rea_capture.contracts.runtime.results import ConsoleEntry, Diagnostics, NetworkEntry, Tab
from rea_capture.contracts.urls import origin_of
from rea_capture.redaction import Redactor
from rea_capture.redaction.cuts import ELLIPSIS
from rea_capture.visible import visible

Key = TypeVar("Key", bound=Hashable)

MAX_KEPT_CHARACTERS: Final = 8_192
"""Of a message before it is redacted: what is shown of it, and any usual secret that begins there."""

MAX_METHOD_CHARACTERS: Final = 32
"""A page may make up a method of any length."""

ABRIDGED: Final = (
    "Console messages are as a console shows them, and network entries hold no path, header or body; nothing "
    "from before the session is there."
)

_Console = tuple[str, str]
_Network = tuple[str, str, int | None, str]


@dataclass(slots=True)
class _Latest(Generic[Key]):
    """Counts of alike things, the latest last; the oldest are given up, and counted."""

    max_entries: int
    counts: OrderedDict[Key, int] = field(default_factory=OrderedDict)
    omitted: int = 0

    def add(self, key: Key) -> None:
        self.counts[key] = self.counts.pop(key, 0) + 1
        if len(self.counts) > self.max_entries:
            self.omitted += self.counts.popitem(last=False)[1]


class DiagnosticsLog:
    """Console messages and requests of a context's pages, alike ones counted, the latest kept."""

    def __init__(self, redactor: CurrentRedactor) -> None:
        self._redactor = redactor
        self._console: _Latest[_Console] = _Latest(MAX_CONSOLE_ENTRIES)
        self._network: _Latest[_Network] = _Latest(MAX_NETWORK_ENTRIES)
        self._listening: list[tuple[Any, str, Callable[[Any], None]]] = []

    def attach(self, context: BrowserContext) -> None:
        """Listen from now on, until the context is closed or :meth:`detach`."""
        self._listen(context, "console", self._logged)
        self._listen(context, "weberror", self._thrown)
        self._listen(context, "response", self._answered)
        self._listen(context, "requestfailed", self._failed)

    def detach(self) -> None:
        """Listen no more."""
        for source, event, listener in self._listening:
            with suppress(Exception):  # what has gone has no listeners
                source.remove_listener(event, listener)
        self._listening.clear()

    def summary(self, operation: EvidenceOperationName, tab: Tab) -> Diagnostics:
        """What was seen so far, redacted with what is known by now."""
        redactor = self._redactor()
        return Diagnostics(
            operation=operation,
            tab=tab,
            console=tuple(_console_entries(self._console.counts.items(), redactor)),
            console_omitted=self._console.omitted,
            network=tuple(_network_entries(self._network.counts.items(), redactor)),
            network_omitted=self._network.omitted,
            limitations=(ABRIDGED,),
        )

    def _listen(self, source: BrowserContext, event: Any, listener: Callable[[Any], None]) -> None:
        def safely(what: Any) -> None:
            # What leaves a listener would come back from another call of the driver.
            with suppress(Exception):
                listener(what)

        source.on(event, safely)
        self._listening.append((source, event, safely))

    def _logged(self, message: ConsoleMessage) -> None:
        self._console.add((message.type, _cut(message.text)))

    def _thrown(self, thrown: WebError) -> None:
        self._console.add(("exception", _cut(str(thrown.error))))

    def _answered(self, response: Response) -> None:
        self._requested(response.request, response.status, response.request.resource_type)

    def _failed(self, request: Request) -> None:
        reason = request.failure or ""
        self._requested(request, None, "blocked" if "BLOCKED" in reason else "failed")

    def _requested(self, request: Request, status: int | None, category: str) -> None:
        self._network.add((_cut(request.method), _origin(request.url), status, category))


def _origin(url: str) -> str:
    """The origin; of an address that has none, its scheme."""
    return origin_of(url) or url.partition(":")[0][:MAX_METHOD_CHARACTERS] + ":"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_KEPT_CHARACTERS else text[:MAX_KEPT_CHARACTERS] + ELLIPSIS


def _told(text: str, redactor: Redactor, max_characters: int) -> str:
    """``text`` redacted whole, then made visible, then shortened."""
    told = visible(redactor.abridged(text), but="\n\t")
    return told if len(told) <= max_characters else told[: max_characters - 1] + ELLIPSIS


def _console_entries(counts: Iterable[tuple[_Console, int]], redactor: Redactor) -> Iterable[ConsoleEntry]:
    merged: dict[_Console, int] = {}
    for (level, message), count in counts:
        told = (level, _told(message, redactor, MAX_CONSOLE_CHARACTERS))
        merged[told] = merged.get(told, 0) + count
    return (ConsoleEntry(level=level, message=message, count=n) for (level, message), n in merged.items())


def _network_entries(counts: Iterable[tuple[_Network, int]], redactor: Redactor) -> Iterable[NetworkEntry]:
    merged: dict[_Network, int] = {}
    for (method, origin, status, category), count in counts:
        told = (_told(method, redactor, MAX_METHOD_CHARACTERS), redactor.text(origin), status, category)
        merged[told] = merged.get(told, 0) + count
    return (
        NetworkEntry(method=method, origin=origin, status=status, category=category, count=count)
        for (method, origin, status, category), count in merged.items()
    )
