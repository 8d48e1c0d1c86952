"""Listeners of one observer: none lets an exception out, none is left behind, and they are bounded.

An exception that leaves a listener is raised by the driver from the next unrelated call, so each
listener is guarded and what goes wrong in one becomes a recorded fault.

Below: ``capture.recorder``. Above: the other files of this package.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, Protocol

from rea_capture.capture.recorder import EventRecorder
from rea_capture.limits import MAX_LISTENER_OWNERS

_ONE_ARGUMENT: Final = inspect.Signature(
    [inspect.Parameter("value", inspect.Parameter.POSITIONAL_OR_KEYWORD)],
)
"""Stated on every listener: the driver asks for it at each event, and working it out anew is slow."""


class Emitter(Protocol):
    """A context, page, worker or socket of the driver."""

    def on(self, event: Any, f: Any) -> None: ...

    def remove_listener(self, event: Any, f: Any) -> None: ...


class Listening:
    """The listeners of one observer, by the object that carries them (their *owner*)."""

    def __init__(self, recorder: EventRecorder, max_owners: int = MAX_LISTENER_OWNERS) -> None:
        self._recorder = recorder
        self._max_owners = max_owners
        self._owners: dict[Emitter, list[tuple[str, Callable[[Any], None]]]] = {}
        self._stopped = False

    def has_room(self) -> bool:
        """Whether one more owner may carry listeners."""
        return len(self._owners) < self._max_owners

    def on(self, owner: Emitter, event: str, what: str, handler: Callable[[Any], None]) -> None:
        """Call ``handler`` for each ``event`` of ``owner``; ``what`` names it in a fault."""

        def guarded(value: Any) -> None:
            if self._stopped:
                return
            try:
                handler(value)
            except Exception as error:
                self._recorder.fault(what, error)

        guarded.__signature__ = _ONE_ARGUMENT  # type: ignore[attr-defined]  # read by inspect.signature
        self._owners.setdefault(owner, []).append((event, guarded))
        owner.on(event, guarded)

    def drop(self, owner: Emitter, event: str) -> None:
        """Hear no more ``event`` of ``owner``: the driver then does not tell of it any more."""
        kept = self._owners.get(owner, [])
        for listener in [listener for listener in kept if listener[0] == event]:
            kept.remove(listener)
            owner.remove_listener(*listener)

    def release(self, owner: Emitter) -> None:
        """Take off every listener of ``owner``, which is gone."""
        for event, guarded in self._owners.pop(owner, ()):
            owner.remove_listener(event, guarded)

    def stop(self) -> None:
        """Hear nothing from now on, and take off every listener."""
        self._stopped = True
        for owner in list(self._owners):
            self.release(owner)
