"""The one picture of an answer: the last screenshot, no larger than clients take.

Below: Pillow, imported when a picture is made. Above: ``answers``.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rea_capture.contracts.artifacts import CapturedScreenshot
from rea_capture.contracts.capture import CaptureResult
from rea_capture.mcp_server.limits import MAX_PICTURE_BYTES, MAX_PICTURE_EDGE_PX

if TYPE_CHECKING:
    from PIL.Image import Image

_MAX_TALLNESS: Final = 1.5
"""Height over width of what is shown: of a page that is taller only the upper part could be read."""

_QUALITIES: Final = (80, 60, 40)
_MAX_SOURCE_PIXELS: Final = 100_000_000
"""A screenshot of more is not decoded for this: four bytes a pixel."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG or JPEG of the screenshot of ``step_id``; ``cut`` when only its upper part is shown."""

    cut: bool
    data_base64: str
    media_type: str
    step_id: str


def picture_of(result: CaptureResult) -> Picture | None:
    """The last screenshot of ``result``; None when there is none, or it cannot be made small enough."""
    for step in reversed(result.steps):
        shot = step.artifacts.screenshot
        if isinstance(shot, CapturedScreenshot):
            value = shot.value
            small = value.bytes <= MAX_PICTURE_BYTES and max(value.width, value.height) <= MAX_PICTURE_EDGE_PX
            if small:
                return Picture(False, value.data_base64, value.media_type, step.step_id)
            if value.width * value.height > _MAX_SOURCE_PIXELS:
                return None
            return _scaled(base64.b64decode(value.data_base64), step.step_id)
    return None


def _scaled(png: bytes, step_id: str) -> Picture | None:
    from PIL import Image  # noqa: PLC0415 - only for a large screenshot

    with Image.open(io.BytesIO(png), formats=["PNG"]) as opened:
        picture: Image.Image = opened.convert("RGB")
    height = min(picture.height, max(1, round(picture.width * _MAX_TALLNESS)))
    cut = height < picture.height
    if cut:
        picture = picture.crop((0, 0, picture.width, height))
    picture.thumbnail((MAX_PICTURE_EDGE_PX, MAX_PICTURE_EDGE_PX))
    return _written(picture, cut, step_id)


def _written(picture: Image, cut: bool, step_id: str) -> Picture | None:
    attempts = [("PNG", {"optimize": True})] + [("JPEG", {"quality": quality}) for quality in _QUALITIES]
    for kind, options in attempts:
        out = io.BytesIO()
        picture.save(out, kind, **options)
        if out.tell() <= MAX_PICTURE_BYTES:
            data = base64.b64encode(out.getvalue()).decode()
            return Picture(cut, data, f"image/{kind.lower()}", step_id)
    return None
