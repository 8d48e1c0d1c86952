"""Which documents are stopped now, and which came up beside a stopped one.

Single event loop, so no locks.

A renderer process can stop in one script at a time. A document that another frame of the process
commits meanwhile passes the private script without stopping; its own scripts still wait, because a
stop holds every page of the process. So such a document is seeded without being stopped, and the
stopped one goes on only after that is done. Which frames share a process is not known here, so any
stop anywhere counts; a document seeded both ways is still written once.

When a stopped document is replaced, the browser ends its stop without a word, and the document that
follows stops in its turn. So a stop of a target ends the one before it.

Below: the standard library. Above: ``target``.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Stop:
    """One stop of one target."""

    session_id: str
    is_over: bool = False
    was_resumed: bool = False


class Pauses:
    """The stops of all targets of one seeder."""

    def __init__(self) -> None:
        self._current: dict[str, Stop] = {}  # by session id
        self._active: set[Stop] = set()
        self.release_count = 0
        """How many stops have been let go so far; a document beside one of them may have run on then."""
        self._beside: set[asyncio.Task[None]] = set()

    @property
    def any_active(self) -> bool:
        """Whether some document is stopped, or was told to go on and has not answered yet."""
        return bool(self._active)

    def begin(self, session_id: str) -> Stop:
        """A document has stopped; what stopped in this target before does so no longer."""
        self.over(session_id)
        stop = self._current[session_id] = Stop(session_id)
        self._active.add(stop)
        return stop

    def over(self, session_id: str) -> None:
        """Nothing is stopped in this target any more."""
        stop = self._current.pop(session_id, None)
        if stop is not None:
            stop.is_over = True

    def resumed(self, session_id: str) -> None:
        """The browser says that this target goes on. It does not when a stopped document is replaced."""
        if session_id in self._current:
            self._current[session_id].was_resumed = True
        self.over(session_id)

    def releasing(self) -> None:
        """A stopped document is about to be told to go on."""
        self.release_count += 1

    def end(self, stop: Stop) -> None:
        """The document goes on, if it had not done so before."""
        self._active.discard(stop)
        if not stop.is_over:
            self.over(stop.session_id)

    def add_beside(self, seeding: asyncio.Task[None]) -> None:
        """Note the seeding of a document that came up while another was stopped."""
        self._beside.add(seeding)
        seeding.add_done_callback(self._beside.discard)

    async def beside_done(self) -> None:
        """Wait for the noted seedings; their commands bound how long that can take."""
        while self._beside:
            await asyncio.wait(tuple(self._beside))
