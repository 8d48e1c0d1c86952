"""Whether documents listen for their own end: only one that does can say something in its last moment.

A document has its last moment when it is replaced, closed or taken out. Nothing of a page runs then but
its listeners for it, so a document without any leaves in silence. Which listeners there are is asked over
sessions of our own that last for one look: no script of the page runs for it and nothing is left behind.
A page cannot redefine the names that are evaluated, ``window`` and ``document`` (``LegacyUnforgeable``).

``beforeunload`` is none of these moments: the document has not been left yet, and the driver hears it.

Below: ``browser.channel``. Above: ``departures``, ``farewells``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from rea_capture.browser.channel import Channel, CommandRefusedError

LAST_MOMENTS: Final[frozenset[str]] = frozenset(
    {"pageswap", "pagehide", "unload", "visibilitychange", "webkitvisibilitychange", "freeze"}
)
"""Events of a document's last moment: HTML, "unload a document"; Page Lifecycle. All reach the window or the
document itself, whether a listener hears them, an ``on...`` property or an attribute of ``body``."""
LOOK_TIMEOUT_MS: Final = 3_000
"""How long a look may take. A page takes hundredths of a second to answer, on a busy machine a whole one."""
MAX_DOCUMENTS: Final = 64
"""Frames of one target that are asked. One with more counts as not asked."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found: the last moments that are listened for."""

    heard: frozenset[str]


async def look(channel: Channel, target_id: str, *, load_timeout_ms: int = 0) -> Look:
    """Look at a page or frame and the frames in its process. Raises `ChannelError` when it cannot.

    With ``load_timeout_ms`` the look is taken once the document has loaded, and fails if it does not
    within that time. While a page is on its way to another document Chromium passes nothing on to it,
    so a look fails or is one at the next document.
    """
    try:
        attached = await channel.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        looking = _Looking(channel, str(attached["sessionId"]), target_id)
        try:
            if load_timeout_ms:
                async with asyncio.timeout(load_timeout_ms / 1_000):
                    await looking.loaded()
            async with asyncio.timeout(LOOK_TIMEOUT_MS / 1_000):
                return await looking.found()
        finally:
            await looking.close()
    except (TimeoutError, KeyError, TypeError) as error:
        raise CommandRefusedError("a document did not say what it listens for") from error


class _Looking:
    """One look, over a session that has just been opened."""

    def __init__(self, channel: Channel, session_id: str, target_id: str) -> None:
        self._channel = channel
        self._session_id = session_id
        self._target_id = target_id
        self._has_loaded = asyncio.Event()
        channel.listen(session_id, self._told)

    async def loaded(self) -> None:
        await asyncio.gather(
            self._send("Page.enable"), self._send("Page.setLifecycleEventsEnabled", enabled=True)
        )
        await self._has_loaded.wait()

    async def found(self) -> Look:
        tree = (await self._send("Page.getFrameTree"))["frameTree"]
        frame_ids = [frame_id for child in tree.get("childFrames", ()) for frame_id in _frame_ids(child)]
        if len(frame_ids) >= MAX_DOCUMENTS:
            raise CommandRefusedError("there are too many documents to ask")
        if frame_ids:
            await self._send("DOM.enable")
        hearers = await asyncio.gather(self._outermost(), *map(self._inner, frame_ids))
        heard = await asyncio.gather(*(self._heard(hearer) for pair in hearers for hearer in pair))
        return Look(frozenset[str]().union(*heard) & LAST_MOMENTS)

    async def close(self) -> None:
        self._channel.forget(self._session_id)
        await self._channel.post("Target.detachFromTarget", {"sessionId": self._session_id})

    def _told(self, method: str, params: dict[str, Any]) -> None:
        loaded = method == "Page.lifecycleEvent" and params["name"] == "load"
        if loaded and params["frameId"] == self._target_id:  # a target has the id of its outermost frame
            self._has_loaded.set()

    async def _outermost(self) -> tuple[str, str]:
        """The window and document of the outermost frame, as the page's own scripts know them."""
        window, document = await asyncio.gather(
            self._send("Runtime.evaluate", expression="window"),
            self._send("Runtime.evaluate", expression="document"),
        )
        return window["result"]["objectId"], document["result"]["objectId"]

    async def _inner(self, frame_id: str) -> tuple[str, str]:
        """The same of another frame. Its scripts are reached by its document only: to be told of their
        global objects, one would be told again of all the page ever logged, and that can be noticed.
        """
        owner = await self._send("DOM.getFrameOwner", frameId=frame_id)
        element = await self._send("DOM.describeNode", backendNodeId=owner["backendNodeId"])
        node_id = element["node"]["contentDocument"]["backendNodeId"]
        document: str = (await self._send("DOM.resolveNode", backendNodeId=node_id))["object"]["objectId"]
        window = await self._send(
            "Runtime.callFunctionOn", functionDeclaration="() => window", objectId=document
        )
        return window["result"]["objectId"], document

    async def _heard(self, hearer: str) -> frozenset[str]:
        listeners = (await self._send("DOMDebugger.getEventListeners", objectId=hearer))["listeners"]
        return frozenset(listener["type"] for listener in listeners)

    async def _send(self, method: str, **params: object) -> dict[str, Any]:
        return await self._channel.send(method, params, self._session_id)


def _frame_ids(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", ()):
        yield from _frame_ids(child)
