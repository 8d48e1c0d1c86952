"""Large reports: how long they take to make, how large they are, how soon a browser shows them."""

from __future__ import annotations

import base64
import io
import json
import re
import time
from functools import cache

import numpy as np
import pytest
from PIL import Image
from playwright.async_api import expect

from rea_capture import compare
from rea_capture.contracts.artifacts import CapturedScreenshot, Screenshot
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.explanation import AnyExplanation
from rea_capture.report.html import pictures as pictures_module
from rea_capture.report.html.page import html_report
from rea_capture.report.html.pictures import MAX_PICTURE_BYTES, pictures
from rea_capture.report.view import Compared, Report, report_of
from tests import builders
from tests.report.html.conftest import Opening
from tests.report.samples import page_text, picture, pixel_explanation, text_explanation, with_explanations

MAX_FILE_BYTES = 15 * 1000 * 1000
MAX_MAKING_S = 5
MAX_FIRST_PAINT_MS = 1_000


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
    evidence = compare(before, after)
    return Compared(with_explanations(evidence, found), before, after, f"comparison-{number}.json")


@cache
def large() -> Report:
    """Forty comparisons with two hundred changed artifacts."""
    report = report_of(compared(number) for number in range(40))
    assert report.counts.changed == 200
    return report


def test_forty_comparisons_take_seconds_and_stay_small() -> None:
    report = large()
    times = []
    for _ in range(3):  # others may be busy on this machine; the fastest is what it takes
        began = time.perf_counter()
        file = html_report(report)
        times.append(time.perf_counter() - began)
        if times[-1] < MAX_MAKING_S:
            break
    assert len(file) < MAX_FILE_BYTES
    assert min(times) < MAX_MAKING_S
    described = json.loads(re.findall(rb'id="pictures">(.*?)</script>', file)[0])
    assert len(described) == 80
    assert {one["form"] for one in described.values()} & {"lossless", "lossy", "smaller"}


async def test_a_large_report_is_painted_within_a_second(opening: Opening) -> None:
    opened = await opening(html_report(large()))
    page = opened.page
    paint = await page.evaluate(
        "performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint').startTime"
    )
    await expect(page.locator("#index tbody tr")).to_have_count(40)
    await page.get_by_role("link", name="comparison-39.json").click()
    await expect(page.locator("[data-panel=screenshot] img")).to_have_count(2)
    await opened.check()
    assert paint < MAX_FIRST_PAINT_MS


def test_pictures_that_fit_are_the_originals_each_once() -> None:
    shot = picture("24.90")
    one = builders.capture([builders.start(screenshot=shot), builders.step(screenshot=shot)])
    [found] = pictures(report_of([Compared(compare(one, one), one, one, "x")]))
    assert (found.form, found.note, found.sha256) == ("original", None, shot.value.sha256)
    assert found.data == f"data:image/png;base64,{shot.value.data_base64}"


def two_pictures(first: CapturedScreenshot, second: CapturedScreenshot) -> Report:
    one, other = (builders.capture([builders.start(screenshot=shot)]) for shot in (first, second))
    return report_of([Compared(compare(one, other), one, other, "x")])


@pytest.mark.parametrize(
    ("percent", "form", "words"),
    [
        (90, "lossless", "the same pixels"),
        (50, "lossy", "with losses"),
        (16, "smaller", "640 by 360"),
        (6, "smaller", "320 by 180"),
        (1, "left_out", "the capture before"),
    ],
)
def test_a_picture_that_does_not_fit_is_made_smaller_and_says_so(
    monkeypatch: pytest.MonkeyPatch, percent: int, form: str, words: str
) -> None:
    shot = picture("24.90", (1280, 720)) if form == "lossless" else screen(1)
    budget = len(shot.value.data_base64) * percent // 100
    monkeypatch.setattr(pictures_module, "MAX_PICTURE_BYTES", budget)
    one = builders.capture([builders.start(screenshot=shot)])
    [found] = pictures(report_of([Compared(compare(one, one), one, one, "x")]))
    assert found.form == form
    assert found.note is not None
    assert words in found.note
    if found.data is None:
        assert shot.value.sha256 in found.note
        assert "scenario_start" in found.note
        return
    encoded = found.data.partition(",")[2]
    assert len(encoded) <= budget
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as image:
        assert image.size == (found.shown_width, found.shown_height)
        if form == "lossless":
            with Image.open(io.BytesIO(base64.b64decode(shot.value.data_base64))) as original:
                assert image.convert("RGB").tobytes() == original.convert("RGB").tobytes()


def test_changed_pictures_come_before_those_that_did_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    same, one, other = screen(1), screen(2), screen(3)
    before = builders.capture([builders.start(screenshot=same), builders.step(screenshot=one)])
    after = builders.capture([builders.start(screenshot=same), builders.step(screenshot=other)])
    report = report_of([Compared(compare(before, after), before, after, "x")])
    monkeypatch.setattr(pictures_module, "MAX_PICTURE_BYTES", len(one.value.data_base64) * 2)
    monkeypatch.setattr(pictures_module, "MAX_MADE_PIXELS", 3 * 1280 * 720)
    assert [made.form for made in pictures(report)] == ["original", "original", "left_out"]


def test_a_picture_that_is_none_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    png = bytearray(base64.b64decode(screen(1).value.data_base64))
    png[60:2000] = bytes(1940)
    broken = CapturedScreenshot(value=Screenshot.of(bytes(png)))
    monkeypatch.setattr(pictures_module, "MAX_PICTURE_BYTES", len(png))
    forms = [one.form for one in pictures(two_pictures(broken, screen(2)))]
    assert "left_out" in forms


def test_a_picture_of_too_many_pixels_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures_module, "MAX_PICTURE_BYTES", 1_000)
    monkeypatch.setattr(pictures_module, "MAX_ONE_PICTURE_PIXELS", 1_000)
    found = pictures(two_pictures(screen(1), screen(2)))
    assert {one.form for one in found} == {"left_out"}
    assert all("too many pixels" in (one.note or "") for one in found)


def test_all_pictures_stay_within_their_budget() -> None:
    assert sum(len(one.data or "") for one in pictures(large())) < MAX_PICTURE_BYTES + 80 * 40
