"""A large report: forty comparisons with two hundred changed artifacts, for tests and for the bench."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
from PIL import Image

from rea_capture import compare
from rea_capture.contracts.artifacts import CapturedScreenshot, Screenshot
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.explanation import AnyExplanation
from rea_capture.report.view import Compared, Report, report_of
from tests import builders
from tests.report.samples import page_text, pixel_explanation, text_explanation, with_explanations


def screen(seed: int, size: tuple[int, int] = (1280, 720)) -> CapturedScreenshot:
    """A screenshot with some photographs, of about a quarter of a megabyte."""
    random = np.random.default_rng(seed)
    pixels = np.full((size[1], size[0], 3), 250, np.uint8)
    for _ in range(40):  # words
        x, y = random.integers(0, size[0] - 200), random.integers(0, size[1] - 12)
        pixels[y : y + 10, x : x + 180 : 3] = random.integers(0, 120)
    x, y = random.integers(0, size[0] - 340), random.integers(0, size[1] - 260)
    pixels[y : y + 250, x : x + 330] = random.integers(0, 255, (250, 330, 3))
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG", compress_level=1)
    return CapturedScreenshot(value=Screenshot.of(data.getvalue()))


def compared(number: int, steps: int = 5) -> Compared:
    """A comparison of which each step changed: of five, one picture, three documents, one list of events."""

    def capture(side: int) -> CaptureResult:
        price = f"{number}.{side}0"
        made = [
            builders.step("shot", 1, screenshot=screen(2 * number + side)),
            *(builders.step(f"dom-{at}", at, dom=builders.text(page_text(price, 400))) for at in range(2, 5)),
            builders.step("events", 5),
        ]
        events = [
            event
            for at in range(1, 200)
            for event in builders.transaction(at, 5, address=f"/{at}?{side if at == 7 else 0}")
        ]
        return builders.capture([builders.start(), *made], events)

    before, after = capture(0), capture(1)
    text = text_explanation(page_text(f"{number}.00", 400), page_text(f"{number}.10", 400))
    found: dict[tuple[str, str], AnyExplanation] = {(f"dom-{at}", "dom"): text for at in range(2, 5)}
    found["shot", "screenshot"] = pixel_explanation((1280, 720))
    evidence = compare(before, after, explain=False)  # what was found is what it will say
    return Compared(with_explanations(evidence, found), before, after, f"comparison-{number}.json")


@cache
def large() -> Report:
    """Forty comparisons with two hundred changed artifacts."""
    report = report_of(compared(number) for number in range(40))
    assert report.counts.changed == 200
    return report
