"""What is told in an order of chance is held back until its step ends, and recorded in another.

Frames, workers and popups live in processes and threads of their own, and whether word of one arrives
before or after a console message of the page differs from run to run of the same page. The same goes for
what workers log, and for what the browser itself logs of requests that fail. So within a step they are
held: what came from one source stays in order, and the sources follow each other by what came from them.

Below: ``contracts``. Above: ``recorder``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from rea_capture.contracts.events import LifecycleKind
from rea_capture.contracts.urls import ObservedUrl
from rea_capture.limits import MAX_LISTENER_OWNERS

MAX_HELD: Final = 4 * MAX_LISTENER_OWNERS
"""More in one step come from a page that churns; the order it is told in has no meaning to protect."""


class Tellable(Protocol):
    """Something that was told, and can be put in order by what it says."""

    def story(self) -> tuple[str, ...]: ...


H = TypeVar("H", bound=Tellable)


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """What happened to a frame, worker or popup, and its kept URL and name at that moment."""

    kind: LifecycleKind
    url: ObservedUrl | None
    name: str | None

    def story(self) -> tuple[str, ...]:
        # Of what is kept, not of what was reported: a blob URL as reported holds a random part.
        return (self.kind, self.url.url if self.url else "", self.name or "")


@dataclass(frozen=True, slots=True)
class ConsoleMessage:
    """A console message as it is kept."""

    level: str
    text: str
    url: ObservedUrl | None

    def story(self) -> tuple[str, ...]:
        return (self.url.url if self.url else "", self.level, self.text)


class Held(Generic[H]):
    """What each source told during a step."""

    def __init__(self) -> None:
        self._by_source: dict[object, list[H]] = {}
        self._count = 0

    def hold(self, source: object, told: H) -> bool:
        """Hold what ``source`` (compared by identity) told. False when there is too much."""
        self._by_source.setdefault(source, []).append(told)
        self._count += 1
        return self._count < MAX_HELD

    def release(self) -> list[H]:
        """Everything held, in an order that does not depend on when word of it came."""
        held, self._by_source, self._count = self._by_source.values(), {}, 0
        ordered = sorted(held, key=lambda told: [each.story() for each in told])
        return [each for source in ordered for each in source]
