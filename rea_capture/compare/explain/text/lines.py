"""A unified difference of lines, bounded, with exact counts of what is left out.

The two sides are put into an order of their own, compared, and told in the order asked for: exchanged,
they give the same difference with ``added`` and ``removed`` exchanged. What is left out is chosen alike:
of a stretch that was replaced as many lines of either side as there is room for.

Below: ``common_runs``, ``contracts``. Above: ``text``, ``sequences``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from rea_capture.compare.explain.text.common_runs import Run, Steps, common_runs
from rea_capture.contracts.explanation import DiffLine, Hunk, TextDiff
from rea_capture.contracts.line_splits import Split, most_pieces, pieces

CONTEXT_LINES: Final = 3
"""Lines kept around what changed, as unified differences have them."""

MAX_HUNKS: Final = 50
MAX_DIFF_LINES: Final = 500
MAX_DIFF_CHARACTERS: Final = 32_000
"""More than a person reads; a comparison may have some hundred of these."""

MAX_LINE_CHARACTERS: Final = 400
"""A longer line is cut: a script or a picture in the page, that nobody reads here."""

MAX_STRETCH_LINES: Final = 40
"""Lines of either side of one stretch, where not everything has room: so that the next ones are seen, too."""

MAX_COMPARED_LINES: Final = 400_000
"""Lines of one side that are compared one by one: ten large pages. With more, all counts as replaced."""

Stretch: TypeAlias = tuple[int, int, int, int]
"""Lines that were replaced: from and to in the one side, from and to in the other."""


@dataclass(frozen=True, slots=True)
class Side:
    """The lines of one side, or the first of them; ``count`` is how many it has."""

    lines: Sequence[str]
    count: int


def text_diff(before: str, after: str, split: Split, steps: Steps | None = None) -> TextDiff:
    """The difference of two texts, split as ``split`` says, found in ``steps``."""
    if max(most_pieces(before, split), most_pieces(after, split)) > MAX_COMPARED_LINES:
        return _told(_begun(pieces(before, split)), _begun(pieces(after, split)))
    return line_diff(list(pieces(before, split)), list(pieces(after, split)), steps)


def line_diff(before: Sequence[str], after: Sequence[str], steps: Steps | None = None) -> TextDiff:
    """The difference of two lists of lines, found in ``steps``."""
    one, other = Side(before, len(before)), Side(after, len(after))
    if max(one.count, other.count) > MAX_COMPARED_LINES:
        return _told(one, other)
    return _told(one, other, stretches(before, after, steps or Steps()))


def _begun(lines: Iterator[str]) -> Side:
    first = list(islice(lines, MAX_DIFF_LINES))
    return Side(first, len(first) + sum(1 for _ in lines))


def stretches(before: Sequence[str], after: Sequence[str], steps: Steps) -> list[Stretch]:
    """What was replaced, in order; the same whichever side is called before."""
    if (len(before), before) <= (len(after), after):
        return list(_gaps(common_runs(before, after, steps), len(before), len(after)))
    mirrored = _gaps(common_runs(after, before, steps), len(after), len(before))
    return [(c, d, a, b) for a, b, c, d in mirrored]


def _gaps(runs: Iterable[Run], one: int, other: int) -> Iterator[Stretch]:
    low_a = low_b = 0
    for a, b, length in [*runs, (one, other, 0)]:
        if low_a < a or low_b < b:
            yield low_a, a, low_b, b
        low_a, low_b = a + length, b + length


def _told(before: Side, after: Side, found: list[Stretch] | None = None) -> TextDiff:
    if found is None:
        found = [(0, before.count, 0, after.count)]
    removed = sum(stretch[1] - stretch[0] for stretch in found)
    added = sum(stretch[3] - stretch[2] for stretch in found)
    room = _Room(most_of_stretch=MAX_DIFF_LINES if removed + added <= MAX_DIFF_LINES else MAX_STRETCH_LINES)
    hunks: list[Hunk] = []
    omitted_hunks = 0
    for group in _grouped(found):
        told = _hunks(before, after, group, room) if len(hunks) < MAX_HUNKS else []
        hunks.extend(told)
        omitted_hunks += not told
    return TextDiff(
        added_lines=added,
        hunks=tuple(hunks),
        omitted_hunks=omitted_hunks,
        omitted_lines=removed + added - room.told,
        removed_lines=removed,
    )


def _grouped(found: list[Stretch]) -> Iterator[list[Stretch]]:
    """Stretches whose context would touch belong to one hunk."""
    group: list[Stretch] = []
    for stretch in found:
        if group and stretch[0] - group[-1][1] > 2 * CONTEXT_LINES:
            yield group
            group = []
        group.append(stretch)
    if group:
        yield group


@dataclass(slots=True)
class _Room:
    """What still has room in this difference. The only thing here that changes."""

    most_of_stretch: int
    lines: int = MAX_DIFF_LINES
    characters: int = MAX_DIFF_CHARACTERS
    told: int = 0
    """Removed and added lines that had room."""

    def take(self, lines: Iterable[str]) -> bool:
        """Whether all of ``lines`` have room; then it is theirs."""
        cut = [min(len(line), MAX_LINE_CHARACTERS) for line in lines]
        if len(cut) > self.lines or sum(cut) > self.characters:
            return False
        self.lines -= len(cut)
        self.characters -= sum(cut)
        return True

    def pairs(self, before: Side, after: Side, stretch: Stretch) -> int:
        """How many lines of either side have room, a removed one and an added one at a time."""
        count = 0
        longest = max(stretch[1] - stretch[0], stretch[3] - stretch[2])
        while count < min(longest, self.most_of_stretch):
            pair = [
                side.lines[low + count]
                for side, low, high in ((before, *stretch[:2]), (after, *stretch[2:]))
                if low + count < high
            ]
            if not self.take(pair):
                break
            self.told += len(pair)
            count += 1
        return count


@dataclass(slots=True)
class _Growing:
    """A hunk that is being written, from where it starts on either side."""

    before_start: int
    after_start: int
    lines: list[DiffLine] = field(default_factory=list)

    def add(self, change: str, lines: Iterable[str]) -> None:
        self.lines.extend(_line(change, line) for line in lines)

    def done(self) -> Hunk:
        return Hunk(
            after_count=sum(line.change != "removed" for line in self.lines),
            after_start=self.after_start,
            before_count=sum(line.change != "added" for line in self.lines),
            before_start=self.before_start,
            lines=tuple(self.lines),
        )


def _hunks(before: Side, after: Side, group: list[Stretch], room: _Room) -> list[Hunk]:
    """The lines of one group: a single hunk, or, where stretches had to be cut, one up to each cut.

    A hunk counts the lines it has, so each can be put into the text by itself.
    """
    done: list[Hunk] = []
    hunk: _Growing | None = None
    reached = max(0, group[0][0] - CONTEXT_LINES)
    whole = True
    for stretch in group:
        context = before.lines[reached : stretch[0]]
        pairs = room.pairs(before, after, stretch) if room.take(context) else 0
        if not pairs:
            whole = False
            break
        hunk = hunk or _Growing(stretch[0] - len(context), stretch[2] - len(context))
        hunk.add("context", context)
        hunk.add("removed", before.lines[stretch[0] : min(stretch[1], stretch[0] + pairs)])
        hunk.add("added", after.lines[stretch[2] : min(stretch[3], stretch[2] + pairs)])
        reached = stretch[1]
        if pairs < max(stretch[1] - stretch[0], stretch[3] - stretch[2]):
            done.append(hunk.done())
            hunk = None
    if hunk is not None:
        trailing = before.lines[reached : reached + CONTEXT_LINES] if whole else ()
        hunk.add("context", trailing if room.take(trailing) else ())
        done.append(hunk.done())
    return done


def _line(change: str, line: str) -> DiffLine:
    return DiffLine(
        change=change,  # type: ignore[arg-type]  # one of three literals at each call
        omitted_characters=max(0, len(line) - MAX_LINE_CHARACTERS),
        text=line[:MAX_LINE_CHARACTERS],
    )
