"""Pictures to compare, and what the pixelmatch package says of two."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from pixelmatch import pixelmatch

from rea_capture.compare.explain.pixels.pixels import pixel_explanation
from rea_capture.contracts.explanation import PixelExplanation, Region

Samples = npt.NDArray[np.uint8]
"""Rows, columns, and red, green, blue and alpha."""

WORDS = ("a page", "of words", "that nobody", "reads, but", "every one", "compares:", "gIyQ", "WMil,")


def png_of(picture: Image.Image, **how: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, format="PNG", **how)
    return out.getvalue()


def png_of_samples(samples: Samples) -> bytes:
    return png_of(Image.fromarray(np.ascontiguousarray(samples)))


def explained(before: Image.Image, after: Image.Image) -> PixelExplanation:
    found = pixel_explanation(png_of(before), png_of(after))
    assert isinstance(found, PixelExplanation), found.summary
    return found


def text_page(width: int, height: int, seed: int = 0, at: tuple[float, float] = (5, 5)) -> Image.Image:
    """Lines of text, no two alike, from ``at`` on, in pixels and quarters of them."""
    finer = 4
    picture = Image.new("RGB", (width * finer, height * finer), "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(13 * finer)
    words = random.Random(seed)
    left, top = (round(place * finer) for place in at)
    while top < height * finer:
        line = " ".join(words.choice(WORDS) for _ in range(max(1, width // 60)))
        draw.text((left, top), line, font=font, fill=(20, 20, 60))
        top += 18 * finer
    return picture.resize((width, height), Image.Resampling.BOX)


def with_rows_inserted(picture: Image.Image, at: int, rows: int, *, height: int) -> Image.Image:
    """``picture`` with a banner of ``rows`` at ``at``, and all below that much further down."""
    longer = Image.new("RGB", (picture.width, height), (10, 90, 200))
    longer.paste(picture.crop((0, 0, picture.width, at)), (0, 0))
    longer.paste(picture.crop((0, at, picture.width, height - rows)), (0, at + rows))
    return longer


def by_pixelmatch(before: Samples, after: Samples) -> npt.NDArray[np.bool_]:
    """Which pixels the package draws as changed. A pixel at a time: small pictures only."""
    height, width, _ = before.shape
    drawn: list[int | float] = [0] * (height * width * 4)
    count = pixelmatch(before.ravel().tolist(), after.ravel().tolist(), width, height, drawn, diff_mask=True)
    changed = np.array(drawn).reshape(height, width, 4)[..., 3] > 0
    assert count == np.count_nonzero(changed)
    return changed


def samples_of(picture: Image.Image) -> Samples:
    return np.array(picture.convert("RGBA"))


def within(regions: Sequence[Region], height: int, width: int) -> npt.NDArray[np.bool_]:
    """Which pixels of a picture are in any of ``regions``."""
    inside = np.zeros((height, width), np.bool_)
    for box in regions:
        inside[box.y : box.y + box.height, box.x : box.x + box.width] = True
    return inside


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def declared(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG of RGB that declares this size and holds ``rows``, whatever these are."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks
