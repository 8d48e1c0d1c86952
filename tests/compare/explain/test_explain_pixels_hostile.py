"""Whatever a capture holds for a picture, there is an answer and never an exception or a warning."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest
from PIL import Image

from rea_capture.compare.explain.pixels.pixels import MAX_PIXELS, pixel_explanation
from rea_capture.contracts.explanation import NoExplanation, PixelExplanation
from tests.compare.explain.drawn import chunk, declared, explained, png_of, text_page

PAGE = text_page(120, 80)
GOOD = png_of(PAGE)
WHOLE = declared(2, 2, b"\0" + bytes(6) + b"\0" + bytes(6))


def answer(png: bytes) -> NoExplanation | PixelExplanation:
    """Of ``png`` beside a good picture; the other way round there is the same kind of answer."""
    there, back = pixel_explanation(GOOD, png), pixel_explanation(png, GOOD)
    assert type(there) is type(back)
    return there


UNREADABLE = {
    "nothing": b"",
    "text": b"not a picture, and long enough to have a header in it",
    "a signature": GOOD[:8],
    "half a header": GOOD[:20],
    "a header alone": GOOD[:33],
    "half of it": GOOD[: len(GOOD) // 2],
    "no end of the data": GOOD[:-40],
    "no rows": declared(64, 64),
    "too few rows": declared(64, 64, bytes(64 * 3)),
    "no width": declared(0, 64),
    "a second header": WHOLE[:33] + chunk(b"IHDR", WHOLE[16:29]) + WHOLE[33:],
    "a filter that there is not": declared(2, 2, b"\x09" + bytes(6) + b"\0" + bytes(6)),
    "data that is not compressed": WHOLE[:33] + chunk(b"IDAT", b"garbage") + chunk(b"IEND", b""),
    "too many chunks": WHOLE[:33] + chunk(b"tEXt", b"") * 300_000 + WHOLE[33:],
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_whole_png_is_not_explained(name: str) -> None:
    found = answer(UNREADABLE[name])
    assert found == NoExplanation(summary="Not explained: a picture is not a PNG that can be decoded.")


@pytest.mark.parametrize(
    ("width", "height"), [(30_000, 30_000), (2**31 - 1, 2**31 - 1), (1, MAX_PIXELS), (MAX_PIXELS, 1)]
)
def test_a_picture_beyond_the_limit_is_not_decoded(width: int, height: int) -> None:
    found = answer(declared(width, height))
    assert isinstance(found, NoExplanation)
    assert found.summary.startswith("Not explained: pictures are compared up to 67,108,864 pixels")


def test_pictures_that_are_large_together_only_are_not_compared() -> None:
    wide, high = declared(2**20, 1), declared(1, 2**20)
    assert isinstance(pixel_explanation(wide, high), NoExplanation)


def test_the_smallest_pictures_are_compared() -> None:
    found = explained(Image.new("RGB", (1, 1), "white"), Image.new("RGB", (1, 1), "black"))
    assert (found.changed_pixels, found.changed_parts_per_million) == (1, 1_000_000)
    assert found.summary == "1 of 1 pixel changed (100.00 %), in 1 region."


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png_is_read(mode: str) -> None:
    plain = PAGE.convert("1").convert("RGB")
    other = plain.convert("L").convert("I").convert("I;16") if mode == "I;16" else plain.convert(mode)
    if mode == "I;16":
        other = Image.fromarray(np.asarray(plain.convert("L")).astype(np.uint16) * 257)
    found = explained(plain, other)
    assert found.summary == "No pixel differs; only the files do."


def test_a_transparent_colour_of_a_palette_is_seen() -> None:
    opaque = Image.new("P", (30, 30), 1)
    opaque.putpalette([255, 0, 0, 0, 0, 0])
    see_through = opaque.copy()
    found = pixel_explanation(png_of(opaque), png_of(see_through, transparency=1))
    assert isinstance(found, PixelExplanation)
    assert found.changed_pixels == 900


def test_the_picture_of_an_animation_is_that_which_every_reader_shows() -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    animated = png_of(frames[0], save_all=True, append_images=frames[1:], duration=10)
    assert b"acTL" in animated
    found = pixel_explanation(animated, png_of(Image.new("RGB", (40, 30), "red")))
    assert isinstance(found, PixelExplanation)
    assert found.summary == "No pixel differs; only the files do."


def test_text_that_swells_is_not_read() -> None:
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(64 * 1024 * 1024)))
    found = answer(GOOD[:33] + bomb + GOOD[33:])
    assert isinstance(found, PixelExplanation)
    assert found.summary == "No pixel differs; only the files do."


def test_a_picture_with_any_byte_changed_has_an_answer() -> None:
    rng = random.Random(5)
    small = png_of(text_page(40, 30).convert("P"))
    for _ in range(300):
        broken = bytearray(small)
        broken[rng.randrange(8, len(broken))] = rng.randrange(256)
        assert isinstance(answer(bytes(broken)), NoExplanation | PixelExplanation)
