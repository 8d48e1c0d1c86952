"""An explanation as lines of text, bounded, what is left out counted.

Below: ``contracts.explanation``, ``visible``. Above: the renderers of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rea_capture.contracts.explanation import (
    AnyExplanation,
    DiffLine,
    ElementChange,
    ElementChanges,
    EventsExplanation,
    NoExplanation,
    PixelExplanation,
    TextDiff,
    TextExplanation,
    TransactionChange,
    ValueExplanation,
)
from rea_capture.report.visible import visible
from rea_capture.wording import counted, figure

MAX_ITEMS: Final = 20
"""Elements, regions, values or transactions of one explanation: what a reader takes in at once."""

MAX_DIFF_LINES: Final = 60
"""A page of a difference; the file for the browser has all that the comparison has."""

MAX_LINE_CHARACTERS: Final = 240
"""A line that is longer tells its difference at the start or not to an eye."""

_SIGNS: Final = {"context": " ", "removed": "-", "added": "+"}


@dataclass(frozen=True, slots=True)
class Part:
    """Lines that belong together. ``title`` is words of ours.

    ``sentences`` are ours too, ``items`` name and quote what was captured, a ``diff`` is lines of it. Each is
    on one line and shows all that is in it; it is not escaped for any markup.
    """

    kind: Literal["sentences", "items", "diff"]
    title: str
    lines: tuple[str, ...]


def parts(explanation: AnyExplanation) -> tuple[Part, ...]:
    """``explanation`` without its summary, most telling part first."""
    return tuple(part for part in _parts(explanation) if part.lines)


def lines_of(explanation: AnyExplanation) -> Iterator[str]:
    """All of :func:`parts`, line by line."""
    for part in parts(explanation):
        yield part.title
        yield from part.lines


def _parts(explanation: AnyExplanation) -> Iterator[Part]:
    match explanation:
        case TextExplanation(elements=elements):
            if elements is not None:
                yield _listed("items", "Elements", map(_element, elements.items), elements.omitted)
                yield _listed("sentences", "Elements", _totals(elements))
            yield _diff("Lines", explanation.diff, ends_matter=explanation.split == "lines")
        case PixelExplanation():
            yield _listed("sentences", "Pixels", _pixels(explanation))
        case ValueExplanation():
            words = (change.words for change in explanation.changes)
            yield _listed("items", "Values", words, explanation.omitted)
        case EventsExplanation():
            yield from _events(explanation)
        case NoExplanation():
            return


def _listed(kind: Literal["sentences", "items"], title: str, lines: Iterable[str], omitted: int = 0) -> Part:
    return _grouped(kind, title, ((line,) for line in lines), omitted)


def _grouped(
    kind: Literal["sentences", "items"], title: str, groups: Iterable[Iterable[str]], omitted: int = 0
) -> Part:
    """As many of ``groups`` of lines as are shown, each whole, and how many more there are."""
    every = list(groups)
    rest = max(0, len(every) - MAX_ITEMS) + omitted
    kept = [visible(line, MAX_LINE_CHARACTERS) for group in every[:MAX_ITEMS] for line in group]
    return Part(kind, title, (*kept, *([f"and {figure(rest)} more"] if rest else ())))


def _totals(elements: ElementChanges) -> tuple[str, ...]:
    if elements.matched:
        return ()
    return (
        "The documents are too large or have too little in common to tell which element became which: "
        f"{figure(elements.removed)} gone, {figure(elements.added)} new.",
    )


def _element(change: ElementChange) -> str:
    path = change.after_path or change.before_path
    if change.change == "attribute":
        return f"{path} attribute {change.name}: {_values(change.before, change.after)}"
    if change.change == "text":
        return f"{path} text: {_values(change.before, change.after)}"
    if change.change == "moved":
        return f"{change.before_path} moved to {change.after_path}: {change.after}"
    return f"{path} {change.change}: {change.after if change.before is None else change.before}"


def _values(before: str | None, after: str | None) -> str:
    return f"{'nothing' if before is None else before} -> {'nothing' if after is None else after}"


def _pixels(explanation: PixelExplanation) -> Iterator[str]:
    before, after, tolerance = explanation.before, explanation.after, explanation.tolerance
    yield f"{before.width} x {before.height} before, {after.width} x {after.height} after"
    if explanation.shift is not None:
        shift = explanation.shift
        by = counted(shift.pixels, "pixel")
        yield f"All below {figure(shift.from_y)} only moved {shift.direction} by {by}"
    smoothed, below = figure(tolerance.antialiased_pixels), figure(tolerance.below_threshold_pixels)
    yield (
        f"Not counted: {smoothed} that smooth an edge differently, "
        f"{below} below the threshold of {tolerance.threshold_percent} percent "
        f"({tolerance.method})"
    )
    for box in explanation.regions:
        size = f"{box.width} x {box.height} at {box.x}, {box.y}"
        yield f"{counted(box.changed_pixels, 'changed pixel')} in {size}"


def _events(explanation: EventsExplanation) -> Iterator[Part]:
    network = explanation.network
    yield _grouped("items", "Network", map(_transaction, network.items), network.omitted)
    yield _listed("sentences", "Order", _order(explanation))
    for each in explanation.families:
        yield _diff(f"Events: {each.family}", each.diff)


def _order(explanation: EventsExplanation) -> Iterator[str]:
    reordered = explanation.network.reordered
    if reordered:
        yield f"{counted(reordered, 'transaction')} alike in another order, which is no change."
    if explanation.interleaved:
        yield "Each family is alike; only the order between them differs."


def _transaction(item: TransactionChange) -> Iterator[str]:
    yield item.words
    if item.redirected_from:
        yield f"{item.method} redirected from {' -> '.join(item.redirected_from)}"
    for change in item.fields:
        yield f"{item.method} {change.event} {change.field}: {_values(change.before, change.after)}"
    if item.omitted_fields:
        yield f"{item.method} and {counted(item.omitted_fields, 'more field')}"


def _diff(title: str, diff: TextDiff, *, ends_matter: bool = False) -> Part:
    every = list(_diff_lines(diff, ends_matter=ends_matter and diff.ends_differ))
    rest = max(0, len(every) - MAX_DIFF_LINES) + diff.omitted_lines
    more = [f"... and {counted(rest, 'more line')}"] if rest else []
    return Part("diff", title, (*every[:MAX_DIFF_LINES], *more))


def _diff_lines(diff: TextDiff, *, ends_matter: bool) -> Iterator[str]:
    for hunk in diff.hunks:
        before, after = hunk.before_start + 1, hunk.after_start + 1
        yield f"@@ -{before},{hunk.before_count} +{after},{hunk.after_count} @@"
        for line in hunk.lines:
            yield _diff_line(line)
            if ends_matter and line.lacks_end:
                yield "\\ No line end"


def _diff_line(line: DiffLine) -> str:
    text = line.text.removesuffix("\n")
    cut = max(0, len(text) - MAX_LINE_CHARACTERS) + line.omitted_characters
    more = f"… ({counted(cut, 'more character')})" if cut else ""
    return f"{_SIGNS[line.change]}{visible(text[:MAX_LINE_CHARACTERS])}{more}"
