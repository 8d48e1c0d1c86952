"""Painting regions of a PNG over.

Pure.

Below: Pillow, imported only when there is something to paint, since most captures have no secret on screen.
Above: the screenshot reader.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Final

Region = tuple[float, float, float, float]
"""Left, top, right, bottom, in CSS pixels of the viewport."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in whole device pixels of the picture."""

MASK_COLOR: Final = (255, 0, 255)
"""Magenta: what the driver's own masks use, and hardly ever a page's colour."""

_MARGIN_PIXELS: Final = 1
"""Added on each side, for what antialiasing paints outside a box."""


def distinct(regions: Sequence[Region]) -> tuple[Region, ...]:
    """``regions`` without those inside another one, sorted."""
    kept: list[Region] = []
    for region in sorted(set(regions), key=lambda each: (each[0], each[1], -each[2], -each[3])):
        if not any(_holds(other, region) for other in kept):
            kept.append(region)
    return tuple(region for region in kept if not any(_holds(o, region) for o in kept if o != region))


def _holds(outer: Region, inner: Region) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def pixel_boxes(regions: Sequence[Region], scale: float, width: int, height: int) -> list[Box]:
    """``regions`` in device pixels, grown outwards and clipped to the picture; ``scale`` is pixels per
    CSS pixel. Those outside the picture are dropped.
    """
    boxes = []
    for left, top, right, bottom in regions:
        if right * scale <= 0 or bottom * scale <= 0 or left * scale >= width or top * scale >= height:
            continue
        boxes.append(
            (
                max(0, math.floor(left * scale) - _MARGIN_PIXELS),
                max(0, math.floor(top * scale) - _MARGIN_PIXELS),
                min(width, math.ceil(right * scale) + _MARGIN_PIXELS),
                min(height, math.ceil(bottom * scale) + _MARGIN_PIXELS),
            )
        )
    return boxes


def painted_over(png: bytes, boxes: Sequence[Box]) -> bytes:
    """``png`` with every box painted over. Raises ``OSError`` or ``ValueError`` when it is no image."""
    from PIL import Image  # noqa: PLC0415  # 30 ms that only a capture with secrets on screen pays

    with Image.open(io.BytesIO(png), formats=["PNG"]) as image:
        picture = image.convert("RGB")
    for box in boxes:
        picture.paste(MASK_COLOR, box)
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()
