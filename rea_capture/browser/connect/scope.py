"""Which of a shared context's events are those of the capture: of the selected page and its popups.

A browser that is not ours has other tabs in the same context. ``ScopedContext`` stands in for the context
wherever something only listens to it, and lets through what belongs to the capture. What has no page yet
belongs to nobody.

Below: playwright. Above: ``session``, and through it every listener of an attached capture.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from playwright.async_api import BrowserContext, Error, Page, Request, Response

_ONE_ARGUMENT: Final = inspect.Signature(
    [inspect.Parameter("value", inspect.Parameter.POSITIONAL_OR_KEYWORD)],
)
"""Stated on every listener: the driver asks for it at each event, and working it out anew is slow."""

MAX_PAGES: Final = 4_096
"""Pages of the capture that are remembered; one that opens more popups is not told from others any more."""


class ScopedContext:
    """The part of a shared context that belongs to one capture."""

    def __init__(self, context: BrowserContext, root: Page) -> None:
        self._context = context
        self._forwarding: dict[tuple[str, Callable[[Any], None]], Callable[[Any], None]] = {}
        self._told_of_popups: list[Callable[[Page], None]] = []
        self._pages: set[Page] = set()
        self._follow(root)

    @property
    def pages(self) -> tuple[Page, ...]:
        """The selected page and its popups, as long as each lives."""
        return tuple(page for page in self._pages if not page.is_closed())

    def follows(self, page: Page | None) -> bool:
        """Whether ``page`` belongs to the capture."""
        return page in self._pages

    def on(self, event: str, f: Callable[[Any], None]) -> None:
        """Call ``f`` for each ``event`` of the context that belongs to the capture."""
        if event == "page":  # a popup's opener is known a moment later than the popup
            self._told_of_popups.append(f)
            return

        def forward(value: Any) -> None:
            if self.follows(_page_of(value)):
                f(value)

        forward.__signature__ = _ONE_ARGUMENT  # type: ignore[attr-defined]  # read by inspect.signature
        self._forwarding[event, f] = forward
        self._emitter.on(event, forward)

    def remove_listener(self, event: str, f: Callable[[Any], None]) -> None:
        """Undo :meth:`on`."""
        if event == "page":
            self._told_of_popups.remove(f)
        elif forward := self._forwarding.pop((event, f), None):
            self._emitter.remove_listener(event, forward)

    @property
    def _emitter(self) -> Any:
        """The context; its own ``on`` has one signature for each event."""
        return self._context

    def _follow(self, page: Page) -> None:
        page.on("popup", self._popup)
        self._pages.add(page)

    def _popup(self, page: Page) -> None:
        if page in self._pages or len(self._pages) >= MAX_PAGES:
            return
        self._follow(page)
        for tell in tuple(self._told_of_popups):
            tell(page)


def _page_of(value: Any) -> Page | None:
    """The page that a request, response, message, error or dialog is of, if it has one yet."""
    try:
        if isinstance(value, Response):
            value = value.request
        return value.frame.page if isinstance(value, Request) else value.page
    except Error:
        return None
