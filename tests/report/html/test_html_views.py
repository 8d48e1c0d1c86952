"""Each view of the HTML report, clicked through in a real browser."""

from __future__ import annotations

import dataclasses

import pytest
from playwright.async_api import Page, expect

from rea_capture import compare
from rea_capture.contracts.capture import CaptureResult
from rea_capture.report.view import Compared, report_of
from rea_capture.workflows.report import NamedDocument, read_report
from tests import builders
from tests.demo.running import DemoRun
from tests.report.html.conftest import Opening, unfold
from tests.report.samples import (
    BOX,
    PICTURE,
    alike,
    many_steps,
    samples,
    shop,
    text_explanation,
    with_explanations,
)


async def panel(page: Page, name: str) -> None:
    """Open a panel of the step that is shown, if it is closed."""
    toggle = page.locator(f"[data-panel={name}] > h4 > .toggle")
    if await toggle.get_attribute("aria-expanded") == "false":
        await toggle.click()


async def test_verdict_and_counts_come_first(opening: Opening) -> None:
    opened = await opening(samples())
    page = opened.page
    await expect(page).to_have_title("changed: 3 comparisons")
    await expect(page.locator("header .verdict")).to_contain_text("changed")
    await expect(page.locator("header .counts").first).to_have_text(
        "Of 3 comparisons: 2 changed and 1 unchanged."
    )
    await expect(page.locator("#index tbody tr")).to_have_count(3)
    await opened.check()


async def test_one_comparison_is_open_at_a_time(opening: Opening) -> None:
    opened = await opening(samples())
    page = opened.page
    await expect(page.locator(".comparison")).to_have_count(0)
    await page.get_by_role("link", name="shop.json").click()
    await expect(page.locator("#comparison-title")).to_be_focused()
    await expect(page.locator("#index")).to_be_hidden()
    await page.get_by_role("button", name="All comparisons").click()
    await expect(page.locator("#index")).to_be_visible()
    await expect(page.locator(".comparison")).to_have_count(0)
    await page.get_by_role("link", name="home.json").click()
    await expect(page.locator("#comparison-title")).to_contain_text("home.json")
    await page.go_back()
    await expect(page.locator(".comparison")).to_have_count(0)
    await opened.check()


