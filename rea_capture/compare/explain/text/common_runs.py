"""What two sequences have in common, in order, found in a bounded number of steps.

Patience difference (Bram Cohen): what occurs once on either side is an anchor, the longest rising chain
of anchors stays, and each gap is taken the same way. A gap without anchors is taken by Myers' greedy
algorithm (An O(ND) Difference Algorithm, 1986), and where that takes too many edits, the first of an item
goes with the first of it on the other side, the second with the second. ``difflib`` of the standard
library is neither: its time is quadratic and worse where lines repeat, as closing tags do, and what it leaves
out to be faster (``autojunk``) is what a page is made of.

The steps are counted in one budget. Where it is spent, a gap has nothing in common.

Below: nothing. Above: ``lines``, ``pairs``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Run: TypeAlias = tuple[int, int, int]
"""Where a common run starts in the one and in the other sequence, and its length, at least 1."""

DEFAULT_STEPS: Final = 2_000_000
"""Steps of one difference: some 15 times what anchors of 60,000 lines take, less than half a second."""

_MAX_EDITS: Final = 500
"""Edits that Myers' algorithm may find in one gap; it remembers half the square of this many positions."""


@dataclass(slots=True)
class Steps:
    """A budget: how many steps are left. The only thing here that changes."""

    left: int = DEFAULT_STEPS

    def take(self, count: int) -> bool:
        """Whether there were ``count`` left; they are gone either way."""
        self.left -= count
        return self.left >= 0


def common_runs(one: Sequence[Hashable], other: Sequence[Hashable], steps: Steps) -> list[Run]:
    """The runs, in order, each as long as it can be.

    Not the same with the sides exchanged where several answers are equally good: a caller that needs that
    puts the sides into an order of its own.
    """
    numbers: dict[Hashable, int] = {}
    a = [numbers.setdefault(item, len(numbers)) for item in one]
    b = [numbers.setdefault(item, len(numbers)) for item in other]
    return list(_joined(sorted(_runs(a, b, steps))))


_Range: TypeAlias = tuple[int, int, int, int]
"""A gap: from and to in the one sequence, from and to in the other."""


def _runs(a: list[int], b: list[int], steps: Steps) -> Iterator[Run]:
    todo: list[_Range] = [(0, len(a), 0, len(b))]
    while todo:
        gap, ends = _trimmed(a, b, todo.pop())
        yield from ends
        if gap[0] == gap[1] or gap[2] == gap[3]:
            continue
        if not steps.take(gap[1] - gap[0] + gap[3] - gap[2]):
            continue
        if set(a[gap[0] : gap[1]]).isdisjoint(b[gap[2] : gap[3]]):
            continue
        anchors = _anchors(a, b, gap)
        if not anchors:
            runs = _myers(a, b, gap, steps)
            if runs is not None:
                yield from runs
                continue
            anchors = _ranked(a, b, gap)
        todo.extend(_between(gap, anchors))
        yield from ((x, y, 1) for x, y in anchors)


def _trimmed(a: list[int], b: list[int], gap: _Range) -> tuple[_Range, list[Run]]:
    """The gap without what its sides begin and end with alike, and those two runs."""
    low_a, high_a, low_b, high_b = gap
    while low_a < high_a and low_b < high_b and a[low_a] == b[low_b]:
        low_a, low_b = low_a + 1, low_b + 1
    while low_a < high_a and low_b < high_b and a[high_a - 1] == b[high_b - 1]:
        high_a, high_b = high_a - 1, high_b - 1
    ends = ((gap[0], gap[2], low_a - gap[0]), (high_a, high_b, gap[1] - high_a))
    return (low_a, high_a, low_b, high_b), [run for run in ends if run[2]]


def _anchors(a: list[int], b: list[int], gap: _Range) -> list[tuple[int, int]]:
    """Pairs of what occurs once on each side of the gap: the longest chain that rises on both."""
    ones, others = _once(a, gap[0], gap[1]), _once(b, gap[2], gap[3])
    pairs = [(x, others[item]) for item, x in ones.items() if item in others]
    return _rising(sorted(pairs))


