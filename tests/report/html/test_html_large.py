"""Large reports stay small and usable: each picture once, and what does not fit made smaller, and said so."""

from __future__ import annotations

import base64
import io
import json
import re

import pytest
from PIL import Image
from playwright.async_api import expect

from rea_capture import compare
from rea_capture.contracts.artifacts import CapturedScreenshot, Screenshot
from rea_capture.report.html import pictures as pictures_module
from rea_capture.report.html.page import html_report
from rea_capture.report.html.pictures import MAX_PICTURE_BYTES, pictures
from rea_capture.report.view import Compared, Report, report_of
from tests import builders
from tests.report.html.conftest import Opening
from tests.report.large import large, screen
from tests.report.samples import picture

MAX_FILE_BYTES = 15 * 1000 * 1000


@pytest.fixture(scope="module")
def large_file() -> bytes:
    """The report of forty comparisons, as a file."""
    return html_report(large())


def test_forty_comparisons_stay_small(large_file: bytes) -> None:
    assert len(large_file) < MAX_FILE_BYTES
    described = json.loads(re.findall(rb'id="pictures">(.*?)</script>', large_file)[0])
    assert len(described) == 80
    assert {one["form"] for one in described.values()} & {"lossless", "lossy", "smaller"}


async def test_a_large_report_shows_each_of_its_comparisons(opening: Opening, large_file: bytes) -> None:
    opened = await opening(large_file)
    page = opened.page
    await expect(page.locator("#index tbody tr")).to_have_count(40)
    await page.get_by_role("link", name="comparison-39.json").click()
    await expect(page.locator("[data-panel=screenshot] img")).to_have_count(2)
    await opened.check()


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