async def test_a_single_comparison_is_open_at_once(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    await expect(opened.page.locator("#comparison-title")).to_contain_text("shop.json")
    await expect(opened.page.locator("#index")).to_be_hidden()
    await expect(opened.page.locator("#step-title")).to_contain_text("sign-in")
    await opened.check()


async def test_an_address_names_a_comparison_and_a_place_in_it(opening: Opening) -> None:
    opened = await opening(samples(), "#c0/s3")
    await expect(opened.page.locator("#step-title")).to_contain_text("cart")
    opened = await opening(samples(), "#c0/limitations")
    await expect(opened.page.get_by_role("tab", name="Limitations")).to_have_attribute(
        "aria-selected", "true"
    )
    opened = await opening(samples(), "#c77/s99")
    await expect(opened.page.locator("#index")).to_be_visible()
    await opened.check()


async def test_the_timeline_has_the_state_of_every_artifact(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    cart = opened.page.locator("[data-step='2']")
    states = await cart.locator(".cell").evaluate_all(
        "all => all.map(one => one.className.replace('cell ', ''))"
    )
    assert states == [
        "unchanged", "changed", "changed", "changed", "changed", "not_requested", "changed", "changed",
    ]  # fmt: skip
    await expect(cart.locator(".unseen")).to_contain_text("DOM")
    await expect(opened.page.locator("[data-step='4']")).to_contain_text("not aligned")
    await opened.check()


async def test_filters_choose_by_status_and_kind_and_say_so(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    page = opened.page
    shown = page.locator(".step-button")
    await expect(shown).to_have_count(5)
    await page.locator("[data-filter=unchanged]").click()
    await expect(shown).to_have_count(4)
    await page.locator("[data-filter=changed]").click()
    await expect(shown).to_have_count(2)
    await expect(page.locator(".steps [role=status]")).to_have_text("2 of 5 steps shown")
    await expect(page.locator("#step-title")).to_contain_text("pay")
    await page.locator("[data-filter=unknown]").click()
    await expect(shown).to_have_count(0)
    await expect(page.locator(".pane")).to_contain_text("No step is shown")
    await page.locator("[data-filter=changed]").click()
    await page.get_by_label("Artifact").select_option("dom")
    await expect(shown).to_have_count(1)
    await expect(page.locator(".pane .artifact")).to_have_count(1)
    await page.get_by_label("Artifact").select_option("")
    await page.get_by_label("Step", exact=True).fill("SIGN")
    await expect(shown).to_have_count(1)
    await opened.check()


async def test_a_text_difference_is_folded_in_context_and_unfolds(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    dom = opened.page.locator("[data-panel=dom]")
    await expect(dom.locator(".line.removed")).to_have_count(1)
    await expect(dom.locator(".line.added")).to_contain_text("Desk lamp 249.00")
    await expect(dom.locator(".line.context")).to_have_count(6)
    folds = dom.locator(".fold")
    await expect(folds).to_have_count(2)
    await expect(folds.first).to_contain_text("29 lines alike")
    await folds.first.get_by_role("button").click()
    await expect(folds).to_have_count(1)
    await expect(dom.locator(".line.context")).to_have_count(35)
    await expect(dom.locator(".line").first).to_contain_text("<main>")
    numbers = await dom.locator(".line .at:first-child").all_inner_texts()
    assert numbers[:34] == [str(number) for number in range(1, 34)] + [""]
    await opened.check()


async def test_a_difference_in_line_ends_alone_is_seen(opening: Opening) -> None:
    def capture(text: str) -> CaptureResult:
        return builders.capture([builders.start(accessibility=builders.text(text), dom=builders.text(text))])

    one, other = capture("<p>\n"), capture("<p>")
    lines = text_explanation("<p>\n", "<p>", elements=False)
    markup = dataclasses.replace(lines, split="markup")
    evidence = with_explanations(
        compare(one, other), {("scenario_start", "accessibility"): lines, ("scenario_start", "dom"): markup}
    )
    opened = await opening(report_of([Compared(evidence, one, other, "ends.json")]))
    page = opened.page
    added = page.locator("[data-panel=accessibility] .line.added")
    await expect(added).to_contain_text("\\ No line end")
    await expect(page.locator("[data-panel=dom] .line.removed .sign")).to_have_text("\u21b5")
    await expect(page.locator("[data-panel=dom] .line.added .sign")).to_have_count(0)
    await opened.check()


async def test_changed_elements_are_told_by_path(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    changes = opened.page.get_by_role("list", name="Changed elements").get_by_role("listitem")
    await expect(changes).to_have_count(3)
    await expect(changes.nth(0)).to_contain_text("main > ul > li:nth-child(31)")
    await expect(changes.nth(1)).to_contain_text("class")
    await expect(changes.nth(2)).to_contain_text("added")
    await expect(opened.page.locator("[data-panel=dom]")).to_contain_text("4 changes left out here")
    await opened.check()


async def test_screenshots_are_seen_in_four_ways(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    page = opened.page
    shots = page.locator(".shots")
    await expect(shots.locator("figure img")).to_have_count(2)
    for image in await shots.locator("img").all():
        assert await image.evaluate("one => one.naturalWidth") == PICTURE[0]
    await shots.get_by_role("button", name="Slider").click()
    slide = shots.get_by_role("slider")
    await slide.fill("20")
    layer = shots.locator(".layer")
    assert "20%" in await layer.evaluate("one => one.style.clipPath")
    await shots.get_by_role("button", name="Blink").click()
    await expect(layer).to_be_hidden()
    await expect(layer).to_be_visible()
    await shots.get_by_role("button", name="Stop").click()
    which = await shots.locator(".which").inner_text()
    await shots.get_by_role("button", name="Swap").click()
    assert {which, await shots.locator(".which").inner_text()} == {"Before", "After"}
    await shots.get_by_role("button", name="Overlay").click()
    await shots.get_by_role("slider").fill("30")
    assert await layer.evaluate("one => one.style.opacity") == "0.3"
    await expect(shots.get_by_role("button", name="Overlay")).to_have_attribute("aria-pressed", "true")
    await opened.check()


async def test_boxes_lie_on_the_regions_of_the_explanation(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    shots = opened.page.locator(".shots")
    await shots.get_by_role("button", name="Overlay").click()
    place = await shots.locator(".stage").bounding_box()
    box = await shots.locator(".region").bounding_box()
    assert place is not None
    assert box is not None
    scale = place["width"] / PICTURE[0]
    found = (box["x"] - place["x"], box["y"] - place["y"], box["width"], box["height"])
    assert [round(part / scale) for part in found] == pytest.approx(list(BOX), abs=2)
    await shots.get_by_label("Boxes").uncheck()
    await expect(shots.locator(".region")).to_have_count(0)
    await shots.locator(".toggle").click()
    await expect(shots).to_contain_text("120 \u00d7 30 at 40, 60: 3,600 changed pixels")
    await opened.check()


async def test_blinking_waits_to_be_started_where_motion_is_not_wanted(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3", reduced_motion="reduce")
    await opened.page.locator(".shots").get_by_role("button", name="Blink").click()
    await expect(opened.page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    await opened.check()


async def test_values_are_told_with_before_and_after(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    await panel(opened.page, "storage")
    storage = opened.page.locator("[data-panel=storage]")
    await expect(storage).to_contain_text("/local_storage/0")
    await expect(storage.locator("del")).to_contain_text('"a"')
    await expect(storage.locator("ins")).to_contain_text('"b"')
    await expect(storage).to_contain_text("1 change left out here")
    await opened.check()


async def test_transactions_of_a_step_are_told_field_by_field(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    await panel(opened.page, "events")
    events = opened.page.locator("[data-panel=events]")
    await expect(events).to_contain_text("status 200 → 500")
    await expect(events).to_contain_text("/api/cart?v=2")
    await expect(events.locator(".field")).to_contain_text("response status")
    await expect(events.locator(".line.added")).to_contain_text("price is odd")
    await expect(events).to_contain_text("1 transaction alike came in another order")
    await opened.check()


async def test_console_and_errors_are_beside_their_step(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    console = opened.page.locator("[data-panel=console]")
    await expect(console.locator(".toggle")).to_have_text("Console and page errors: 1 before, 3 after")
    before, after = await console.locator(".side").all()
    await expect(before.locator(".message")).to_have_count(1)
    await expect(after.locator(".message")).to_have_count(3)
    await expect(after.locator(".message.bad")).to_contain_text("no total")
    await panel(opened.page, "others")
    await expect(opened.page.locator("[data-panel=others]")).to_contain_text("frame-navigated")
    await opened.check()


async def test_the_waterfall_has_redirects_as_chains_in_order(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    page = opened.page
    await page.get_by_role("tab", name="Network").click()
    before, after = await page.locator(".tabpanel.network .side").all()
    await expect(before.locator(".transaction")).to_have_count(5)
    await expect(after.locator(".transaction")).to_have_count(6)
    chain = await after.locator(".transaction.redirected .what").all_inner_texts()
    assert [text.rpartition("/")[2] for text in chain] == ["signed-in", "welcome", "account"]
    depths = await after.locator(".transaction").evaluate_all(
        "all => all.map(one => one.style.getPropertyValue('--depth'))"
    )
    assert depths == ["0", "0", "1", "2", "3", "0"]
    await expect(page.locator(".tabpanel.network")).to_contain_text("The axis is order, not time")
    starts = await after.locator(".bar").evaluate_all(
        "all => all.map(one => parseFloat(one.style.marginLeft))"
    )
    assert starts == sorted(starts)
    await expect(after.locator(".transaction.differs")).to_have_count(2)
    await opened.check()


async def test_what_is_unknown_comes_with_what_to_do(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    page = opened.page
    await page.get_by_role("tab", name="Unknown").click()
    found = page.locator(".tabpanel.unknown")
    await expect(found.locator(".recovery").first).to_contain_text("What to do:")
    await expect(found).to_contain_text("thanks")
    await found.get_by_role("button", name="pay: Screenshot").click()
    await expect(page.locator("#step-title")).to_contain_text("pay")
    await expect(page.locator("[data-panel=screenshot] > h4 > .toggle")).to_be_focused()
    await opened.check()


async def test_limitations_of_all_three_documents_are_there(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    await opened.page.get_by_role("tab", name="Limitations").click()
    found = opened.page.locator(".tabpanel.limitations")
    for title in ("Of the comparison", "Of the capture before", "Of the capture after"):
        await expect(found.get_by_role("heading", name=title)).to_be_visible()
    await expect(found.get_by_text("The page has a frame of another origin.", exact=True)).to_be_visible()
    await opened.check()


async def test_provenance_is_copied_with_a_button(opening: Opening) -> None:
    compared = shop()
    opened = await opening(report_of([compared]), permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    await page.get_by_role("tab", name="Provenance").click()
    found = page.locator(".tabpanel.provenance")
    for text in (
        "Chromium 156.0.1.2",
        "1280 \u00d7 720",
        "2026-01-02T03:04:06.000Z",
        "as they were captured",
    ):
        await expect(found).to_contain_text(text)
    await page.get_by_role("button", name="Copy id of the comparison").click()
    await expect(page.locator("#said")).to_have_text("Copied id of the comparison.")
    assert await page.evaluate("navigator.clipboard.readText()") == compared.comparison.evidence_id
    await opened.check()


async def test_without_captures_it_shows_what_the_explanations_hold(opening: Opening) -> None:
    opened = await opening(samples(), "#c2/s3")
    page = opened.page
    await expect(page.locator("#step-title")).to_contain_text("cart")
    await expect(page.locator("[data-panel=screenshot] .region")).to_have_count(1)
    await expect(page.locator("[data-panel=screenshot]")).to_contain_text("not at hand")
    await expect(page.locator("[data-panel=dom] .line.added")).to_have_count(1)
    await expect(page.locator("[data-panel=dom] .fold")).to_contain_text("29 lines alike")
    for tab, words in (
        ("Network", "not at hand"),
        ("Limitations", "not at hand"),
        ("Provenance", "not at hand"),
    ):
        await page.get_by_role("tab", name=tab).click()
        await expect(page.get_by_role("tabpanel")).to_contain_text(words)
    await opened.check()


async def test_two_captures_that_are_alike_show_one_picture(opening: Opening) -> None:
    opened = await opening(report_of([alike()]), "#c0/s1")
    await panel(opened.page, "screenshot")
    await expect(opened.page.locator("[data-panel=screenshot] img")).to_have_count(1)
    await expect(opened.page.locator("[data-panel=screenshot]")).to_contain_text("Both captures")
    await opened.check()


async def test_panes_are_made_when_they_are_opened(opening: Opening) -> None:
    opened = await opening(many_steps())
    page = opened.page
    await expect(page.locator(".step-button")).to_have_count(200)
    await expect(page.locator("article.step")).to_have_count(1)
    await expect(page.locator(".diff")).to_have_count(1)
    ms = await page.evaluate(
        """async () => {
          const from = performance.now();
          for (const one of [...document.querySelectorAll(".step-button")].slice(0, 100)) one.click();
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return performance.now() - from;
        }"""
    )
    assert ms / 100 < 100, "a step takes longer than a tenth of a second to open"
    await opened.check()


async def test_light_and_dark_are_switched(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), color_scheme="dark")
    page = opened.page
    back = "getComputedStyle(document.documentElement).backgroundColor"
    dark = await page.evaluate(back)
    await expect(page.locator("#theme")).to_have_attribute("aria-pressed", "true")
    await page.locator("#theme").click()
    await expect(page.locator("#theme")).to_have_attribute("aria-pressed", "false")
    assert await page.evaluate(back) != dark
    await opened.check()


async def test_the_demo_shop_is_shown_from_its_documents(opening: Opening, demo_run: DemoRun) -> None:
    names = ("comparison", "control", "before", "again", "after")
    report = read_report(
        NamedDocument(f"{name}.json", (demo_run.folder / f"{name}.json").read_bytes) for name in names
    )
    opened = await opening(report, "#c0")
    page = opened.page
    await expect(page.locator("#comparison-title")).to_contain_text("comparison.json")
    for at in range(14):
        await page.locator(".step-button").nth(at).click()
        await unfold(page)
    await expect(page.locator("[data-panel=screenshot] img")).to_have_count(2)
    await expect(page.locator("[data-panel=screenshot] .region").first).to_be_visible()
    await expect(page.locator("[data-panel=dom] .line.added").first).to_contain_text("249.00")
    await expect(page.locator("[data-panel=dom]")).to_contain_text("#total")
    for tab in await page.get_by_role("tab").all():
        await tab.click()
        await expect(page.get_by_role("tabpanel")).to_be_visible()
    await page.keyboard.press("]")
    await expect(page.locator("#comparison-title")).to_contain_text("unchanged")
    await opened.check()


async def test_without_scripts_verdicts_counts_and_rows_are_there(opening: Opening) -> None:
    opened = await opening(samples(), java_script_enabled=False)
    page = opened.page
    await expect(page.locator("header .verdict")).to_contain_text("changed")
    await expect(page.locator("#index")).to_be_visible()
    await expect(page.locator("main table tbody tr").first).to_be_visible()
    await expect(page.locator("main table")).to_contain_text("1 line changed: the price.")
    assert opened.faults == []
