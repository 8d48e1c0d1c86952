"""Which pixels count as changed, as pixelmatch counts them: in bands of rows, where anything differs.

Two colours differ when they are far enough from each other (``colours``), unless the pixel only smooths an
edge differently (``smoothing``).

Below: NumPy, ``colours``, ``pictures``, ``smoothing``. Above: ``pixels``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rea_capture.compare.explain.pixels.colours import Mask, is_far
from rea_capture.compare.explain.pixels.pictures import Picture, Pixels, is_opaque
from rea_capture.compare.explain.pixels.smoothing import REACH, Strip, Window, smoothed

_ROWS_AT_ONCE: Final = 256
"""Rows of a band: of a picture 1280 pixels wide, 1.25 MiB. Shorter bands make two threads wait for each other
between many small steps; longer ones leave the processor's cache. Measured from 64 to 512."""

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


def band_of_changes(before: Picture, after: Picture, size: tuple[int, int], top: int) -> BandOfChanges | None:
    """The band from ``top`` on of pictures cut to ``size``, or None when no pixel in it differs."""
    height, width = size
    bottom = min(top + _ROWS_AT_ONCE, height)
    first, last = max(0, top - REACH), min(bottom + REACH, height)
    one, other = (side.rows(first, last)[:, :width] for side in (before, after))
    strip = Strip(one, other, begins=first == 0, ends=last == height)
    rows = np.s_[top - first : bottom - first]
    differs = one[rows] != other[rows]
    return _band(strip, top, top - first, differs) if differs.any() else None


def _band(strip: Strip, top: int, skipped: int, differs: Mask) -> BandOfChanges:
    """What changed from ``top`` on, above which ``strip`` has ``skipped`` rows more."""
    opaque = is_opaque(strip.before) and is_opaque(strip.after)
    before, after = (side[skipped : skipped + len(differs)] for side in (strip.before, strip.after))
    count = int(np.count_nonzero(differs))
    far = _far(before, after, differs, dense=count > differs.size * _DENSE, opaque=opaque)
    far_count = int(np.count_nonzero(far))
    antialiased = 0
    if far_count:
        window = _around(far)
        part = window.of(far)
        edges = smoothed(strip, window.lower(skipped), part, opaque=opaque)
        antialiased = int(np.count_nonzero(edges))
        part ^= edges
    return BandOfChanges(top, far, antialiased, count - far_count)


def _far(before: Pixels, after: Pixels, differs: Mask, *, dense: bool, opaque: bool) -> Mask:
    if dense:
        return is_far(before.ravel(), after.ravel(), opaque=opaque).reshape(differs.shape)
    far = np.zeros_like(differs)
    far[differs] = is_far(before[differs], after[differs], opaque=opaque)
    return far


def _around(mask: Mask) -> Window:
    rows = np.flatnonzero(mask.any(axis=1))
    columns = np.flatnonzero(mask.any(axis=0))
    return Window(int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1)
