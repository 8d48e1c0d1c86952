"""What is told in an order of chance is held back until its step ends, and recorded in another.

What the root page's own thread does has an order: it logged this and then threw that. Everything else
has no order with it. Child frames load when the network lets them; workers, popups, downloads and frames
of other origins live in threads and processes of their own; a WebSocket speaks when its server does; what
the browser itself logs of a request comes whenever that request ends. Word of one arrives before or after
word of another, from run to run of the same page. So within a step they are held: what came from one
source stays in order, and the sources follow each other by what came from them.

Below: ``retention``. Above: ``recorder``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rea_capture.capture.retention import EventMaker
from rea_capture.contracts.events import EventKind
from rea_capture.limits import DEFAULT_MAX_TOTAL_EVENT_BYTES, MAX_LISTENER_OWNERS

MAX_HELD: Final = 4 * MAX_LISTENER_OWNERS
"""More in one step come from a page that churns; the order it is told in has no meaning to protect."""

MAX_HELD_CHARACTERS: Final = DEFAULT_MAX_TOTAL_EVENT_BYTES
"""As many as ``capture.limits`` keeps bytes of events by default; a page may send without end."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event that is still to be recorded: what it says, as it will be kept, and how it is made.

    Sources are put in order by what they say, so that must be what is kept and not what was reported:
    a blob URL as reported holds a random part.
    """

    kind: EventKind
    says: tuple[str, ...]
    make: EventMaker

    def story(self) -> tuple[str, ...]:
        return (self.kind, *self.says)


class Address:
    """A source known by its address alone. Once two share it, nothing tells them apart any more."""

    def __init__(self) -> None:
        self.is_shared = False


class Held:
    """What each source told during a step."""

    def __init__(self) -> None:
        self._by_source: dict[object, list[Told]] = {}
        self._count = 0
        self._characters = 0

    def hold(self, source: object, told: Told) -> bool:
        """Hold what ``source`` (a key that compares as the source does) told. False at a bound."""
        self._by_source.setdefault(source, []).append(told)
        self._count += 1
        self._characters += sum(map(len, told.says))
        return self._count < MAX_HELD and self._characters < MAX_HELD_CHARACTERS

    def release(self) -> list[Told]:
        """Everything held, in an order that does not depend on when word of it came."""
        held, self._by_source, self._count, self._characters = self._by_source, {}, 0, 0
        apart = [
            group
            for source, told in held.items()
            for group in ([[each] for each in told] if _is_shared(source) else [told])
        ]
        ordered = sorted(apart, key=lambda told: [each.story() for each in told])
        return [each for source in ordered for each in source]


def _is_shared(source: object) -> bool:
    return isinstance(source, Address) and source.is_shared
