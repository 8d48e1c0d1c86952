"""Which documents are stopped now, and which came up beside a stopped one.

Above: `target`. Below: the standard library. Single event loop, so no locks.

A renderer process can stop in one script at a time. A document that another frame of the process
commits meanwhile passes the private script without stopping; its own scripts still wait, because a
stop holds every page of the process. So such a document is seeded without being stopped, and the
stopped one goes on only after that is done. Which frames share a process is not known here, so any
stop anywhere counts; a document seeded both ways is still written once.
"""

from __future__ import annotations

import asyncio


class Pauses:
    """The stops of all targets of one seeder."""

    def __init__(self) -> None:
        self._active_count = 0
        self.release_count = 0
        """How many stops have been let go so far; a document beside one of them may have run on then."""
        self._beside: set[asyncio.Task[None]] = set()

    @property
    def any_active(self) -> bool:
        """Whether some document is stopped."""
        return self._active_count > 0

    def begin(self) -> None:
        """A document has stopped."""
        self._active_count += 1

    def releasing(self) -> None:
        """A stopped document is about to be told to go on."""
        self.release_count += 1

    def end(self) -> None:
        """A stopped document goes on."""
        self._active_count -= 1

    def add_beside(self, seeding: asyncio.Task[None]) -> None:
        """Note the seeding of a document that came up while another was stopped."""
        self._beside.add(seeding)
        seeding.add_done_callback(self._beside.discard)

    async def beside_done(self) -> None:
        """Wait for the noted seedings; their commands bound how long that can take."""
        while self._beside:
            await asyncio.wait(tuple(self._beside))
