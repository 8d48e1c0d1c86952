"""What the runner needs of a browser.

Below: ``contracts``. Above: ``runner``; implemented by the ``browser`` room, and in memory by
``scripted`` for tests.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from rea_capture.contracts.actions import AnyAction
from rea_capture.contracts.artifacts import Artifacts
from rea_capture.contracts.selection import ArtifactName
from rea_capture.contracts.urls import ObservedUrl


class ActionError(Exception):
    """An action failed. The message is a readable, redacted, single-line reason."""


@dataclass(frozen=True, slots=True)
class ArtifactReading:
    """The artifacts of one moment, and what a reader must know about them (sentences)."""

    artifacts: Artifacts
    notes: tuple[str, ...] = ()


class BrowserDriver(Protocol):
    """One page of one browser, about to run a scenario."""

    def url(self) -> ObservedUrl:
        """The URL the page is at, as far as the driver knows without asking it."""
        ...

    async def start(self) -> None:
        """Navigate to the start URL. Raises :class:`ActionError`."""
        ...

    async def perform(self, action: AnyAction) -> None:
        """Carry out ``action`` within its own timeout. Raises :class:`ActionError`."""
        ...

    async def settle(self) -> None:
        """Let the page react to what was just done, for a short and bounded time.

        What an action sets off (a request, a message, and what the page says to the answer) then belongs
        to its step and not, by chance, to the next. Reading artifacts has the same effect.
        """
        ...

    async def read(self, requested: Collection[ArtifactName]) -> ArtifactReading:
        """Read the requested artifacts, each bounded; what cannot be read is missing, with a reason."""
        ...

    async def finish_observation(self) -> None:
        """Stop observing events: end open transactions and drain the content reads under way."""
        ...

    async def cancel_observation(self) -> None:
        """Stop observing at once: content reads under way or waiting end as cancelled."""
        ...
