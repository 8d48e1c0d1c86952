"""The pure parts of reading: regions, sentences, reasons."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.async_api import Error as DriverError

from rea_capture.browser.artifacts.bounded import Got, NotRead, reading_reason, used
from rea_capture.browser.artifacts.masking import MASK_COLOR, distinct, painted_over, pixel_boxes
from rea_capture.browser.artifacts.notes import not_held, painted_over_note
from rea_capture.browser.artifacts.world import PageScriptError


def test_a_region_inside_another_is_counted_once() -> None:
    outer, inner, beside = (0.0, 0.0, 100.0, 20.0), (10.0, 0.0, 90.0, 20.0), (0.0, 30.0, 50.0, 50.0)
    assert distinct([inner, beside, outer, outer]) == (outer, beside)
    assert distinct([]) == ()


def test_regions_grow_outwards_to_whole_pixels_and_are_clipped() -> None:
    regions = [
        (0.0, 0.0, 10.2, 10.2),
        (395.0, -5.0, 900.0, 3.0),
        (500.0, 0.0, 600.0, 9.0),
        (-9.0, 0.0, 0.0, 9.0),
    ]
    assert pixel_boxes(regions, 2, 800, 600) == [(0, 0, 22, 22), (789, 0, 800, 7)]


def test_painting_over_changes_nothing_outside_the_boxes() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (20, 10), (1, 2, 3, 255)).save(out, format="PNG")
    picture = Image.open(io.BytesIO(painted_over(out.getvalue(), [(5, 2, 10, 6)])))
    assert picture.size == (20, 10)
    inside = sum(picture.getpixel((x, y)) == MASK_COLOR for x in range(20) for y in range(10))
    assert inside == 5 * 4
    assert picture.getpixel((4, 2)) == (1, 2, 3)


def test_notes_count_exactly_and_name_a_few() -> None:
    names = tuple(f"x-{index:02}" for index in range(20))
    (note,) = not_held("dom", closed=names, left_out=1, frames=("about:blank", "about:blank"))
    assert note == (
        "dom does not hold the content of 20 closed shadow roots (x-00, x-01, x-02, x-03, x-04, x-05, x-06, "
        "x-07 and 12 more), 1 open shadow root and 2 child frames (about:blank)."
    )
    assert not_held("dom", closed=(), left_out=0, frames=()) == ()
    assert not_held("dom", closed=None, left_out=0, frames=()) == (
        "Whether dom leaves out closed shadow roots could not be determined.",
    )
    assert painted_over_note(1) == "screenshot has 1 region painted over that may show a secret."


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PageScriptError("SecurityError: denied"), "SecurityError: denied"),
        (
            DriverError("Locator.count: Target page, context or browser has been closed"),
            "the page was closed",
        ),
        (DriverError("Locator.count: Target crashed \nCall log:\n  - waiting"), "the page crashed"),
        (
            DriverError(
                "CDPSession.send: Protocol error (Page.x): \x1b[2mInternal error\x1b[22m\nCall log:\n - a"
            ),
            "the browser refused: Internal error",
        ),
        (DriverError(""), "the browser refused"),
        (RuntimeError("/some/path and secrets"), "reading failed (RuntimeError)"),
    ],
)
def test_reasons_are_for_reading(error: Exception, reason: str) -> None:
    assert reading_reason(error) == reason


def test_a_value_that_cannot_be_used_was_not_read() -> None:
    assert used(Got({"a": 1}), lambda value: value["a"]) == Got(1)
    assert used(NotRead("why"), len) == NotRead("why")
    lost = used(Got({"secret": 1}), lambda value: value["a"])
    assert lost == NotRead("the browser's answer could not be understood (KeyError)")
