"""The events of one step explained: its network transactions, then every other family.

Below: ``bounds``, ``pairing``, ``sequences``, ``step_events``, ``changes``. Above: ``explain``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rea_capture.compare.explain.bounds import Bounds
from rea_capture.compare.explain.events.changes import network_changes
from rea_capture.compare.explain.events.pairing import MAX_SCORED_PAIRS, Pairing, paired
from rea_capture.compare.explain.events.sequences import family_diffs
from rea_capture.compare.explain.events.step_events import StepEvents
from rea_capture.contracts.explanation import EventsExplanation, FamilyDiff
from rea_capture.contracts.selection import EventFamily
from rea_capture.wording import counted, figure, listed, sentence

MAX_TOLD_STATUSES: Final = 3
"""Kinds of changed status that a summary tells, the most frequent first."""

_NOUNS: Final[dict[EventFamily, str]] = {
    "console": "console line",
    "page-errors": "page error",
    "websockets": "WebSocket event",
    "frames": "frame event",
    "workers": "worker event",
    "popups": "popup event",
    "downloads": "download",
}


def events_explanation(
    before: StepEvents,
    after: StepEvents,
    before_step_index: int,
    after_step_index: int,
    *,
    bounds: Bounds | None = None,
) -> EventsExplanation:
    """What differs between the events that a comparison attributes to a step of either capture.

    ``bounds`` are those of the whole comparison. Raises :class:`SpentError`.
    """
    bounds = bounds or Bounds()
    with bounds.some("pairs", MAX_SCORED_PAIRS) as room:
        pairing = paired(before.transactions(before_step_index), after.transactions(after_step_index), room)
    families, interleaved = family_diffs(
        (before.others(before_step_index), before.rules),
        (after.others(after_step_index), after.rules),
        bounds,
    )
    return EventsExplanation(
        families=families,
        interleaved=interleaved,
        network=network_changes(pairing, before, after),
        summary=_summary(pairing, families, interleaved=interleaved),
    )


def _summary(pairing: Pairing, families: Iterable[FamilyDiff], *, interleaved: bool) -> str:
    told = [_network(pairing)]
    told += (
        _counts(
            (diff.diff.added_lines, "added"), (diff.diff.removed_lines, "removed"), noun=_NOUNS[diff.family]
        )
        for diff in families
    )
    if interleaved:
        told.append("events of different kinds came in another order")
    if pairing.reordered:
        told.append(f"{counted(pairing.reordered, 'request')} alike in another order, which is no change")
    if pairing.unscored:
        told.append("too many requests differ to pair them all")
    return sentence("; ".join(filter(None, told)) or "nothing differs")


def _network(pairing: Pairing) -> str:
    counts = _counts(
        (len(pairing.added), "added"),
        (len(pairing.removed), "removed"),
        (len(pairing.changed), "changed"),
        noun="request",
    )
    statuses = Counter(
        (before.status, after.status) for before, after in pairing.changed if before.status != after.status
    )
    if not statuses:
        return counts
    ranked = sorted(statuses.items(), key=lambda one: (-one[1], sorted(map(_status, one[0]))))
    return f"{counts} ({figure(statuses.total())} in status: {listed(_told(ranked), MAX_TOLD_STATUSES)})"


def _told(ranked: Sequence[tuple[tuple[int | None, int | None], int]]) -> Iterator[str]:
    for (before, after), count in ranked:
        yield f"{_status(before)} → {_status(after)}" + (f" in {figure(count)}" if len(ranked) > 1 else "")


def _status(status: int | None) -> str:
    return "none" if status is None else str(status)


def _counts(*counts: tuple[int, str], noun: str) -> str:
    """Those that are not zero; the noun stands at the first: "3 requests added, 1 removed"."""
    said = [(count, what) for count, what in counts if count]
    return ", ".join(
        f"{counted(count, noun)} {what}" if place == 0 else f"{figure(count)} {what}"
        for place, (count, what) in enumerate(said)
    )
