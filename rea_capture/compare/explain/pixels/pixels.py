"""How two screenshots differ.

    1. Both sizes are read, and both pictures if their sizes are within bounds.
    2. Where both have pixels, those that changed are found (``tolerance``); what one has alone is changed.
    3. Boxes are drawn around them (``regions``).
    4. It is asked whether content only moved (``shift``).

With the sides swapped the answer is the same, with its words swapped.

Below: ``pictures``, ``tolerance``, ``regions``, ``shift``. Above: ``explain``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import numpy as np

from rea_capture.compare.explain.pixels.colours import THRESHOLD_PERCENT
from rea_capture.compare.explain.pixels.pictures import Picture, UnreadablePictureError, read_picture
from rea_capture.compare.explain.pixels.regions import CELL_PIXELS, Bits, regions_of
from rea_capture.compare.explain.pixels.shift import vertical_shift
from rea_capture.compare.explain.pixels.tolerance import band_of_changes, band_tops
from rea_capture.compare.explain.pixels.words import pixel_summary, size_words
from rea_capture.contracts.encodings import png_size
from rea_capture.contracts.explanation import NoExplanation, PixelExplanation, PixelTolerance, Size

MAX_PIXELS: Final = 64 * 1024 * 1024
"""Of the larger width and height of two pictures: a page 1280 pixels wide and 52,428 high. Two pictures of it
take half a GiB, and two seconds."""

_FEW_PIXELS: Final = 256 * 1024
"""Up to here it takes longer to start threads than they save."""

_AT_ONCE: Final = 2
"""Threads: there are two pictures to decode, and hardly a machine has fewer processors."""

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Found:
    """The changed pixels, a bit each, and how many others differ."""

    mask: Bits
    antialiased_pixels: int
    below_threshold_pixels: int


def pixel_explanation(before_png: bytes, after_png: bytes) -> PixelExplanation | NoExplanation:
    """What changed from ``before_png`` to ``after_png``. Raises nothing: what cannot be read is said."""
    try:
        before, after = (Size(width=w, height=h) for w, h in (png_size(before_png), png_size(after_png)))
    except ValueError:
        return _unreadable()
    width, height = max(before.width, after.width), max(before.height, after.height)
    if width * height > MAX_PIXELS:
        return NoExplanation(
            summary=f"Not explained: pictures are compared up to {MAX_PIXELS:,} pixels, and these take "
            f"{size_words(width, height)}; they are in the two captures."
        )
    try:
        one, other = _each(read_picture, (before_png, after_png), width * height)
    except UnreadablePictureError:
        return _unreadable()
    return _explanation(before, after, one, other)


def _each(work: Callable[[T], R], items: Iterable[T], pixels: int) -> list[R]:
    """What ``work`` gives for each of ``items``, in their order: two at a time where it is about many pixels.

    Decoding and arithmetic leave the interpreter free meanwhile.
    """
    if pixels < _FEW_PIXELS:
        return [work(item) for item in items]
    with ThreadPoolExecutor(_AT_ONCE, "pixels") as pool:
        return list(pool.map(work, items))


def _unreadable() -> NoExplanation:
    return NoExplanation(summary="Not explained: a picture is not a PNG that can be decoded.")


def _explanation(before: Size, after: Size, one: Picture, other: Picture) -> PixelExplanation:
    compared = max(before.width, after.width) * max(before.height, after.height)
    found = _found(one, other)
    regions, joined = regions_of(found.mask)
    changed = sum(region.changed_pixels for region in regions)
    shift = vertical_shift(one, other, regions[0].y) if regions else None
    tolerance = PixelTolerance(
        antialiased_pixels=found.antialiased_pixels,
        below_threshold_pixels=found.below_threshold_pixels,
        method="pixelmatch",
        threshold_percent=THRESHOLD_PERCENT,
    )
    return PixelExplanation(
        after=after,
        before=before,
        changed_parts_per_million=_parts_per_million(changed, compared),
        changed_pixels=changed,
        compared_pixels=compared,
        joined_regions=joined,
        regions=regions,
        shift=shift,
        summary=pixel_summary(before, after, changed, compared, len(regions), shift, tolerance),
        tolerance=tolerance,
    )


def _found(one: Picture, other: Picture) -> _Found:
    """The changed pixels of the larger width and height. Antialiasing is judged where both have pixels."""
    sizes = [(side.height, side.width) for side in (one, other)]
    height, width = (min(lengths) for lengths in zip(*sizes, strict=True))
    highest, widest = (max(lengths) for lengths in zip(*sizes, strict=True))
    mask = np.zeros((highest, -(-widest // CELL_PIXELS)), np.uint8)
    antialiased = below = 0
    work = partial(band_of_changes, one, other, (height, width))
    for band in _each(work, band_tops(height), height * width):
        if band is None:
            continue
        packed = np.packbits(band.changed, axis=1)
        mask[band.top : band.top + len(packed), : packed.shape[1]] = packed
        antialiased += band.antialiased_pixels
        below += band.below_threshold_pixels
    for whole_high, whole_wide in sizes:
        mask[:whole_high] |= _columns(width, whole_wide, mask.shape[1])
        mask[height:whole_high] |= _columns(0, whole_wide, mask.shape[1])
    return _Found(mask, antialiased, below)


def _columns(start: int, end: int, width_bytes: int) -> Bits:
    """A row of bits, set from column ``start`` to ``end``, which is not included."""
    columns = np.zeros(width_bytes * CELL_PIXELS, np.bool_)
    columns[start:end] = True
    return np.packbits(columns)


def _parts_per_million(part: int, whole: int) -> int:
    """Rounded, but to nothing or to all only where it is nothing or all."""
    if part in {0, whole}:
        return 1_000_000 * part // whole
    return min(max((2_000_000 * part + whole) // (2 * whole), 1), 999_999)
