"""Whether content only moved up or down: rows came in or went, and all below is as it was.

Claimed only when it is true of every row: above, no pixel changed; below, each row of the one picture is,
pixel for pixel, that row of the other, down to where one of them ends. Pictures of one height lose at the
bottom what came in above; of others, the heights differ by just as much.

It is not claimed where the same may be seen otherwise: of rows that are all alike, such as an empty page, or
that repeat themselves, nobody can tell that they moved; nor where less moved than came in.

Below: NumPy, ``pictures``, ``contracts.explanation``. Above: ``pixels``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from rea_capture.compare.explain.pixels.pictures import Picture, Pixels
from rea_capture.contracts.explanation import VerticalShift

MIN_TELLING_ROWS: Final = 8
"""Moved rows that are not like the commonest of them: fewer than a line of small print has may be chance."""

_ROWS_AT_ONCE: Final = 64
_SAMPLED_COLUMNS: Final = 32
"""Every so many columns are looked at first: where these do not fit, the others need not be looked at."""


@dataclass(frozen=True, slots=True)
class _Below:
    """A picture from row ``top`` on."""

    picture: Picture
    top: int

    def __len__(self) -> int:
        return self.picture.height - self.top

    def lower(self, by: int) -> _Below:
        return _Below(self.picture, self.top + by)

    def narrowed(self, step: int) -> _Below:
        return _Below(self.picture.narrowed(step), self.top)

    def parts(self, count: int) -> Iterator[Pixels]:
        """The first ``count`` rows, some at a time."""
        for top in range(0, count, _ROWS_AT_ONCE):
            yield self.picture.rows(self.top + top, self.top + min(top + _ROWS_AT_ONCE, count))


def vertical_shift(before: Picture, after: Picture, first_changed: int) -> VerticalShift | None:
    """How all from some row on moved, if that is all that happened.

    ``first_changed`` is the first row with a pixel that counts as changed, or that only one picture has.
    """
    if before.width != after.width:
        return None
    one, other = _Below(before, first_changed), _Below(after, first_changed)
    down, up = _inserted(one, other), _inserted(other, one)
    if (down is None) == (up is None):
        return None
    if down is not None:
        return _shift("down", first_changed, down)
    assert up is not None
    return _shift("up", first_changed + up, up)


def _shift(direction: Literal["up", "down"], from_y: int, pixels: int) -> VerticalShift:
    return VerticalShift(direction=direction, from_y=from_y, pixels=pixels)


def _inserted(less: _Below, more: _Below) -> int | None:
    """How many rows ``more`` begins with that ``less`` has not, when that is all that tells them apart."""
    come = len(more) - len(less)
    if come < 0:
        return None
    if come == 0:
        return _pushed_in(less, more)
    if not _same(less, more.lower(come), len(less)):
        return None
    rows = _row_hashes(less)
    return come if _is_telling(rows, _borders(rows)) else None


def _pushed_in(less: _Below, more: _Below) -> int | None:
    """As :func:`_inserted`, of pictures of one height.

    Rows that tell with some of their columns do with all.
    """
    for step in (_SAMPLED_COLUMNS, 1):
        pattern, text = (_row_hashes(side.narrowed(step) if step > 1 else side) for side in (less, more))
        borders = _borders(pattern)
        moved = _overlap(pattern, borders, text)
        come = len(pattern) - moved
        if not come or moved < come or not _is_telling(pattern[:moved], borders[:moved]):
            return None
        if _same(less, more.lower(come), moved):
            return come
    return None


def _is_telling(moved: Sequence[int], borders: Sequence[int]) -> bool:
    """Whether these rows can be seen to have moved: not all alike, and not the same again further down."""
    if not moved or borders[-1] * 2 > len(moved):
        return False
    (_, commonest), *_ = Counter(moved).most_common(1)
    return len(moved) - commonest >= MIN_TELLING_ROWS


def _borders(rows: Sequence[int]) -> list[int]:
    """For each beginning of ``rows``, the longest shorter one that it ends with (Knuth, Morris and Pratt)."""
    borders = [0] * len(rows)
    length = 0
    for at in range(1, len(rows)):
        while length and rows[at] != rows[length]:
            length = borders[length - 1]
        length += rows[at] == rows[length]
        borders[at] = length
    return borders


def _overlap(pattern: Sequence[int], borders: Sequence[int], text: Sequence[int]) -> int:
    """The longest beginning of ``pattern`` that ``text``, which is as long, ends with."""
    length = 0
    for row in text:
        while length and (length == len(pattern) or row != pattern[length]):
            length = borders[length - 1]
        length += row == pattern[length]
    return length


def _row_hashes(rows: _Below) -> list[int]:
    """A number for each row: rows that are alike have the same one."""
    weights = _weights(rows.picture.width)
    hashes = [
        (part.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64) for part in rows.parts(len(rows))
    ]
    return [int(number) for part in hashes for number in part.tolist()]


def _weights(count: int) -> npt.NDArray[np.uint64]:
    """Odd numbers without a pattern (the finalizer of SplitMix64, Steele, Lea and Flood, 2014)."""
    mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed | np.uint64(1)


def _same(one: _Below, other: _Below, count: int) -> bool:
    """Whether the first ``count`` rows are the same, looked at from the top only as far as they are."""
    return all(map(np.array_equal, one.parts(count), other.parts(count)))
