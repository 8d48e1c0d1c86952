"""Laws of what is said of two pictures, for random ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.compare.explain.pixels.pixels import pixel_explanation
from rea_capture.compare.explain.pixels.regions import MAX_REGIONS, regions_of
from rea_capture.contracts.explanation import PixelExplanation
from tests.compare.explain.drawn import Samples, by_pixelmatch, png_of_samples, within
from tests.fuzz.examples import examples


@st.composite
def pictures(draw: st.DrawFn, width: int, height: int, *, opaque: bool) -> Samples:
    """Random samples of a few values each, with even areas in them: where smoothed edges are found."""
    values = draw(st.sampled_from([2, 3, 6, 256]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    picture = (rng.integers(0, values, (height, width, 4)) * 255 // (values - 1)).astype(np.uint8)
    for _ in range(draw(st.integers(0, 3))):
        top, left = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
        picture[top : top + height // 2 + 1, left : left + width // 2 + 1] = picture[top, left]
    if opaque:
        picture[..., 3] = 255
    return picture


@st.composite
def pairs(draw: st.DrawFn, *, alike: bool, opaque: bool | None = None) -> tuple[Samples, Samples]:
    """Two pictures; ``alike`` ones have one size and much in common."""
    sizes = st.integers(1, 18)
    width, height = draw(sizes), draw(sizes)
    solid = draw(st.booleans()) if opaque is None else opaque
    before = draw(pictures(width, height, opaque=solid))
    if not alike:
        return before, draw(pictures(draw(sizes), draw(sizes), opaque=solid))
    other = draw(pictures(width, height, opaque=solid))
    kept = np.random.default_rng(draw(st.integers(0, 2**32 - 1))).random((height, width)) < draw(
        st.sampled_from([0.1, 0.5, 0.9])
    )
    return before, np.where(kept[..., None], before, other)


def explained(before: Samples, after: Samples) -> PixelExplanation:
    found = pixel_explanation(png_of_samples(before), png_of_samples(after))
    assert isinstance(found, PixelExplanation)
    return found


@given(pairs(alike=True))
@examples(150)
def test_as_many_pixels_changed_as_the_package_counts_and_all_are_in_boxes(
    pair: tuple[Samples, Samples],
) -> None:
    found, changed = explained(*pair), by_pixelmatch(*pair)
    assert found.changed_pixels == np.count_nonzero(changed)
    assert not (changed & ~within(found.regions, *changed.shape)).any()
    differing = np.count_nonzero((pair[0] != pair[1]).any(axis=2))
    uncounted = found.tolerance.antialiased_pixels + found.tolerance.below_threshold_pixels
    assert found.changed_pixels + uncounted == differing


@given(st.one_of(pairs(alike=True), pairs(alike=False)))
@examples(150)
def test_swapping_the_sides_swaps_the_words_alone(pair: tuple[Samples, Samples]) -> None:
    there, back = explained(*pair), explained(*reversed(pair))
    assert (there.shift is None) == (back.shift is None)
    if there.shift and back.shift:
        down, up = sorted((there.shift, back.shift), key=lambda shift: shift.direction)
        assert (down.direction, up.direction) == ("down", "up")
        assert (up.pixels, up.from_y) == (down.pixels, down.from_y + down.pixels)
    swapped = replace(back, before=back.after, after=back.before, shift=there.shift, summary=there.summary)
    assert swapped == there


@given(pairs(alike=False))
@examples(80)
def test_what_only_one_side_has_is_changed_and_the_rest_is_compared(pair: tuple[Samples, Samples]) -> None:
    before, after = pair
    found = explained(before, after)
    height, width = (min(before.shape[axis], after.shape[axis]) for axis in (0, 1))
    areas = [side.shape[0] * side.shape[1] for side in pair]
    alone = sum(areas) - 2 * height * width
    assert found.changed_pixels == alone + np.count_nonzero(
        by_pixelmatch(before[:height, :width], after[:height, :width])
    )
    assert found.compared_pixels == max(before.shape[0], after.shape[0]) * max(
        before.shape[1], after.shape[1]
    )


@given(
    st.integers(1, 300), st.integers(1, 300), st.sampled_from([0.0002, 0.002, 0.02, 0.5]),
    st.integers(0, 2**32 - 1),
)  # fmt: skip
@examples(150)
def test_boxes_cover_the_changed_pixels_tightly_and_count_each_once(
    width: int, height: int, share: float, seed: int
) -> None:
    changed = np.random.default_rng(seed).random((height, width)) < share
    regions, joined = regions_of(np.packbits(changed, axis=1))
    assert len(regions) <= MAX_REGIONS
    assert joined == 0 or len(regions) >= 1
    assert sum(box.changed_pixels for box in regions) == np.count_nonzero(changed)
    assert not (changed & ~within(regions, height, width)).any()
    for box in regions:
        inside = changed[box.y : box.y + box.height, box.x : box.x + box.width]
        assert inside.shape == (box.height, box.width)
        assert inside[0].any() and inside[-1].any() and inside[:, 0].any() and inside[:, -1].any()  # noqa: PT018
        assert 0 < box.changed_pixels <= np.count_nonzero(inside)
    assert list(regions) == sorted(regions, key=lambda box: (box.y, box.x))


@given(st.integers(0, 2**32 - 1))
@examples(40)
def test_touching_pixels_are_never_in_two_regions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps = rng.integers(-1, 2, (400, 2)).cumsum(axis=0)
    steps -= steps.min(axis=0)
    changed = np.zeros(steps.max(axis=0) + 1, np.bool_)
    changed[steps[:, 0], steps[:, 1]] = True
    regions, joined = regions_of(np.packbits(changed, axis=1))
    assert (len(regions), joined) == (1, 0)
    assert (regions[0].height, regions[0].width) == changed.shape
