"""Whose a frame is, in a browser that is shared with somebody else.

The browser tells of a frame by its id only. The session's own pages are asked for those of theirs; the frames
with a process of their own each know what is within them. A page that does not answer may be the one that
asks, so the frame counts as its own.

Below: ``tabs``, playwright. Above: ``attaching``.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from playwright.async_api import CDPSession, Error, Frame

from rea_capture.browser.deadline import within
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.browser.runtime.tabs import Tabs

ANSWER_TIMEOUT_MS: Final = 1_000
"""For one page to name its frames. Somebody else's frame may be waiting for that."""


class FrameOwners:
    """Tells the frames of a session's tabs from those of others."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs

    async def owns(self, frame_id: str) -> bool:
        """Whether ``frame_id`` is within a tab of the session, or may be."""
        answers = await asyncio.gather(*(_has(tab, frame_id) for tab in self._tabs.open()))
        return any(answers)


async def _has(tab: OpenTab, frame_id: str) -> bool:
    if tab.gone.done():
        return False
    try:
        return await within(ANSWER_TIMEOUT_MS, _looked_for(tab, frame_id), "the page")
    except TimeoutError:
        return True


async def _looked_for(tab: OpenTab, frame_id: str) -> bool:
    if frame_id in await _ids_of(tab.cdp):
        return True
    children = [frame for frame in tab.page.frames if frame.parent_frame is not None]
    return any(await asyncio.gather(*(_within(tab, frame, frame_id) for frame in children)))


async def _within(tab: OpenTab, frame: Frame, frame_id: str) -> bool:
    try:
        session = await tab.page.context.new_cdp_session(frame)
    except Error:  # it has no process of its own, or has gone
        return False
    try:
        return frame_id in await _ids_of(session)
    finally:
        await asyncio.gather(session.detach(), return_exceptions=True)


async def _ids_of(session: CDPSession) -> set[str]:
    try:
        return _ids(await session.send("Page.getFrameTree"))
    except Error:
        return set()


def _ids(answer: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    trees = [answer["frameTree"]]
    while trees:
        tree = trees.pop()
        found.add(str(tree["frame"]["id"]))
        trees.extend(tree.get("childFrames", ()))
    return found
