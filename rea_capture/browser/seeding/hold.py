"""Keeps documents back until what comes before them is ready for them.

Below: `browser.channel`. Above: `seeder`, and `target`, which tells of each document.

Two things must be ready. A window that keeps its opener starts to load as soon as any of its watchers
lets it run, and Playwright is one: its documents wait until the window is instrumented. And the
browser takes the instruments away from a document the moment a later one of the same frame may come
up, also while the earlier one is still starting its process; it then runs unseen. So a document also
waits until an earlier one of its frame that wants seeds has started, which it does with the private
script (see `script`).

The answers to document requests pause at the browser for that, of every origin, and go on unchanged:
at once, unless there is something to wait for. Destinations, headers and bodies are never touched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from rea_capture.browser.channel import Channel, CommandRefusedError, TargetGoneError
from rea_capture.browser.seeding.errands import Errands

ARRIVAL_S: Final = (
    3  # from a document's answer to its first script; a process that starts under load took 1 s
)
_UNSEEN: Final = "A document was replaced while it started, and may have run without its storage seeds."
_NO_DOCUMENT_STATUSES: Final = frozenset({204, 205})  # HTML, "navigate": the page stays as it is
_REDIRECT_STATUSES: Final = range(300, 400)


class Arrivals:
    """The documents that are on their way: answered by the server, not yet started. One for each frame."""

    def __init__(self, wants: Callable[[str, str], bool], report: Callable[[str], None]) -> None:
        self._wants = wants
        self._report = report
        self._under_way: dict[str, asyncio.Event] = {}  # by frame id

    async def clear(self, frame_id: str) -> None:
        """Wait until no document is on its way to the frame; give it up after `ARRIVAL_S`."""
        while (arrival := self._under_way.get(frame_id)) is not None:
            try:
                async with asyncio.timeout(ARRIVAL_S):
                    await arrival.wait()
            except TimeoutError:
                if self._under_way.get(frame_id) is arrival:
                    self.over(frame_id)
                    self._report(_UNSEEN)

    def expect(self, event: dict[str, Any]) -> bool:
        """Note a document by its paused answer; False when the answer makes none that wants seeds.

        A page's own frame has the id of the page. Any other frame may be in a partition without seeds.
        """
        frame_id = event["frameId"]
        if not (_becomes_document(event) and self._wants(event["request"]["url"], frame_id)):
            return False
        self._under_way[frame_id] = asyncio.Event()
        return True

    def over(self, frame_id: str) -> None:
        """The frame's document has started, or will not come."""
        arrival = self._under_way.pop(frame_id, None)
        if arrival is not None:
            arrival.set()

    async def settle(self) -> None:
        """Wait until no document is on its way anywhere; what is given up is reported."""
        await asyncio.gather(*map(self.clear, tuple(self._under_way)))


class DocumentHold:
    """Pauses the answers to document requests while any of the noted preparations is under way."""

    def __init__(
        self,
        channel: Channel,
        errands: Errands,
        arrivals: Arrivals,
        holds: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """``holds`` tells by its frame's id whether a document may be held back at all."""
        self._channel = channel
        self._holds = holds
        self._errands = errands
        self._arrivals = arrivals
        self._preparations: set[asyncio.Task[None]] = set()

    async def install(self) -> None:
        """Start to pause. Raises `ChannelError`."""
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        await self._channel.send("Fetch.enable", {"patterns": [pattern]})

    def until(self, preparation: asyncio.Task[None]) -> None:
        """Hold documents until this task is done; its own commands bound how long that can take."""
        self._preparations.add(preparation)
        preparation.add_done_callback(self._preparations.discard)

    async def prepared(self) -> None:
        """Wait until no preparation is under way."""
        while self._preparations:
            await asyncio.wait(tuple(self._preparations))

    def paused(self, event: dict[str, Any]) -> None:
        """Take a ``Fetch.requestPaused`` event."""
        self._errands.run(self._go_on(event), "A document could not be continued")

    async def _go_on(self, event: dict[str, Any]) -> None:
        expected = False
        if self._holds(event["frameId"]):
            await self.prepared()
            await self._arrivals.clear(event["frameId"])
            expected = self._arrivals.expect(event)
        try:
            await self._channel.send("Fetch.continueRequest", {"requestId": event["requestId"]})
        except (CommandRefusedError, TargetGoneError):
            if expected:  # the navigation was cancelled while it was held
                self._arrivals.over(event["frameId"])


def _becomes_document(event: dict[str, Any]) -> bool:
    """Whether the browser will show the answer: no failure, redirect, empty answer or attachment."""
    status = event.get("responseStatusCode")
    if status is None or status in _NO_DOCUMENT_STATUSES or status in _REDIRECT_STATUSES:
        return False
    return not any(
        header["name"].lower() == "content-disposition"
        and header["value"].strip().lower().startswith("attachment")
        for header in event.get("responseHeaders", ())
    )
