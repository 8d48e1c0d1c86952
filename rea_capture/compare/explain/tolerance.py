"""Which pixels count as changed, as pixelmatch counts them: in bands of rows, where anything differs.

Two colours differ when they are far enough from each other (``colours``), unless the pixel only smooths an
edge differently (``smoothing``).

Below: NumPy, ``colours``, ``pictures``, ``smoothing``. Above: ``pixels``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rea_capture.compare.explain.colours import Mask, is_far
from rea_capture.compare.explain.pictures import Pixels
from rea_capture.compare.explain.smoothing import Window, smoothed

_ROWS_AT_ONCE: Final = 64
"""Rows of a band: of a picture 1280 pixels wide, 320 KiB, which the processor's cache holds several of."""

_DENSE: Final = 1 / 4
"""With a larger share of pixels that differ, taking them out costs more than looking at all."""


@dataclass(frozen=True, slots=True)
class BandOfChanges:
    """What changed in some rows from ``top`` on; the counts are of pixels that differ and are not changed."""

    top: int
    changed: Mask
    antialiased_pixels: int
    below_threshold_pixels: int


def band_tops(height: int) -> range:
    """The first row of each band of a picture."""
    return range(0, height, _ROWS_AT_ONCE)


def band_of_changes(before: Pixels, after: Pixels, top: int, *, opaque: bool) -> BandOfChanges | None:
    """The band from ``top`` on of two pictures of one size, or None when no pixel in it differs."""
    rows = np.s_[top : top + _ROWS_AT_ONCE]
    differs = before[rows] != after[rows]
    return _band(before, after, top, differs, opaque=opaque) if differs.any() else None


def _band(before: Pixels, after: Pixels, top: int, differs: Mask, *, opaque: bool) -> BandOfChanges:
    rows = np.s_[top : top + differs.shape[0]]
    count = int(np.count_nonzero(differs))
    if count > differs.size * _DENSE:
        far = is_far(before[rows].ravel(), after[rows].ravel(), opaque=opaque).reshape(differs.shape)
    else:
        far = np.zeros_like(differs)
        far[differs] = is_far(before[rows][differs], after[rows][differs], opaque=opaque)
    far_count = int(np.count_nonzero(far))
    antialiased = 0
    if far_count:
        window = _around(far, top)
        part = far[window.top - top : window.bottom - top, window.left : window.right]
        edges = smoothed(before, after, window, part, opaque=opaque)
        antialiased = int(np.count_nonzero(edges))
        part ^= edges
    return BandOfChanges(top, far, antialiased, count - far_count)


def _around(mask: Mask, top: int) -> Window:
    rows = np.flatnonzero(mask.any(axis=1))
    columns = np.flatnonzero(mask.any(axis=0))
    return Window(top + int(rows[0]), top + int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1)