def _once(items: list[int], low: int, high: int) -> dict[int, int]:
    """Where each item is that occurs once in this range."""
    places: dict[int, int] = {}
    for place in range(low, high):
        item = items[place]
        places[item] = -1 if item in places else place
    return {item: place for item, place in places.items() if place >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of ``pairs``, sorted by their first, whose seconds rise (patience sorting)."""
    return [pairs[index] for index in rising([second for _, second in pairs])]


def rising(numbers: Sequence[int]) -> list[int]:
    """The indices of a longest strictly rising chain of ``numbers``, in O(n log n)."""
    tops: list[int] = []
    top_at: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        previous.append(top_at[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(number)
            top_at.append(index)
        else:
            tops[pile], top_at[pile] = number, index
    chain: list[int] = []
    index = top_at[-1] if top_at else -1
    while index >= 0:
        chain.append(index)
        index = previous[index]
    return chain[::-1]


def _between(gap: _Range, anchors: list[tuple[int, int]]) -> Iterator[_Range]:
    low_a, low_b = gap[0], gap[2]
    for x, y in [*anchors, (gap[1], gap[3])]:
        if low_a < x and low_b < y:
            yield low_a, x, low_b, y
        low_a, low_b = x + 1, y + 1


def _ranked(a: list[int], b: list[int], gap: _Range) -> list[tuple[int, int]]:
    """Pairs of the n-th of each item on either side: the longest chain that rises on both."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for y in range(gap[3] - 1, gap[2] - 1, -1):
        places[b[y]].append(y)
    return _rising([(x, places[a[x]].pop()) for x in range(gap[0], gap[1]) if places.get(a[x])])


def _myers(a: list[int], b: list[int], gap: _Range, steps: Steps) -> list[Run] | None:
    """Runs of a gap by the greedy algorithm, forward; None where it takes too many edits or steps.

    A round holds how far, in the one sequence, each diagonal ``k = x - y`` got with so many edits: those of
    ``k`` from ``-edits`` to ``edits``, every second.
    """
    low_a, high_a, low_b, high_b = gap
    width, height = high_a - low_a, high_b - low_b
    rounds: list[list[int]] = []
    last: list[int] = []
    for edits in range(min(width + height, _MAX_EDITS) + 1):
        reach: list[int] = []
        walked = 2 * edits + 1
        for index in range(edits + 1):
            down = index == 0 or (index < edits and last[index - 1] < last[index])
            x = start = 0 if not edits else last[index] if down else last[index - 1] + 1
            y = x + edits - 2 * index
            while x < width and y < height and a[low_a + x] == b[low_b + y]:
                x, y = x + 1, y + 1
            walked += x - start
            reach.append(x)
            if x == width and y == height:
                return _walked_back([*rounds, reach], index, (low_a, low_b))
        rounds.append(reach)
        last = reach
        if not steps.take(walked):
            break
    return None


def _stepped(reach: list[int], index: int) -> int:
    """Where one more edit leads to on the diagonal of this index: one down, or one to the right."""
    return reach[index] if _is_down(reach, index) else reach[index - 1] + 1


def _is_down(reach: list[int], index: int) -> bool:
    return index == 0 or (index < len(reach) and reach[index - 1] < reach[index])


def _walked_back(rounds: list[list[int]], index: int, origin: tuple[int, int]) -> list[Run]:
    """The diagonals of the path that ended on the diagonal of ``index`` in the last round."""
    runs: list[Run] = []
    for edits in range(len(rounds) - 1, -1, -1):
        x, k = rounds[edits][index], 2 * index - edits
        start = _stepped(rounds[edits - 1], index) if edits else 0
        if x > start:
            runs.append((origin[0] + start, origin[1] + start - k, x - start))
        if edits and not _is_down(rounds[edits - 1], index):
            index -= 1
    return runs


def _joined(runs: list[Run]) -> Iterator[Run]:
    """``runs`` in order, those that touch on both sides as one."""
    current: Run | None = None
    for run in runs:
        if current and current[0] + current[2] == run[0] and current[1] + current[2] == run[1]:
            current = (current[0], current[1], current[2] + run[2])
            continue
        if current:
            yield current
        current = run
    if current:
        yield current
