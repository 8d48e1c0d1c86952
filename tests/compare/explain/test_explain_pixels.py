"""What is said of two screenshots: sizes, counts, boxes, and a sentence."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from rea_capture.compare.explain.pixels.regions import MAX_REGIONS
from rea_capture.contracts.explanation import Region, Size
from tests.compare.explain.drawn import explained, text_page

WHITE = Image.new("RGB", (1280, 720), "white")


def with_boxes(picture: Image.Image, *boxes: tuple[int, int, int, int], fill: str = "black") -> Image.Image:
    """``picture`` with boxes of left, top, width and height painted over."""
    painted = picture.copy()
    for left, top, width, height in boxes:
        painted.paste(fill, (left, top, left + width, top + height))
    return painted


def test_a_change_is_counted_boxed_and_put_into_words() -> None:
    found = explained(WHITE, with_boxes(WHITE, (600, 300, 50, 20), (20, 10, 10, 20), (100, 10, 2, 2)))
    assert (found.before, found.after) == (Size(width=1280, height=720), Size(width=1280, height=720))
    assert (found.changed_pixels, found.compared_pixels) == (1_204, 921_600)
    assert found.changed_parts_per_million == 1_306
    assert found.regions == (
        Region(x=20, y=10, width=10, height=20, changed_pixels=200),
        Region(x=100, y=10, width=2, height=2, changed_pixels=4),
        Region(x=600, y=300, width=50, height=20, changed_pixels=1_000),
    )
    assert found.joined_regions == 0
    assert found.shift is None
    assert found.summary == "1,204 of 921,600 pixels changed (0.13 %), in 3 regions."


def test_one_pixel_of_many_is_not_nothing_and_all_but_one_is_not_all() -> None:
    large = Image.new("RGB", (2000, 1500), "white")
    found = explained(large, with_boxes(large, (3, 4, 1, 1)))
    assert found.changed_parts_per_million == 1
    assert found.summary == "1 of 3,000,000 pixels changed (less than 0.01 %), in 1 region."
    inverted = with_boxes(Image.new("RGB", (2000, 1500), "black"), (3, 4, 1, 1), fill="white")
    found = explained(large, inverted)
    assert found.changed_parts_per_million == 999_999
    assert "(more than 99.99 %)" in found.summary


def test_pictures_with_the_same_pixels_are_said_to_be_so() -> None:
    found = explained(WHITE, WHITE.convert("P"))
    assert (found.changed_pixels, found.regions, found.shift) == (0, (), None)
    assert found.summary == "No pixel differs; only the files do."


def test_what_only_one_picture_has_is_changed() -> None:
    found = explained(Image.new("RGB", (100, 80), "white"), Image.new("RGB", (90, 100), "white"))
    assert found.compared_pixels == 100 * 100
    assert found.changed_pixels == 10 * 80 + 90 * 20
    assert found.regions == (Region(x=0, y=0, width=100, height=100, changed_pixels=2_600),)
    assert found.summary == (
        "The picture is 90 \N{MULTIPLICATION SIGN} 100 now, 100 \N{MULTIPLICATION SIGN} 80 before; "
        "2,600 of 10,000 pixels changed (26.00 %), in 1 region."
    )


def test_what_both_have_is_still_compared_when_sizes_differ() -> None:
    before = Image.new("RGB", (100, 80), "white")
    after = with_boxes(Image.new("RGB", (100, 120), "white"), (10, 10, 5, 5))
    found = explained(before, after)
    assert found.changed_pixels == 25 + 100 * 40
    assert [(box.y, box.changed_pixels) for box in found.regions] == [(10, 25), (80, 4_000)]


def test_the_letters_of_a_word_are_one_region() -> None:
    page = text_page(400, 200)
    ImageDraw.Draw(page).text((50, 120), "changed word", fill="black", font_size=14)
    assert len(explained(text_page(400, 200), page).regions) == 1


@pytest.mark.parametrize(("gap", "regions"), [(7, 1), (15, 2)])
@pytest.mark.parametrize("left", range(30, 38))
def test_regions_are_one_up_to_a_gap_and_two_from_another(gap: int, regions: int, left: int) -> None:
    small = Image.new("RGB", (120, 60), "white")
    changed = with_boxes(small, (left - 5, 20, 5, 5), (left + gap, 20, 5, 5))
    assert len(explained(small, changed).regions) == regions


def test_a_change_in_the_shape_of_a_ring_has_one_box_and_what_is_inside_another() -> None:
    ring = [(100, 100, 200, 3), (100, 297, 200, 3), (100, 100, 3, 200), (297, 100, 3, 200)]
    found = explained(WHITE, with_boxes(WHITE, *ring, (190, 190, 5, 5)))
    assert found.regions == (
        Region(x=100, y=100, width=200, height=200, changed_pixels=2 * 3 * 200 + 2 * 3 * 194),
        Region(x=190, y=190, width=5, height=5, changed_pixels=25),
    )


@pytest.mark.parametrize(("step", "scattered"), [(80, 144), (32, 880)])
def test_too_many_regions_are_joined_and_counted(step: int, scattered: int) -> None:
    spots = [(x, y, 3, 3) for y in range(8, 712, step) for x in range(8, 1272, step)]
    assert len(spots) == scattered
    found = explained(WHITE, with_boxes(WHITE, *spots))
    assert 1 <= len(found.regions) <= MAX_REGIONS
    assert len(found.regions) + found.joined_regions == scattered
    assert sum(box.changed_pixels for box in found.regions) == found.changed_pixels == 9 * scattered


def test_neighbours_are_joined_before_what_is_far_apart() -> None:
    pairs = [(20 + 60 * column, 40 + 100 * row, 3, 3) for column in range(20) for row in range(3)]
    beside = [(left + 20, top, 3, 3) for left, top, _, _ in pairs[:10]]
    found = explained(WHITE, with_boxes(WHITE, *pairs, *beside))
    assert len(found.regions) == MAX_REGIONS
    assert found.joined_regions == 6
    assert sorted({(box.width, box.height) for box in found.regions}) == [(3, 3), (23, 3)]


def test_large_pictures_that_take_two_threads_give_the_same_each_time() -> None:
    page = text_page(700, 700)
    after = text_page(700, 700, at=(5.5, 5))
    first = explained(page, after)
    assert first.changed_pixels > 1_000
    assert all(explained(page, after) == first for _ in range(3))
