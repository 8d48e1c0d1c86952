"""Pixels that differ only in how an edge is smoothed, as pixelmatch finds them.

After V. Vyšniauskas, "Anti-aliased Pixel and Intensity Slope Detector", 2009, in the form that pixelmatch
gave it: a pixel belongs to a smoothed edge when it has both darker and brighter neighbours, few of its own
colour, and the darkest or the brightest of them lies in an even area of both pictures.

That an area is even costs little to know of every pixel, and settles most of them; only the others are
looked at with their neighbours.

Below: NumPy, ``pictures``, ``slopes``. Above: ``tolerance``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from rea_capture.compare.explain.pixels.colours import Mask
from rea_capture.compare.explain.pixels.pictures import Pixels
from rea_capture.compare.explain.pixels.slopes import MOST_EQUAL_NEIGHBOURS, Scalar, on_slope

REACH: Final = 2
"""Rows and columns around a pixel that what is said of it depends on: its neighbours and theirs."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a strip, ``top`` to ``bottom`` and ``left`` to ``right``, the ends not included."""

    top: int
    bottom: int
    left: int
    right: int

    def grown(self, by: int, shape: tuple[int, int]) -> Window:
        """This window, ``by`` larger on each side, as far as a strip of ``shape`` goes."""
        height, width = shape
        return Window(
            max(0, self.top - by), min(height, self.bottom + by),
            max(0, self.left - by), min(width, self.right + by),
        )  # fmt: skip

    def lower(self, by: int) -> Window:
        """This window ``by`` rows further down."""
        return Window(self.top + by, self.bottom + by, self.left, self.right)

    def of(self, pixels: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """What of ``pixels`` is in this window."""
        return pixels[self.top : self.bottom, self.left : self.right]


@dataclass(frozen=True, slots=True)
class Strip:
    """The same rows of two pictures, as wide as these, and whether these begin and end with them."""

    before: Pixels
    after: Pixels
    begins: bool
    ends: bool


def smoothed(strip: Strip, window: Window, candidates: Mask, *, opaque: bool) -> Mask:
    """Which of ``candidates``, pixels of ``window``, only smooth an edge in either picture.

    Of the pictures, ``strip`` must have all rows within ``REACH`` of the window.
    """
    shape = (strip.before.shape[0], strip.before.shape[1])
    around = window.grown(REACH, shape)
    parts = [around.of(strip.before), around.of(strip.after)]
    sides = around.of(_sides(shape, strip.begins, strip.ends))
    even = [_even(part, sides) for part in parts]
    both = even[0] & even[1]
    asked = np.zeros(both.shape, np.bool_)
    inner = asked[window.top - around.top :, window.left - around.left :]
    inner = inner[: candidates.shape[0], : candidates.shape[1]]
    inner[...] = candidates
    asked &= _spread(both)
    found = np.zeros_like(asked)
    for part, own in zip(parts, even, strict=True):
        possible = asked & ~found & ~own
        if possible.any():
            found |= on_slope(part, both, possible, sides, opaque=opaque)
    return found[window.top - around.top :, window.left - around.left :][
        : candidates.shape[0], : candidates.shape[1]
    ]


def _even(part: Pixels, sides: Mask) -> Mask:
    """Which pixels of ``part`` have many neighbours of their own colour.

    Wrong where ``part`` ends and the picture does not; nobody asks for those. All rows are compared as one
    list, which is quickest, and the last pixel of a row not with the first of the next.
    """
    width = part.shape[1]
    pixels = part.ravel()
    count = sides.astype(np.uint8).ravel()
    for distance, column in ((1, width - 1), (width - 1, 0), (width, None), (width + 1, width - 1)):
        if 0 < distance < pixels.size:
            equal = pixels[:-distance] == pixels[distance:]
            if column is not None:
                equal[column::width] = False
            count[:-distance] += equal.view(np.uint8)
            count[distance:] += equal.view(np.uint8)
    even: Mask = count > MOST_EQUAL_NEIGHBOURS
    return even.reshape(part.shape)


def _sides(shape: tuple[int, int], begins: bool, ends: bool) -> Mask:
    """Which pixels of a strip are at a side of the picture."""
    sides = np.zeros(shape, np.bool_)
    sides[:, 0] = sides[:, -1] = True
    sides[0] |= begins
    sides[-1] |= ends
    return sides


def _spread(mask: Mask) -> Mask:
    """``mask`` and all neighbours of its pixels."""
    wide = mask.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    high = wide.copy()
    high[1:] |= wide[:-1]
    high[:-1] |= wide[1:]
    return high
