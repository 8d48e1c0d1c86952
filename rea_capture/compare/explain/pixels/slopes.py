"""Pixels on a slope of brightness: between a darker and a brighter neighbour.

Of the eight neighbours the darkest and the brightest matter, and of those that are alike the first, column by
column, since that is the order in which pixelmatch looks. A pixel is found when one of the two is in an area
that is even in both pictures.

Below: NumPy, ``colours``, ``pictures``. Above: ``smoothing``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from rea_capture.compare.explain.pixels.colours import Mask, brightness_of
from rea_capture.compare.explain.pixels.pictures import Pixels

Scalar = TypeVar("Scalar", bound=np.generic)
Places: TypeAlias = npt.NDArray[np.intp]

MOST_EQUAL_NEIGHBOURS: Final = 2
"""With more of its own colour around it, a pixel is in an even area. A side of the picture counts as one."""

_PIXELS_AT_ONCE: Final = 1 << 15
"""Pixels looked at together: with fewer, two threads wait for each other between many small steps."""

_LOOKED_AT: Final = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""Row and column of each neighbour from the pixel, in the order of looking."""

WHOLE_BRIGHTNESS: Final = (61_877, 121_442, 23_700)
"""Shares of red, green and blue in whole numbers, by which any two opaque colours are in the same order as by
pixelmatch's shares, and as equal: that holds for each difference from -255 to 255 of each, as a test counts
out. Found by trying; brightness is below 2**26, so that a key takes 32 bits."""

_COLOUR: Final = np.uint32(0xFFFFFF)
"""The bits of a pixel that are not its alpha."""

_KEY_STEP: Final = 16
"""A key is the brightness times this, plus what tells neighbours of one brightness apart: below 2**30."""

_ORDER: Final = np.arange(0, 2 * len(_LOOKED_AT), 2, dtype=np.uint32)[:, None]
"""What goes into the key of each neighbour, so that there is one least and one greatest."""


def on_slope(part: Pixels, even: Mask, asked: Mask, sides: Mask, *, opaque: bool) -> Mask:
    """Which of the pixels ``asked`` for in ``part`` are on a slope.

    ``even`` is so in both pictures, and ``sides`` is where the picture ends. No pixel may be asked for where
    ``part`` ends and the picture does not.
    """
    places = np.flatnonzero(_framed(asked))
    stride = asked.shape[1] + 2
    around = np.array([[row * stride + column] for row, column in _LOOKED_AT])
    look: Callable[[Places], Mask]
    if opaque:
        look = partial(_between_opaque, _framed(_marked(part, even)), around)
    else:
        inside = _framed(np.ones(part.shape, np.bool_))
        repeated = _framed(even.view(np.uint8)).view(np.bool_)
        look = partial(_between_any, _framed(part), inside, repeated, _framed(sides), around)
    found = np.zeros((part.shape[0] + 2, stride), np.bool_)
    for start in range(0, places.size, _PIXELS_AT_ONCE):
        some = places[start : start + _PIXELS_AT_ONCE]
        found.ravel()[some] = look(some)
    return found[1:-1, 1:-1]


def _marked(part: Pixels, even: Mask) -> Pixels:
    """The pixels with 1 for their alpha where both pictures are even, and 0 elsewhere."""
    marked = even.astype(np.uint32)
    marked <<= np.uint32(24)
    marked |= part & _COLOUR
    return marked


def _framed(values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """``values`` in a frame: of pixels that repeats those at the sides, of truths that is false. Row by row.

    A repeated pixel comes next to the one that it repeats in the order of looking, and is as good when found.
    """
    height, width = values.shape
    framed = np.zeros((height + 2, width + 2), values.dtype)
    framed[1:-1, 1:-1] = values
    if values.dtype != np.bool_:
        framed[0], framed[-1] = framed[1], framed[-2]
        framed[:, 0], framed[:, -1] = framed[:, 1], framed[:, -2]
    return framed.ravel()


def _between_opaque(marked: Pixels, around: Places, places: Places) -> Mask:
    """Whether opaque pixels are on a slope. Alpha of ``marked`` is 1 where both pictures are even, else 0."""
    keys = _keys(marked.take(places + around))
    own = _keys(marked.take(places) & _COLOUR)
    keys += _ORDER
    least = keys.min(axis=0)
    keys += _ORDER[::-1] - _ORDER  # wraps below zero and back
    most = keys.max(axis=0)
    beyond: Mask = least < own
    least |= most
    least &= 1
    own += _KEY_STEP
    beyond &= most >= own
    beyond &= least.astype(np.bool_)
    return beyond


def _keys(marked: Pixels) -> Pixels:
    keys = marked >> np.uint32(24)
    term = np.empty_like(marked)
    for shift, share in zip((0, 8, 16), WHOLE_BRIGHTNESS, strict=True):
        np.right_shift(marked, np.uint32(shift), out=term)
        term &= np.uint32(0xFF)
        term *= np.uint32(share * _KEY_STEP)
        keys += term
    return keys


def _between_any(
    pixels: Pixels, inside: Mask, even: Mask, sides: Mask, around: Places, places: Places
) -> Mask:
    """Whether pixels that let something through are on a slope, by pixelmatch's differences, bit by bit.

    Different colours may well be equally bright here, so those that are are counted.
    """
    neighbours = places + around
    brightness = brightness_of(pixels.take(neighbours), opaque=False)
    differences = brightness_of(pixels.take(places), opaque=False) - brightness
    within = inside.take(neighbours)
    equal = ((differences == 0) & within).sum(axis=0) + sides.take(places)
    least, most = differences.argmin(axis=0), differences.argmax(axis=0)  # each the first of its kind
    each = np.arange(places.size)
    found: Mask = (differences[least, each] < 0) & (differences[most, each] > 0)
    found &= equal <= MOST_EQUAL_NEIGHBOURS
    found &= even.take(neighbours[least, each]) | even.take(neighbours[most, each])
    return found
