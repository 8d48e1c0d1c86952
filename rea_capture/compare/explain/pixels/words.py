"""What a person wants to know first of two pictures, in a sentence.

Below: ``contracts.explanation``, ``wording``. Above: ``pixels``.
"""

from __future__ import annotations

from rea_capture.contracts.explanation import PixelTolerance, Size, VerticalShift
from rea_capture.wording import counted, figure, sentence


def pixel_summary(
    before: Size,
    after: Size,
    changed_pixels: int,
    compared_pixels: int,
    regions: int,
    shift: VerticalShift | None,
    tolerance: PixelTolerance,
) -> str:
    """A sentence about sizes that differ, and what changed."""
    if shift is not None:
        what = _moved(shift)
    elif changed_pixels:
        what = (
            f"{figure(changed_pixels)} of {counted(compared_pixels, 'pixel')} changed "
            f"({_percent(changed_pixels, compared_pixels)}), "
            f"in {counted(regions, 'region')}"
        )
    else:
        what = _unchanged(tolerance)
    if before != after:
        return f"The picture is {_shown(after)} now, {_shown(before)} before; {what}."
    return sentence(what)


def size_words(width: int, height: int) -> str:
    """Width and height, with the sign that people write between them."""
    return f"{width} \N{MULTIPLICATION SIGN} {height}"


def _moved(shift: VerticalShift) -> str:
    all_of_it = f"everything below y = {figure(shift.from_y)}" if shift.from_y else "everything"
    return f"{all_of_it} moved {counted(shift.pixels, 'pixel')} {shift.direction}; nothing else changed"


def _unchanged(tolerance: PixelTolerance) -> str:
    antialiased, below = tolerance.antialiased_pixels, tolerance.below_threshold_pixels
    differences = [
        f"{counted(count, 'pixel')} {'differs' if count == 1 else 'differ'} {how}"
        for count, how in ((antialiased, "in how edges are smoothed"), (below, "by less than that"))
        if count
    ]
    if not differences:
        return "no pixel differs; only the files do"
    return f"no pixel changed by more than the tolerance; {' and '.join(differences)}"


def _shown(size: Size) -> str:
    return size_words(size.width, size.height)


def _percent(part: int, whole: int) -> str:
    hundredths = (20_000 * part + whole) // (2 * whole)
    if not hundredths:
        return "less than 0.01 %"
    if hundredths == 10_000 and part < whole:
        return "more than 99.99 %"
    return f"{hundredths // 100}.{hundredths % 100:02} %"
