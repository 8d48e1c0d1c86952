"""Keeps a new window's documents back until the window is instrumented.

Above: `seeder`. Below: `channel`.

A window that keeps its opener starts to load as soon as any of its watchers lets it run, and Playwright
is one. So document requests to the seeded origins, and no others, pause at
the browser. A request goes on unchanged at once, unless a window is just being instrumented; then it
goes on when that is done. Destinations, headers and bodies are never touched.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rea_capture.browser.seeding.channel import Channel, CommandRefusedError, TargetGoneError
from rea_capture.browser.seeding.errands import Errands


class DocumentHold:
    """Pauses document requests to some origins while any of the noted preparations is under way."""

    def __init__(self, channel: Channel, errands: Errands) -> None:
        self._channel = channel
        self._errands = errands
        self._preparations: set[asyncio.Task[None]] = set()

    async def install(self, origins: tuple[str, ...]) -> None:
        """Start to pause. Raises `ChannelError`."""
        patterns = [{"urlPattern": f"{origin}/*", "resourceType": "Document"} for origin in origins]
        await self._channel.send("Fetch.enable", {"patterns": patterns})

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
        self._errands.run(self._go_on(event), "A document request could not be continued")

    async def _go_on(self, event: dict[str, Any]) -> None:
        await self.prepared()
        try:
            await self._channel.send("Fetch.continueRequest", {"requestId": event["requestId"]})
        except (CommandRefusedError, TargetGoneError):
            return  # the navigation was cancelled while it was held
