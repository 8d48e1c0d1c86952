"""Tabs as they are told to callers.

Below: ``tab``, ``reading``, ``telling``. Above: ``live``.
"""

from __future__ import annotations

from typing import Final

from playwright.async_api import Frame

from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.guard import soon
from rea_capture.browser.runtime.reading import title_of
from rea_capture.browser.runtime.tab import OpenTab, is_error_page
from rea_capture.browser.runtime.telling import Telling
from rea_capture.contracts.runtime.operations import IndexPredicate, TabPredicate
from rea_capture.contracts.runtime.policy import OriginPolicy, allows
from rea_capture.contracts.runtime.results import Tab

TITLE_TIMEOUT_MS: Final = 1_500
"""What is added to a call by asking for the title of a page that hangs, by whichever way."""


def reachable(policy: OriginPolicy, tab: OpenTab) -> bool:
    """Whether a call of ``policy`` may look at ``tab``. The browser's own error page is nobody's."""
    return allows(policy, tab.url) or is_error_page(tab.url)


def frame_reachable(policy: OriginPolicy, frame: Frame) -> bool:
    """Whether a call of ``policy`` may look into ``frame``, which is in a tab that it may look at.

    A document that was written where it is has the origin of what it is in.
    """
    at: Frame | None = frame
    while at is not None and at.parent_frame is not None:
        if at.url.removeprefix("blob:").startswith(("http:", "https:")) and not allows(policy, at.url):
            return False
        at = at.parent_frame
    return True


async def described(
    tab: OpenTab, telling: Telling, *, selected_id: str | None, title: str | None = None
) -> Tab:
    """``tab`` as it is now; its ``title`` is asked for unless it is known."""
    if title is None:
        title = "" if tab.gone.done() else await soon(title_of(tab), TITLE_TIMEOUT_MS, "")
    return Tab(
        tab_id=tab.tab_id,
        document_id=tab.document_id,
        title=telling.title(title),
        url=telling.url(tab.url),
        origin=telling.origin(tab.url),
        selected=tab.tab_id == selected_id,
        opener=tab.opener,
    )


def matched(select: TabPredicate | None, tabs: list[Tab]) -> str | None:
    """The handle of the tab that ``select`` picks. Raises ``unknown_tab`` unless that is exactly one."""
    if select is None:
        return None
    if isinstance(select, IndexPredicate):
        if select.index < len(tabs):
            return tabs[select.index].tab_id
        message = f"There is no tab at index {select.index}; {len(tabs)} are listed."
        raise failure("listTabs", "resolve", "unknown_tab", message)
    found = [tab for tab in tabs if tab.origin == select.origin]
    if len(found) == 1:
        return found[0].tab_id
    message = f"{len(found)} listed tabs have the origin {select.origin}, not exactly one."
    raise failure("listTabs", "resolve", "unknown_tab", message)
