"""Frames, workers and popups come and go; this takes the chance out of the order they are told in.

They live in processes and threads of their own, and whether word of one arrives before or after a
console message of the page differs from run to run of the same page. So within a step they are held
back and recorded when it ends: what happened to one frame, worker or popup stays in order, and the
frames, workers and popups follow each other by what happened to them.

Below: ``contracts``. Above: ``recorder``.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from rea_capture.contracts.urls import ObservedUrl
from rea_capture.limits import MAX_LISTENER_OWNERS

LifecycleKind: TypeAlias = Literal[
    "frame-attached",
    "frame-detached",
    "frame-navigated",
    "worker-created",
    "worker-closed",
    "popup-opened",
    "popup-closed",
]
Lifecycle: TypeAlias = tuple[LifecycleKind, ObservedUrl | None, str | None]
"""What happened, and the kept URL and name at that moment."""

MAX_HELD_LIFECYCLES: Final = 4 * MAX_LISTENER_OWNERS
"""More in one step come from a page that churns; the order it is told in has no meaning to protect."""


class HeldLifecycles:
    """What happened to each frame, worker and popup during a step."""

    def __init__(self) -> None:
        self._by_source: dict[object, list[Lifecycle]] = {}
        self._count = 0

    def hold(self, source: object, happened: Lifecycle) -> bool:
        """Hold ``happened`` of ``source``, compared by identity. False when there are too many."""
        self._by_source.setdefault(source, []).append(happened)
        self._count += 1
        return self._count < MAX_HELD_LIFECYCLES

    def release(self) -> list[Lifecycle]:
        """Everything held, in an order that does not depend on when word of it came."""
        held, self._by_source, self._count = self._by_source.values(), {}, 0
        return [happened for source in sorted(held, key=_story) for happened in source]


def _story(happenings: list[Lifecycle]) -> list[tuple[str, str, str]]:
    # Of what is kept, not of what was reported: a blob URL as reported holds a random part.
    return [(kind, url.url if url else "", name or "") for kind, url, name in happenings]
