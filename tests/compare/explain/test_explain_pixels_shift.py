"""Content that only moved up or down is told, and nothing else is told to have moved."""

from __future__ import annotations

import pytest
from PIL import Image

from rea_capture.contracts.explanation import VerticalShift
from tests.compare.explain.drawn import explained, text_page, with_rows_inserted

PAGE = text_page(300, 400)


def test_a_banner_that_pushes_the_page_down_is_a_shift() -> None:
    found = explained(PAGE, with_rows_inserted(PAGE, 120, 40, height=400))
    assert found.shift is not None
    assert (found.shift.direction, found.shift.pixels) == ("down", 40)
    assert found.summary == (
        f"Everything below y = {found.shift.from_y} moved 40 pixels down; nothing else changed."
    )
    assert found.changed_pixels > 0
    # What stands above and is as it was may be some rows of the page more, if these are like the banner's.
    assert 120 <= found.shift.from_y < 140


def test_a_banner_that_went_is_the_same_upwards() -> None:
    longer = with_rows_inserted(PAGE, 120, 40, height=400)
    down, up = explained(PAGE, longer).shift, explained(longer, PAGE).shift
    assert down is not None
    assert up == VerticalShift(direction="up", from_y=down.from_y + 40, pixels=40)


def test_a_page_that_grew_by_what_came_in_is_a_shift() -> None:
    grown = with_rows_inserted(PAGE, 0, 64, height=464)
    found = explained(PAGE, grown)
    assert found.shift == VerticalShift(direction="down", from_y=0, pixels=64)
    assert found.summary.endswith("; everything moved 64 pixels down; nothing else changed.")
    back = explained(grown, PAGE)
    assert back.shift == VerticalShift(direction="up", from_y=64, pixels=64)


def test_a_scrolled_page_is_a_shift() -> None:
    long = text_page(300, 900)
    found = explained(long.crop((0, 0, 300, 400)), long.crop((0, 100, 300, 500)))
    assert found.shift == VerticalShift(direction="up", from_y=100, pixels=100)


def test_one_pixel_that_changed_elsewhere_is_no_shift() -> None:
    for place in ((10, 2), (299, 399), (150, 300)):
        after = with_rows_inserted(PAGE, 120, 40, height=400)
        after.putpixel(place, (255, 0, 0))
        assert explained(PAGE, after).shift is None


def test_a_page_that_grew_by_more_than_came_in_is_no_shift() -> None:
    grown = Image.new("RGB", (300, 470), "white")
    grown.paste(with_rows_inserted(PAGE, 100, 40, height=440), (0, 0))
    assert explained(PAGE, grown).shift is None


WHITE = Image.new("RGB", (300, 400), "white")
HIGHER = Image.new("RGB", (300, 500), "white")


def painted(*boxes: tuple[int, int, int, int], on: Image.Image = WHITE) -> Image.Image:
    after = on.copy()
    for box in boxes:
        after.paste("navy", box)
    return after


STRIPES = painted(*((0, top, 300, top + 10) for top in range(0, 400, 20)))

NO_SHIFT = {
    "a box that came": (WHITE, painted((50, 100, 100, 150))),
    "a line that came": (WHITE, painted((0, 399, 300, 400))),
    "a box that grew": (painted((50, 100, 100, 150)), painted((50, 100, 100, 190))),
    "an empty page that grew": (WHITE, HIGHER),
    "an empty end that grew": (painted((9, 9, 90, 90)), painted((9, 9, 90, 90), on=HIGHER)),
    "stripes that moved": (STRIPES, STRIPES.transpose(Image.Transpose.FLIP_TOP_BOTTOM)),
    "a rule that moved": (painted((0, 100, 300, 101)), painted((0, 140, 300, 141))),
    "another page": (PAGE, text_page(300, 400, seed=1)),
    "another colour": (PAGE, Image.eval(PAGE, lambda value: 255 - value)),
    "text that went sideways": (PAGE, text_page(300, 400, at=(9, 5))),
    "another width": (PAGE, text_page(301, 400)),
    "a last line that begins a page": (PAGE, with_rows_inserted(PAGE, 0, 380, height=400)),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_SHIFT)
def test_what_may_be_seen_otherwise_is_no_shift(name: str) -> None:
    before, after = NO_SHIFT[name]
    there, back = explained(before, after), explained(after, before)
    assert there.changed_pixels == back.changed_pixels > 0
    assert there.shift is None
    assert back.shift is None


def test_a_box_that_moved_on_an_empty_page_is_a_shift() -> None:
    found = explained(painted((50, 100, 100, 150)), painted((50, 140, 100, 190)))
    assert found.shift == VerticalShift(direction="down", from_y=100, pixels=40)
