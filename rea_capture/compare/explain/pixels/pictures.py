"""A PNG as rows of pixels, or the reason why it cannot be.

Nothing but the header of a captured PNG was looked at before. So its size is read before anything is
decoded, and the decoder is given the chunks that make the picture and no others: no text, colour profile
or animation (of an animated PNG, the picture that every reader shows).

Below: Pillow, NumPy, ``contracts.encodings``. Above: ``pixels``.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from rea_capture.contracts.encodings import png_size

Pixels: TypeAlias = npt.NDArray[np.uint32]
"""Rows of pixels. Red is the low byte of each on every machine, then green, blue and alpha."""

_MAX_CHUNKS: Final = 1 << 18
"""A browser writes chunks of 8 KiB and more: this many are 2 GiB of them."""

_SIGNATURE_BYTES: Final = 8
_CHUNK_OVERHEAD_BYTES: Final = 12
"""Length, type and checksum (PNG specification, section 5.3)."""

_CHUNK_HEAD: Final = struct.Struct(">I4s")
_ONE_OF_EACH: Final = (b"IHDR", b"PLTE", b"tRNS", b"IEND")
_PICTURE_CHUNKS: Final = frozenset({*_ONE_OF_EACH, b"IDAT"})

_OPAQUE: Final = np.uint32(0xFF000000)


class UnreadablePictureError(Exception):
    """The bytes are no PNG that can be decoded."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A decoded picture. Its pixels stay with the decoder, and some rows of them are taken out at a time.

    A second copy of them all would cost more, in fresh memory, than to take rows out twice.
    """

    image: Image.Image
    """Of the mode RGB or RGBA."""

    @property
    def width(self) -> int:
        """In pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """In pixels."""
        return self.image.height

    def rows(self, top: int, bottom: int) -> Pixels:
        """The rows from ``top`` to ``bottom``, which is not included, or to the end of the picture."""
        bottom = min(bottom, self.height)
        rows = self.image.crop((0, top, self.width, bottom))
        opaque = self.image.mode == "RGB"
        data = rows.tobytes("raw", "RGBX" if opaque else "RGBA")
        pixels = np.frombuffer(data, "<u4").reshape(bottom - top, self.width)
        return pixels | _OPAQUE if opaque else pixels

    def narrowed(self, step: int) -> Picture:
        """As high a picture of one column of every ``step``, or of about as many."""
        size = (-(-self.width // step), self.height)
        return Picture(self.image.resize(size, Image.Resampling.NEAREST))


def is_opaque(pixels: Pixels) -> bool:
    """Whether none of ``pixels`` lets anything through."""
    return int(pixels.min()) >= int(_OPAQUE)


def read_picture(png: bytes) -> Picture:
    """The picture in ``png``. Raises :class:`UnreadablePictureError`.

    The caller has seen to it that the size in the header is one that there is memory for.
    """
    try:
        with Image.open(io.BytesIO(_picture_chunks(png)), formats=["PNG"]) as image:
            if image.size != png_size(png):
                raise ValueError("has another size than its header")
            image.load()
            return Picture(_with_samples(_of_bytes(image)))
    except Exception as error:  # a decoder of hostile bytes raises whatever it likes
        raise UnreadablePictureError from error


def _picture_chunks(png: bytes) -> bytes:
    """``png`` without what its pixels do not depend on. Raises ``ValueError`` or ``struct.error``."""
    kept = [png[:_SIGNATURE_BYTES]]
    seen: set[bytes] = set()
    for name, chunk in _chunks(png):
        if name in _PICTURE_CHUNKS:
            if name in seen and name in _ONE_OF_EACH:
                raise ValueError("has a chunk twice")
            seen.add(name)
            kept.append(chunk)
    return b"".join(kept)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = _SIGNATURE_BYTES
    for _ in range(_MAX_CHUNKS):
        length, name = _CHUNK_HEAD.unpack_from(png, at)
        end = at + length + _CHUNK_OVERHEAD_BYTES
        yield name, png[at:end]
        if name == b"IEND" or end >= len(png):
            return
        at = end
    raise ValueError("has too many chunks")


def _of_bytes(image: Image.Image) -> Image.Image:
    """``image`` with a byte for each sample, as the decoder gives 16-bit colours, but not 16-bit greys."""
    if not image.mode.startswith("I"):
        return image
    greys = (np.asarray(image).astype(np.int32) >> 8).astype(np.uint8)
    return Image.fromarray(greys)


def _with_samples(image: Image.Image) -> Image.Image:
    """``image`` with red, green and blue for each pixel, and alpha if any pixel may let something through."""
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    return image if image.mode == "RGBA" else image.convert("RGBA")
