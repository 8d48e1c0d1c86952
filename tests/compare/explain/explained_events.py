"""Two lists of events explained: what the tests of explained events share.

Below: ``tests.builders``. Above: the tests beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rea_capture.compare.explain.events.step_events import StepEvents
from rea_capture.compare.explain.events.transactions import events_explanation
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.explanation import EventsExplanation, TransactionChange
from tests import builders as make

NONE = Replacements((), ())
Events = Sequence[Any]


def indexed(events: Iterable[AnyEvent], rules: Replacements = NONE) -> StepEvents:
    return StepEvents.of(make.capture(events=events), rules)


def explained(before: Events, after: Events, rules: Replacements = NONE) -> EventsExplanation:
    return events_explanation(indexed(before, rules), indexed(after, rules), 1, 1)


def only(explanation: EventsExplanation) -> TransactionChange:
    (change,) = explanation.network.items
    return change


def fields(change: TransactionChange) -> list[tuple[str, str, str | None, str | None]]:
    return [(one.event, one.field, one.before, one.after) for one in change.fields]


def joined(*transactions: Events) -> list[AnyEvent]:
    return [event for events in transactions for event in events]
