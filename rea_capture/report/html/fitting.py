"""What of a text is in the file, where not all fits: by counts of bytes, and what is left out is counted.

Everybody gets what he needs of a budget that is enough for all. Of one that is not, those who need little get
it, and the others share alike what is then left.

Below: ``contracts``, ``escaping``. Above: ``contents``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from rea_capture.contracts.explanation import (
    AnyExplanation,
    ElementChanges,
    EventsExplanation,
    NoExplanation,
    TextDiff,
    TextExplanation,
    ValueExplanation,
)
from rea_capture.report.html.escaping import json_bytes

MAX_TEXT_BYTES: Final = 4 * 1024 * 1024
"""All explanations and events, as they are in the file. A person reads less than a tenth of it; a browser
reads it in a few hundredths of a second."""

MAX_EXPLANATION_BYTES: Final = 2560 * 1024
"""All explanations, which come before events: they are what a reader came for."""

MAX_FOLD_BYTES: Final = 512 * 1024
"""All lines around the differences of texts."""

MAX_CAPTURED_CHARACTERS: Final = 128 * 1024
"""Of one text: a console line, say. The file says how many more there are."""


def shares(needs: Sequence[int], budget: int) -> list[int]:
    """How much each may have of ``budget``, in the order of ``needs``; never more than it needs."""
    given = [0] * len(needs)
    for left, position in zip(
        range(len(needs), 0, -1), sorted(range(len(needs)), key=lambda at: (needs[at], at)), strict=True
    ):
        given[position] = min(needs[position], budget // left)
        budget -= given[position]
    return given


def fitted(explanation: AnyExplanation, max_bytes: int) -> AnyExplanation:
    """``explanation``, of which the second half is left out until it is no larger than ``max_bytes``."""
    while len(json_bytes(explanation)) > max_bytes:
        halved = _halved(explanation)
        if halved is None:
            summary = f"{explanation.summary} The details are left out of this report, which is full."
            return NoExplanation(summary=summary)
        explanation = halved
    return explanation


def _halved(explanation: AnyExplanation) -> AnyExplanation | None:
    """None where there is nothing that could be left out."""
    if isinstance(explanation, TextExplanation):
        diff, elements = _half_diff(explanation.diff), _half_elements(explanation.elements)
        halved: AnyExplanation = replace(explanation, diff=diff, elements=elements)
    elif isinstance(explanation, ValueExplanation):
        kept, omitted = _half(explanation.changes)
        halved = replace(explanation, changes=kept, omitted=explanation.omitted + omitted)
    elif isinstance(explanation, EventsExplanation):
        halved = _half_events(explanation)
    else:
        return None
    return None if halved == explanation else halved


def _half(items: Sequence[Any]) -> tuple[tuple[Any, ...], int]:
    kept = tuple(items[: len(items) // 2])
    return kept, len(items) - len(kept)


def _half_diff(diff: TextDiff) -> TextDiff:
    if len(diff.hunks) == 1 and len(diff.hunks[0].lines) > 1:
        [hunk] = diff.hunks
        lines, omitted = _half(hunk.lines)
        return replace(diff, hunks=(replace(hunk, lines=lines),), omitted_lines=diff.omitted_lines + omitted)
    kept, omitted = _half(diff.hunks)
    lost = sum(len(hunk.lines) for hunk in diff.hunks[len(kept) :])
    return replace(
        diff,
        hunks=kept,
        omitted_hunks=diff.omitted_hunks + omitted,
        omitted_lines=diff.omitted_lines + lost,
    )


def _half_elements(elements: ElementChanges | None) -> ElementChanges | None:
    if elements is None:
        return None
    kept, omitted = _half(elements.items)
    return replace(elements, items=kept, omitted=elements.omitted + omitted)


def _half_events(explanation: EventsExplanation) -> EventsExplanation:
    network = explanation.network
    kept, omitted = _half(network.items)
    return replace(
        explanation,
        families=tuple(replace(one, diff=_half_diff(one.diff)) for one in explanation.families),
        network=replace(network, items=kept, omitted=network.omitted + omitted),
    )


def fitting_rows(
    rows: Sequence[dict[str, Any]], ranks: Sequence[int], max_bytes: int
) -> list[dict[str, Any]]:
    """The rows of lowest rank that fit, in their own order; of one rank, those that come first."""
    kept: set[int] = set()
    for position in sorted(range(len(rows)), key=lambda at: (ranks[at], at)):
        max_bytes -= len(json_bytes(rows[position])) + 1
        if max_bytes < 0:
            break
        kept.add(position)
    return [row for position, row in enumerate(rows) if position in kept]
