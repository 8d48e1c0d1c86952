"""The HTML report as axe sees it, on narrow and wide windows, and on paper."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from rea_capture.report.view import report_of
from tests.npm_packages import npm_file
from tests.report.html.conftest import Opening, go, unfold
from tests.report.samples import samples, shop

AXE = ("axe-core@4.14.1", "axe.min.js", "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c")
PLACES = (
    "#index",
    "#c0/s2",
    "#c0/s3",
    "#c0/s4",
    "#c0/network",
    "#c0/unknown",
    "#c0/limitations",
    "#c0/provenance",
    "#c2/s3",
)


@pytest.fixture(scope="module")
def axe(pytestconfig: pytest.Config) -> str:
    """The script of axe."""
    assert pytestconfig.cache is not None
    return npm_file(Path(pytestconfig.cache.mkdir("npm-packages")), *AXE).decode("utf-8")


async def findings(page: Page) -> list[tuple[str, str, list[str]]]:
    """What axe finds that is serious or critical, with where."""
    found: dict[str, Any] = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert found["passes"]
    return [
        (one["impact"], one["id"], [node["html"][:160] for node in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious_in_any_view(opening: Opening, axe: str, scheme: str) -> None:
    opened = await opening(samples(), color_scheme=scheme)
    page = opened.page
    await page.evaluate(axe)
    for place in PLACES:
        await go(page, place)
        await unfold(page)
        assert (place, await findings(page)) == (place, [])
        for mode in await page.locator(".modes [data-mode]").all():
            await mode.click()
            assert (place, await findings(page)) == (place, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious_in_the_window_of_keys(
    opening: Opening, axe: str, scheme: str
) -> None:
    opened = await opening(report_of([shop()]), color_scheme=scheme)
    await opened.page.keyboard.press("?")
    await opened.page.evaluate(axe)
    assert await findings(opened.page) == []


async def test_axe_does_find_what_is_serious(opening: Opening, axe: str) -> None:
    opened = await opening(report_of([shop()]))
    await opened.page.evaluate(axe)
    await opened.page.evaluate("document.querySelector('#theme').textContent = ''")
    assert [rule for _, rule, _ in await findings(opened.page)] == ["button-name"]


async def test_headings_go_down_by_one(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    page = opened.page
    await unfold(page)
    levels = await page.locator("h1:visible, h2:visible, h3:visible, h4:visible, h5:visible").evaluate_all(
        "all => all.map(one => Number(one.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for role, count in (("banner", 1), ("main", 1)):
        await expect(page.get_by_role(role)).to_have_count(count)  # type: ignore[arg-type]  # roles


@pytest.mark.parametrize("width", [360, 768, 1280, 3840])
async def test_no_window_is_too_narrow_or_too_wide(opening: Opening, width: int) -> None:
    opened = await opening(samples(), viewport={"width": width, "height": 800})
    page = opened.page
    for place in PLACES:
        await go(page, place)
        await unfold(page)
        size = await page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert (place, size[0] <= size[1]) == (place, True)
    await opened.check()


async def test_a_narrow_window_has_targets_that_a_finger_hits(opening: Opening) -> None:
    opened = await opening(
        report_of([shop()]), "#c0/s3", viewport={"width": 360, "height": 740}, has_touch=True
    )
    sizes = await opened.page.locator("button:visible, select:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 24, "smaller than WCAG 2.2 asks for (2.5.8)"


async def test_paper_has_every_difference_and_no_controls(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), color_scheme="dark")
    page = opened.page
    await page.get_by_role("tab", name="Network").click()
    await page.emulate_media(media="print")
    await expect(page.locator(".controls")).to_be_hidden()
    await expect(page.locator(".tabs")).to_be_hidden()
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    steps = page.locator(".all-steps article")
    await expect(steps).to_have_count(4)
    await expect(steps.locator(".diff .line.added").first).to_be_visible()
    await expect(steps.locator(".recovery").first).to_be_visible()
    await expect(page.locator(".tabpanel.provenance")).to_be_visible()
    assert await page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    await expect(steps).to_have_count(0)
    await expect(page.get_by_role("tab", name="Network", include_hidden=True)).to_have_attribute(
        "aria-selected", "true"
    )
    await opened.check()


async def test_a_printer_gets_a_document(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    pdf = await opened.page.pdf()
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") + pdf.count(b"/Type/Page/") >= 1
    await expect(opened.page.locator(".all-steps")).to_have_count(0)
    await opened.check()
