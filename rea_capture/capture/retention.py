"""Which events are kept: numbering, budgets, and which sections of which step fell short.

Every event, kept or not, takes the next sequence number.

Below: ``allocation``, ``omissions``, ``contracts``. Above: ``recorder``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from rea_capture.capture.allocation import EVENT_FIXED_BYTES, event_bytes
from rea_capture.capture.omissions import OmissionCounts
from rea_capture.capture.transactions import Transaction
from rea_capture.contracts.capture import Events, OmissionReason, Section
from rea_capture.contracts.events import FAMILY_OF_KIND, AnyEvent, EventKind
from rea_capture.contracts.selection import EventFamily, RecordedLimits

EventMaker: TypeAlias = Callable[[int, int], AnyEvent]
"""Makes an event from its sequence number and step index."""

_SECTION_OF_FAMILY: Final[dict[EventFamily, Section]] = {
    "frames": "frames",
    "popups": "popups",
    "websockets": "websockets",
    "workers": "workers",
}
"""The families that have a section of their own."""


def sections_of(kind: EventKind) -> frozenset[Section]:
    """The sections that speak of events of ``kind``."""
    own = _SECTION_OF_FAMILY.get(FAMILY_OF_KIND[kind])
    return frozenset({"events"} if own is None else {"events", own})


class Retention:
    """The kept events of one capture and the account of the others."""

    def __init__(self, limits: RecordedLimits) -> None:
        self._limits = limits
        self._items: list[AnyEvent] = []
        self._kept_bytes = 0
        self._omissions = OmissionCounts(limits.max_network_transactions)
        self._missing: dict[int, set[Section]] = {}
        self._truncated: dict[int, set[Section]] = {}
        self.step_index = 0
        self.last_sequence = 0

    def refusal_of_any(self) -> OmissionReason | None:
        """Why no event whatsoever can be kept any more; None while there is room. What it says, it goes on
        to say: nothing that was kept is ever dropped.
        """
        return self._refusal(EVENT_FIXED_BYTES)

    def keep(
        self,
        kind: EventKind,
        make: EventMaker,
        transaction: Transaction | None = None,
        least_bytes: int = EVENT_FIXED_BYTES,
    ) -> int | None:
        """Keep what ``make`` makes when the budgets allow it; return its sequence number if kept.

        ``least_bytes`` is what the event costs at the very least: when even that does not fit, it is
        not made at all.
        """
        refusal = self._refusal(least_bytes)
        if refusal is None:
            event = make(self.last_sequence + 1, self.step_index)
            cost = event_bytes(event)
            refusal = self._refusal(cost)
        if refusal is not None:
            self.omit(kind, refusal, transaction)
            return None
        self.last_sequence += 1
        self._items.append(event)
        self._kept_bytes += cost
        return self.last_sequence

    def omit(self, kind: EventKind, reason: OmissionReason, transaction: Transaction | None = None) -> None:
        """Count an event that is not kept: it truncates this step and the one that sent the request."""
        self.last_sequence += 1
        self._omissions.add(kind, reason, transaction.transaction_id if transaction else None)
        self.truncate(sections_of(kind), transaction)

    def truncate(self, sections: Collection[Section], transaction: Transaction | None = None) -> None:
        """A limit cut ``sections`` short in this step, and in the one that sent the request."""
        _mark(self._truncated, sections, self.step_index, transaction)

    def miss(self, sections: Collection[Section], transaction: Transaction | None = None) -> None:
        """Something of ``sections`` was not seen in this step, or of a request sent in an earlier one."""
        _mark(self._missing, sections, self.step_index, transaction)

    def miss_in(self, sections: Collection[Section], step_index: int) -> None:
        """Something of ``sections`` was not seen in the step ``step_index``, whichever it is by now."""
        self._missing.setdefault(step_index, set()).update(sections)

    def step_sections(self, step_index: int) -> tuple[set[Section], set[Section]]:
        """The missing and the truncated sections of a step."""
        return set(self._missing.get(step_index, ())), set(self._truncated.get(step_index, ()))

    def events(self) -> Events:
        """What an Evidence document holds."""
        return Events(
            dropped=self._omissions.dropped,
            items=tuple(self._items),
            omissions=self._omissions.record(),
            retained=len(self._items),
        )

    def _refusal(self, cost: int) -> OmissionReason | None:
        if len(self._items) >= self._limits.max_events:
            return "event-count-limit"
        if cost > self._limits.max_event_bytes:
            return "event-bytes-limit"
        if self._kept_bytes + cost > self._limits.max_total_event_bytes:
            return "total-event-bytes-limit"
        return None


def _mark(
    marks: dict[int, set[Section]],
    sections: Collection[Section],
    step_index: int,
    transaction: Transaction | None,
) -> None:
    marks.setdefault(step_index, set()).update(sections)
    if transaction is not None and transaction.step_index != step_index:
        marks.setdefault(transaction.step_index, set()).update(sections)
