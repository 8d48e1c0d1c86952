"""How far two colours are from each other to the eye, and how bright one is, as pixelmatch computes it.

Colours are taken apart in YIQ: Y. Kotsarenko and F. Ramos, "Measuring perceived color difference using YIQ
NTSC transmission color space in mobile applications", 2010. What lets something through stands on white.

A distance is computed in single precision first, and near the threshold once more, with the very steps of
pixelmatch in double precision: so the answer is the same as its, on every machine.

Below: NumPy, ``pictures``. Above: ``slopes``, ``smoothing``, ``tolerance``.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rea_capture.compare.explain.pixels.pictures import Pixels

Mask: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]

THRESHOLD_PERCENT: Final = 10
"""Of the greatest difference: what pixelmatch counts from where nothing else is said."""

BRIGHTNESS: Final = (0.29889531, 0.58662247, 0.11448223)
_IN_PHASE: Final = (0.59597799, -0.27417610, -0.32180189)
_QUADRATURE: Final = (0.21147017, -0.52261711, 0.31114694)
"""Y, I and Q of red, green and blue, with the digits that pixelmatch has."""

_WEIGHTS: Final = (0.5053, 0.299, 0.1957)
"""Of the squares of Y, I and Q in a distance."""

_TRIANGLE: Final = np.linalg.cholesky(
    np.transpose([BRIGHTNESS, _IN_PHASE, _QUADRATURE])
    @ np.diag(_WEIGHTS)
    @ np.array([BRIGHTNESS, _IN_PHASE, _QUADRATURE])
).T.astype(np.float32)
"""Three other sums whose squares come to the same distance, with fewer terms: the first is of red, green and
blue, the second of green and blue, the third blue alone (Cholesky's decomposition)."""

_GREATEST_DISTANCE: Final = 35215
"""The greatest squared distance of two colours, by pixelmatch."""

_THRESHOLD: Final = _GREATEST_DISTANCE * (THRESHOLD_PERCENT / 100) * (THRESHOLD_PERCENT / 100)
_DOUBT: Final = 0.05
"""How near to the threshold single precision is not believed. Its error there is below 0.005: what is squared
is off by 4e-5 at most (terms of up to 127, to seven digits), and no more than 19 where it matters."""

_SHIFTS: Final = (0, 8, 16)
"""Where red, green and blue are in a pixel."""

_SHARES_IN_PLACE: Final = _TRIANGLE / np.array([1 << shift for shift in _SHIFTS], np.float32)
"""The shares of samples that stay where they are in a pixel, and are 2**8 and 2**16 times as much there."""

_PIXELS_AT_ONCE: Final = 1 << 15
"""Pixels whose distance is computed together: the lists that it takes stay in the processor's cache."""


def is_far(before: Pixels, after: Pixels, *, opaque: bool) -> Mask:
    """Whether each pixel of one list is farther from the same of the other than the threshold."""
    if not opaque:
        return _exact_distance(before, after, opaque=False) > _THRESHOLD
    far = np.empty(before.shape, np.bool_)
    for start in range(0, before.size, _PIXELS_AT_ONCE):
        some = np.s_[start : start + _PIXELS_AT_ONCE]
        far[some] = _is_far_opaque(before[some], after[some])
    return far


def _is_far_opaque(before: Pixels, after: Pixels) -> Mask:
    distance = _distance(before, after)
    distance -= np.float32(_THRESHOLD)
    far: Mask = distance > 0
    doubtful = np.flatnonzero(np.abs(distance, out=distance) < _DOUBT)
    if doubtful.size:
        far[doubtful] = _exact_distance(before[doubtful], after[doubtful], opaque=True) > _THRESHOLD
    return far


def _distance(before: Pixels, after: Pixels) -> npt.NDArray[np.float32]:
    """The squared distance of opaque colours, in single precision."""
    differences = [_difference(before, after, np.uint32(0xFF << shift)) for shift in _SHIFTS]
    total = np.zeros(before.shape, np.float32)
    term = np.empty_like(total)
    for first, shares in enumerate(_SHARES_IN_PLACE):
        part = differences[first]  # no later sum has it
        part *= shares[first]
        for difference, share in zip(differences[first + 1 :], shares[first + 1 :], strict=True):
            part += np.multiply(difference, share, out=term)
        part *= part
        total += part
    return total


def _difference(before: Pixels, after: Pixels, bits: np.uint32) -> npt.NDArray[np.float32]:
    """Of the samples at ``bits``, times what they stand for there."""
    one = before & bits
    one -= after & bits  # wraps below zero, which reads as negative next
    return one.view(np.int32).astype(np.float32)


def _exact_distance(before: Pixels, after: Pixels, *, opaque: bool) -> Floats:
    """The squared distance, step by step as pixelmatch does."""
    one, other = (_channels(side, opaque=opaque) for side in (before, after))
    y, i, q = (_share(one, of) - _share(other, of) for of in (BRIGHTNESS, _IN_PHASE, _QUADRATURE))
    return _WEIGHTS[0] * y * y + _WEIGHTS[1] * i * i + _WEIGHTS[2] * q * q


def _share(channels: tuple[Floats, Floats, Floats], shares: tuple[float, float, float]) -> Floats:
    red, green, blue = channels
    return red * shares[0] + green * shares[1] + blue * shares[2]


def brightness_of(pixels: Pixels, *, opaque: bool) -> Floats:
    """Y of YIQ, from 0 to 255."""
    return _share(_channels(pixels, opaque=opaque), BRIGHTNESS)


def _channels(pixels: Pixels, *, opaque: bool) -> tuple[Floats, Floats, Floats]:
    """Red, green and blue, on white where ``pixels`` let something through."""
    red, green, blue = ((pixels >> shift & 0xFF).astype(np.float64) for shift in _SHIFTS)
    if opaque:
        return red, green, blue
    alpha = (pixels >> 24) / 255.0
    solid = alpha == 1.0
    red, green, blue = (np.where(solid, c, 255 + (c - 255) * alpha) for c in (red, green, blue))
    return red, green, blue
