"""Boxes around changed pixels that hang together, of a mask with one bit a pixel.

The mask is looked at in cells of 8 by 8 pixels. Changed pixels in one cell, or in cells that touch, belong
together: so those with fewer than 8 pixels between always do, as the letters of a word, and those with 15 or
more never by themselves. A box then closes tightly around the pixels of its cells.

Where there are too many regions, the cells are made twice as large until there are few enough to compare each
with each, and then those two are joined, again and again, that make the box larger by the least.

Below: NumPy, ``contracts.explanation``. Above: ``pixels``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rea_capture.contracts.explanation import Region

Bits: TypeAlias = npt.NDArray[np.uint8]
"""Rows of bytes with eight pixels each, the leftmost in the highest bit."""

Integers: TypeAlias = npt.NDArray[np.int64]

CELL_PIXELS: Final = 8
"""Width and height of a cell: a byte of the mask wide. Letters of a word are closer; columns are not."""

MAX_REGIONS: Final = 64
"""Boxes of one picture: more than a person looks at, and no more than 8 KiB of a document."""

_MAX_COMPARED_REGIONS: Final = 256
"""Regions that are compared each with each, which takes 65,536 sums for each that is joined."""

_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
_COUNT: Final = _BITS.sum(axis=1, dtype=np.int64)
_FIRST: Final = _BITS.argmax(axis=1)
_LAST: Final = 7 - _BITS[:, ::-1].argmax(axis=1)
"""Of each byte: how many bits are set, and which is the first and the last; for 0 nothing asks."""


@dataclass(frozen=True, slots=True)
class _Boxes:
    """Boxes, the ends not included, and the changed pixels in each: five lists of one length."""

    left: Integers
    top: Integers
    right: Integers
    bottom: Integers
    changed: Integers

    def merged(self, labels: Integers) -> _Boxes:
        """One box for each label; labels count from 0."""
        count = int(labels.max()) + 1
        sides = []
        for values, closer, start in (
            (self.left, np.minimum, np.iinfo(np.int64).max),
            (self.top, np.minimum, np.iinfo(np.int64).max),
            (self.right, np.maximum, 0),
            (self.bottom, np.maximum, 0),
            (self.changed, np.add, 0),
        ):
            side = np.full(count, start, np.int64)
            closer.at(side, labels, values)
            sides.append(side)
        return _Boxes(*sides)


def regions_of(mask: Bits) -> tuple[tuple[Region, ...], int]:
    """The regions of ``mask``, from top to bottom, and how often two were joined to have no more of them."""
    rows, columns, cells = _cells(mask)
    if not rows.size:
        return (), 0
    labels = _labels(rows, columns)
    boxes = cells.merged(labels)
    count = boxes.left.size
    scale = 0
    while boxes.left.size > _MAX_COMPARED_REGIONS:
        scale += 1
        boxes = cells.merged(_labels(rows >> scale, columns >> scale))
    boxes = _joined(boxes)
    return _in_order(boxes), count - boxes.left.size


def _cells(mask: Bits) -> tuple[Integers, Integers, _Boxes]:
    """Row and column of each cell with a changed pixel, row by row, and the box in it."""
    height, width = mask.shape
    whole = np.zeros((-(-height // CELL_PIXELS), CELL_PIXELS, width), np.uint8)
    whole.reshape(-1, width)[:height] = mask
    across = np.bitwise_or.reduce(whole, axis=1)
    rows, columns = np.nonzero(across)
    bytes_of = whole[rows, :, columns]
    across = across[rows, columns]
    down = np.packbits(bytes_of != 0, axis=1)[:, 0]
    boxes = _Boxes(
        columns * CELL_PIXELS + _FIRST[across],
        rows * CELL_PIXELS + _FIRST[down],
        columns * CELL_PIXELS + _LAST[across] + 1,
        rows * CELL_PIXELS + _LAST[down] + 1,
        _COUNT[bytes_of].sum(axis=1),
    )
    return rows, columns, boxes


def _labels(rows: Integers, columns: Integers) -> Integers:
    """To which of the groups of cells that touch each cell belongs. Cells may be named more than once."""
    width = int(columns.max()) + 3  # so that the last of a row and the first of the next are apart
    places, named = np.unique(rows * width + columns, return_inverse=True)
    starts = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    first, last = places[starts], places[np.append(starts[1:], places.size) - 1]
    above, below = _touching(first, last, width)
    roots = _roots(starts.size, above, below)
    run_of = np.repeat(np.arange(starts.size), np.diff(starts, append=places.size))
    _, numbered = np.unique(roots, return_inverse=True)
    labels: Integers = numbered[run_of][named.ravel()]
    return labels


def _touching(first: Integers, last: Integers, width: int) -> tuple[Integers, Integers]:
    """Pairs of runs, of which one touches the other from the row above, corners included."""
    lowest = np.searchsorted(last, first + width - 1)
    highest = np.searchsorted(first, last + width + 1, side="right")
    counts = np.maximum(highest - lowest, 0)
    above = np.repeat(np.arange(first.size), counts)
    before = np.cumsum(counts) - counts
    below = np.arange(above.size) - np.repeat(before - lowest, counts)
    return above, below


def _roots(count: int, one: Integers, other: Integers) -> Integers:
    """For each of ``count`` nodes, the least that edges between ``one`` and ``other`` lead to."""
    parent = np.arange(count)
    while True:
        a, b = parent[one], parent[other]
        apart = a != b
        if not apart.any():
            return parent
        one, other, a, b = one[apart], other[apart], a[apart], b[apart]
        np.minimum.at(parent, np.maximum(a, b), np.minimum(a, b))
        while not np.array_equal(up := parent[parent], parent):
            parent = up


def _joined(boxes: _Boxes) -> _Boxes:
    """No more than ``MAX_REGIONS`` boxes: those joined that grow the least, and of several the uppermost."""
    table = np.stack([boxes.left, boxes.top, boxes.right, boxes.bottom, boxes.changed])
    table = table[:, np.lexsort((table[0], table[1]))]
    never = np.iinfo(np.int64).max
    costs = np.stack([_growth(table, each) for each in range(table.shape[1])])
    np.fill_diagonal(costs, never)
    left = table.shape[1]
    while left > MAX_REGIONS:
        one, other = divmod(int(costs.argmin()), table.shape[1])
        np.minimum(table[:2, one], table[:2, other], out=table[:2, one])
        np.maximum(table[2:4, one], table[2:4, other], out=table[2:4, one])
        table[4, one] += table[4, other]
        table[4, other] = 0
        costs[other], costs[:, other] = never, never
        gone = table[4] == 0
        row = np.where(gone, never, _growth(table, one))
        row[one] = never
        costs[one], costs[:, one] = row, row
        left -= 1
    kept = table[:, table[4] > 0]
    return _Boxes(kept[0], kept[1], kept[2], kept[3], kept[4])


def _growth(table: Integers, one: int) -> Integers:
    """By how many pixels the box around ``one`` and each other is larger than the two."""
    left, top, right, bottom = table[:4]
    width = np.maximum(right, right[one]) - np.minimum(left, left[one])
    height = np.maximum(bottom, bottom[one]) - np.minimum(top, top[one])
    areas = (right - left) * (bottom - top)
    growth: Integers = width * height - areas - areas[one]
    return growth


def _in_order(boxes: _Boxes) -> tuple[Region, ...]:
    found = (
        Region(changed_pixels=changed, height=bottom - top, width=right - left, x=left, y=top)
        for left, top, right, bottom, changed in zip(
            boxes.left.tolist(), boxes.top.tolist(), boxes.right.tolist(), boxes.bottom.tolist(),
            boxes.changed.tolist(), strict=True,
        )
    )  # fmt: skip
    return tuple(sorted(found, key=lambda box: (box.y, box.x, box.height, box.width, box.changed_pixels)))
