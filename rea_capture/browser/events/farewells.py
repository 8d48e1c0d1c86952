"""Looks at documents in time: once each has loaded, and whenever a step ends.

Nothing announces in time that a document ends. From the moment it is about to be replaced Chromium passes
nothing on to it any more, and that a popup closes or a frame is taken out is only told afterwards. So all
documents are looked at before an action that may end them, and those that come and go within a step once
they have loaded. What a document begins to listen for after that is not noticed.

Below: ``departures``, ``last_words``, ``browser.channel``. Above: ``unseen``.
"""

from __future__ import annotations

import asyncio
from typing import Final

from rea_capture.browser.channel import Channel, ChannelError
from rea_capture.browser.events.departures import Departures, Followed
from rea_capture.browser.events.last_words import look
from rea_capture.capture.recorder import EventRecorder

MAX_LOOKED_AT: Final = 64
"""Pages and frames that are looked at at once. What is beyond keeps what an earlier look found."""
LOAD_TIMEOUT_MS: Final = 10_000
"""How long a document may load and still be looked at then; the end of the step may come before."""


class Farewells:
    """Looks at what ``departures`` follows, over ``channel``, which it closes."""

    def __init__(self, recorder: EventRecorder, departures: Departures, channel: Channel) -> None:
        self._recorder = recorder
        self._departures = departures
        self._channel = channel
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Look at nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._channel.close()

    def arrived(self, followed: Followed) -> None:
        """A page or frame shows a document: look at it once it has loaded."""
        if len(self._tasks) >= MAX_LOOKED_AT:
            return
        task = asyncio.get_running_loop().create_task(self._look(followed, LOAD_TIMEOUT_MS))
        self._tasks.add(task)
        task.add_done_callback(self._over)

    async def look_around(self) -> None:
        """Look at every page and frame, as the next action may be the end of any."""
        shown = self._departures.shown_now()[:MAX_LOOKED_AT]
        for error in await asyncio.gather(*map(self._look, shown), return_exceptions=True):
            if isinstance(error, Exception):
                self._recorder.fault("the last moment of a document", error)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._recorder.fault("the last moment of a document", error)

    async def _look(self, followed: Followed, load_timeout_ms: int = 0) -> None:
        try:
            followed.last_look = await look(
                self._channel, followed.target_id, load_timeout_ms=load_timeout_ms
            )
        except ChannelError:
            return  # it is gone, on its way, or does not answer: what was found before stands
