"""The pixels that count as changed are those that the pixelmatch package counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw, ImageFilter

from rea_capture.compare.explain.pixels.colours import BRIGHTNESS
from rea_capture.compare.explain.pixels.pictures import read_picture
from rea_capture.compare.explain.pixels.slopes import WHOLE_BRIGHTNESS
from rea_capture.compare.explain.pixels.tolerance import band_of_changes, band_tops
from tests.compare.explain.drawn import (
    Samples,
    by_pixelmatch,
    explained,
    png_of_samples,
    samples_of,
    text_page,
)


def by_us(before: Samples, after: Samples) -> tuple[npt.NDArray[np.bool_], int, int]:
    """Which pixels changed, and how many are antialiased and below the threshold."""
    one, other = read_picture(png_of_samples(before)), read_picture(png_of_samples(after))
    changed = np.zeros(before.shape[:2], np.bool_)
    antialiased = below = 0
    for top in band_tops(len(before)):
        band = band_of_changes(one, other, (one.height, one.width), top)
        if band is None:
            continue
        changed[band.top : band.top + len(band.changed)] = band.changed
        antialiased += band.antialiased_pixels
        below += band.below_threshold_pixels
    return changed, antialiased, below


def gradient(width: int, height: int, slope: float) -> Image.Image:
    across = np.arange(width)[None, :] * slope
    down = np.arange(height)[:, None] * (1 - slope / 4)
    return Image.fromarray(
        np.dstack([across + down, 255 - across + down * 0, down + across * 0]).astype(np.uint8)
    )


PAIRS = {
    "text a quarter of a pixel to the right": (text_page(160, 90), text_page(160, 90, at=(5.25, 5))),
    "text half a pixel down": (text_page(160, 90), text_page(160, 90, at=(5, 5.5))),
    "text a pixel to the right": (text_page(160, 90), text_page(160, 90, at=(6, 5))),
    "other text": (text_page(160, 90), text_page(160, 90, seed=1)),
    "blurred text": (text_page(160, 90), text_page(160, 90).filter(ImageFilter.GaussianBlur(0.4))),
    "inverted text": (text_page(160, 90), Image.eval(text_page(160, 90), lambda value: 255 - value)),
    "gradients": (gradient(140, 100, 1), gradient(140, 100, 1.4)),
    "noise": (
        Image.effect_noise((90, 150), 60).convert("RGB"), Image.effect_noise((90, 150), 90).convert("RGB")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_the_changed_pixels_are_those_of_the_package(name: str) -> None:
    before, after = (samples_of(picture) for picture in PAIRS[name])
    changed, antialiased, below = by_us(before, after)
    assert np.array_equal(changed, by_pixelmatch(before, after))
    differing = int((before != after).any(axis=2).sum())
    assert int(changed.sum()) + antialiased + below == differing > 0


def test_the_pictures_of_text_have_pixels_that_only_smooth_edges() -> None:
    counts = [by_us(*map(samples_of, PAIRS[name]))[1] for name in PAIRS if name.startswith("text")]
    assert min(counts) > 20


def test_every_step_of_a_colour_around_the_threshold_is_judged_as_by_the_package() -> None:
    before = np.full((64, 64, 4), 255, np.uint8)
    after = before.copy()
    red, blue = np.mgrid[0:64, 0:64]
    after[..., 0], after[..., 1], after[..., 2] = 255 - red, 255 - (red + blue) // 3, 255 - blue
    changed, _, below = by_us(before, after)
    assert np.array_equal(changed, by_pixelmatch(before, after))
    assert below > 100


def test_what_lets_something_through_stands_on_white_as_with_the_package() -> None:
    rng = np.random.default_rng(7)
    before = rng.integers(0, 4, (40, 40, 4)).astype(np.uint8) * 85
    after = before.copy()
    after[10:30, 10:30] = rng.integers(0, 4, (20, 20, 4)).astype(np.uint8) * 85
    assert np.array_equal(by_us(before, after)[0], by_pixelmatch(before, after))


def test_transparent_pixels_of_other_colours_are_alike() -> None:
    before = Image.new("RGBA", (20, 20), (255, 0, 0, 0))
    after = Image.new("RGBA", (20, 20), (0, 0, 255, 0))
    found = explained(before, after)
    assert found.changed_pixels == 0
    assert found.tolerance.below_threshold_pixels == 400


def test_a_faint_change_is_counted_apart() -> None:
    before = Image.new("RGB", (60, 40), "white")
    after = before.copy()
    ImageDraw.Draw(after).rectangle((10, 10, 19, 19), fill=(250, 250, 250))
    found = explained(before, after)
    assert found.changed_pixels == 0
    assert found.regions == ()
    assert found.tolerance.below_threshold_pixels == 100
    assert found.tolerance.threshold_percent == 10
    assert found.tolerance.method == "pixelmatch"
    assert (
        found.summary == "No pixel changed by more than the tolerance; 100 pixels differ by less than that."
    )


def test_a_change_in_the_rows_where_bands_meet_is_judged_with_both() -> None:
    rows = band_tops(10_000)[1]
    page = text_page(120, 2 * rows + 40)
    moved = text_page(120, 2 * rows + 40, at=(5.5, 5))
    for top in (rows - 4, rows - 1, rows, rows + 1, 2 * rows - 2):
        before, after = samples_of(page), samples_of(page)
        after[top : top + 5] = samples_of(moved)[top : top + 5]
        changed, _, _ = by_us(before, after)
        assert np.array_equal(changed, by_pixelmatch(before, after))


def test_whole_numbers_order_any_two_colours_as_the_shares_of_the_package_do() -> None:
    """For each difference of red and green: from which difference of blue on the one colour is brighter."""
    red, green = (side.ravel() for side in np.mgrid[-255:256, -255:256])
    turns, equal = [], []
    for shares in (WHOLE_BRIGHTNESS, [round(share * 10**8) for share in BRIGHTNESS]):
        least, rest = np.divmod(-(shares[0] * red + shares[1] * green), shares[2])
        turns.append(np.clip(least, -256, 255))
        equal.append((rest == 0) & (np.abs(least) <= 255))
    assert np.array_equal(turns[0], turns[1])
    assert np.array_equal(equal[0], equal[1])
    assert np.count_nonzero(equal[0]) == 1
    assert sum(WHOLE_BRIGHTNESS) * 255 < 2**26
