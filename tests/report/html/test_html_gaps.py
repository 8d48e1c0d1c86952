"""What a report shows where something is null, fails or has no row, and where the list of steps is long."""

from __future__ import annotations

import dataclasses

import pytest
from playwright.async_api import expect

from rea_capture.report.html.page import html_report
from rea_capture.report.view import report_of
from tests.report.html.conftest import Opening, go, unfold
from tests.report.reported import comparison, failure, report, step
from tests.report.samples import every_null, many_steps, shop


@pytest.mark.parametrize("captures", [True, False], ids=["with captures", "without"])
async def test_whatever_may_be_null_or_empty_is_shown(opening: Opening, captures: bool) -> None:
    compared = every_null()
    if not captures:
        compared = dataclasses.replace(compared, before=None, after=None)
    opened = await opening(report_of([compared]), "#c0/s2")
    page = opened.page
    for at in range(await page.locator(".step-button").count()):
        await page.locator(".step-button").nth(at).click()
        await unfold(page)
    for tab in await page.get_by_role("tab").all():
        await tab.click()
        await expect(page.get_by_role("tabpanel")).to_be_visible()
    await go(page, "#c0/s2")
    await unfold(page)
    await expect(page.locator("[data-panel=events]")).to_contain_text("URL not in the capture")
    await expect(page.locator("[data-panel=dom]")).to_contain_text("path not in the comparison")
    await expect(page.locator(".unshown")).to_have_count(0)
    await opened.check()


async def test_a_part_that_fails_says_so_and_leaves_the_others(opening: Opening) -> None:
    file = html_report(report_of([shop()])).replace(b'"fields":[', b'"fields":null,"lost":[')
    opened = await opening(file, "#c0/s3")
    page = opened.page
    await unfold(page)
    await expect(page.locator("[data-panel=events] .unshown")).to_contain_text("could not be shown")
    await expect(page.locator(".unshown")).to_have_count(1)
    await expect(page.locator("[data-panel=dom] .line.added")).to_have_count(1)
    await expect(page.locator("[data-panel=console]")).to_be_visible()
    assert [fault for fault in opened.faults if fault.startswith("error: ")]
    with pytest.raises(AssertionError):
        await opened.check()


async def test_a_step_is_marked_without_moving_the_page(opening: Opening) -> None:
    opened = await opening(many_steps(), "#c0/s150")
    page = opened.page
    assert await page.evaluate("scrollY") == 0
    await expect(page.locator("[data-step='149']")).to_be_in_viewport()
    await expect(page.locator("header .verdict")).to_be_in_viewport()
    await expect(page.locator("[data-step='149'] .cell[title='DOM: changed']")).to_have_text("DOM")
    await opened.check()


async def test_what_is_unknown_without_a_row_is_told_with_and_without_scripts(opening: Opening) -> None:
    evidence = comparison(step("cart"), failures=[failure(reason="It is only before.")])
    nothing_said = comparison(step("cart"), status="unknown")
    file = html_report(report(evidence, nothing_said))
    words = (("It is only before.", "with the same scenario"), ("No difference was found", "whole"))
    opened = await opening(file, java_script_enabled=False)
    for reason, recovery in words:
        row = opened.page.locator("main table tr", has_text=reason)
        await expect(row).to_contain_text(recovery)
    for number, (reason, recovery) in enumerate(words):
        opened = await opening(file, f"#c{number}/unknown")
        await expect(opened.page.get_by_role("tabpanel")).to_contain_text(reason)
        await expect(opened.page.locator(".recovery")).to_contain_text(recovery)
        await opened.check()
