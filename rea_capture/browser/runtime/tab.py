"""One tab: its handle, the document that it shows, and how it ends.

A document is told by the browser's id for it, which every navigation and reload changes and a step within the
document does not. What callers get is a random handle made anew for each.

Below: playwright, ``elements``. Above: ``tabs``.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from playwright.async_api import CDPSession, Error, Page

from rea_capture.browser.artifacts.world import PrivateWorld
from rea_capture.browser.runtime.elements import Elements

HANDLE_BYTES: Final = 12
"""96 bits: nobody guesses one."""

HowGone = Literal["closed", "crashed"]


def new_handle() -> str:
    """A handle that tells nothing and cannot be guessed."""
    return secrets.token_urlsafe(HANDLE_BYTES)


def is_error_page(url: str) -> bool:
    """Whether ``url`` is that of the browser's own page for what could not be reached."""
    return url.startswith("chrome-error:")


@dataclass(slots=True, eq=False)
class OpenTab:
    """A tab of the session. Made by :func:`opened`."""

    page: Page
    tab_id: str
    cdp: CDPSession
    target_id: str
    opener: str | None
    is_ours: bool
    """False for a page that was there before the session."""
    elements: Elements
    world: PrivateWorld
    document_id: str = ""
    url: str = "about:blank"
    """As the browser has it, to be redacted before it is shown."""
    was_given: bool = False
    """Whether it was given as a popup."""
    is_leaving: bool = False
    gone: asyncio.Future[HowGone] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is no tab any more, which one that crashed still is."""
    _loader: str = ""

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """Whoever asked for what the block does wants the document left, whatever that says."""
        self.is_leaving = True
        try:
            yield
        finally:
            self.is_leaving = False

    def end(self, how: HowGone) -> None:
        """There is nothing more to be had of it."""
        if not self.gone.done():
            self.gone.set_result(how)

    def arrived(self, frame: dict[str, Any]) -> None:
        """The tab shows ``frame``, a document of the protocol."""
        if frame.get("parentId") is not None:
            return
        if frame["loaderId"] != self._loader:
            self._loader, self.document_id = frame["loaderId"], new_handle()
        self.url = str(frame["url"]) + str(frame.get("urlFragment", ""))

    def moved(self, event: dict[str, Any]) -> None:
        """The address changed, the document did not."""
        if event["frameId"] == self.target_id:
            self.url = str(event["url"])


async def opened(
    page: Page,
    handle: str,
    opener: str | None,
    elements: Elements,
    *,
    is_ours: bool,
    download: Callable[[str], None],
) -> OpenTab:
    """``page`` as a tab, followed from now on. Raises the driver's ``Error`` when it goes meanwhile.

    ``download`` gets the browser's id of each file that the page offers.
    """
    cdp = await page.context.new_cdp_session(page)
    info = await cdp.send("Target.getTargetInfo")
    target_id = str(info["targetInfo"]["targetId"])
    tab = OpenTab(page, handle, cdp, target_id, opener, is_ours, elements, PrivateWorld(cdp))
    cdp.on("Page.frameNavigated", _safely(lambda event: tab.arrived(event["frame"])))
    cdp.on("Page.documentOpened", _safely(lambda event: tab.arrived(event["frame"])))
    cdp.on("Page.navigatedWithinDocument", _safely(tab.moved))
    cdp.on("Page.downloadWillBegin", _safely(lambda event: download(str(event["guid"]))))
    page.on("crash", lambda _: tab.end("crashed"))
    page.on("close", lambda _: tab.end("closed"))
    await cdp.send("Page.enable")
    tree = await cdp.send("Page.getFrameTree")
    tab.arrived(tree["frameTree"]["frame"])
    if page.is_closed():
        raise Error("the page has been closed")
    return tab


def _safely(listener: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    """``listener``, which nothing leaves: it would come back from another call of the driver."""

    def listen(event: dict[str, Any]) -> None:
        with suppress(Exception):
            listener(event)

    return listen
