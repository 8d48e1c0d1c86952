"""Captures of a hostile page: nothing of them runs, styles or loads, and the report stays readable."""

from __future__ import annotations

import dataclasses

import pytest
from playwright.async_api import expect

from rea_capture import compare
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.explanation import AnyExplanation, TextExplanation
from rea_capture.report.html.page import html_report
from rea_capture.report.view import Compared, report_of
from tests import builders
from tests.report.html.conftest import MARKER, Opening, go, unfold
from tests.report.reported import (
    compared,
    comparison,
    events_explanation,
    everything_in,
    text_diff,
    value_explanation,
)
from tests.report.samples import text_explanation, with_explanations

RUN = f"window.{MARKER}=1"
HOSTILE = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"<!--<script>{RUN}</script>-->",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}><script>{RUN}</script></svg>",
    "<style>*{display:none!important}</style>",
    f'" autofocus onfocus="{RUN}" x="',
    f"javascript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    f"<iframe srcdoc='<script>parent.{MARKER}=1</script>'>",
    "<base href=//evil.test><link rel=stylesheet href=//evil.test>",
    "<meta http-equiv=refresh content=0;url=//evil.test>",
    f"${{{RUN}}} {{{{constructor.constructor('{RUN}')()}}}} $title",
    "</noscript></title></style></textarea><h1>mine</h1>",
    "\u202egnp.exe\u202c \u2066\u2067\u061c \u200b\ufeff\u2028\u2029 \x00\x07\x1b[31m\x7f\x85",
    "I\u0307\u0301\u0302\u0303" * 40,
    "\U000e0041\U000e0042",
)  # fmt: skip
LONG = "x" * 1_000_000
LINES = 10_000


def hostile() -> Compared:
    """A comparison that says all of this wherever one may say what was captured."""
    return compared(everything_in(" ".join(HOSTILE)), name=HOSTILE[1])


def captured_hostile() -> Compared:
    """Captures of a page that says it."""

    def capture(extra: str) -> CaptureResult:
        said = [builders.console(text, 1, level=text[:60]) for text in HOSTILE]
        errors = [builders.page_error(text, 1) for text in HOSTILE]
        addresses = [
            *(f"http://{text[:5]}.test/{text}" for text in ("<script>", '"onload="')), *HOSTILE[7:9],
        ]  # fmt: skip
        requests = [
            event
            for number, address in enumerate(addresses, 1)
            for event in builders.transaction(number, 1, address=address)
        ]
        step = builders.step(
            "first",
            1,
            after=addresses[0],
            status="failed",
            error=" ".join(HOSTILE),
            dom=builders.text("\n".join([*HOSTILE, extra])),
            storage=builders.storage(cookies=HOSTILE[:3], **{HOSTILE[0]: extra}),
        )
        return builders.capture(
            [builders.start(), step], [*said, *errors, *requests], limitations=HOSTILE, product=HOSTILE[0],
        )  # fmt: skip

    one, other = capture("a"), capture("b")
    found: dict[tuple[str, str], AnyExplanation] = {
        ("first", "dom"): text_explanation("\n".join([*HOSTILE, "a"]), "\n".join([*HOSTILE, "b"])),
        ("first", "storage"): value_explanation(HOSTILE[0], HOSTILE[1]),
        ("first", "events"): events_explanation(HOSTILE[2], HOSTILE[3], HOSTILE[4]),
    }
    evidence = compare(one, other)
    changed: set[tuple[str, str]] = {
        (step.step_id, row.artifact)
        for step in evidence.normalized_result.steps
        for row in step.artifact_diffs
        if row.status == "changed"
    }
    kept: dict[tuple[str, str], AnyExplanation] = {
        key: explanation for key, explanation in found.items() if key in changed
    }
    return Compared(with_explanations(evidence, kept), one, other, HOSTILE[2])


async def test_nothing_that_was_captured_runs_styles_or_loads(opening: Opening) -> None:
    opened = await opening(report_of([hostile(), captured_hostile()]))
    page = opened.page
    for number in (0, 1):
        await go(page, f"#c{number}/s1")
        steps = page.locator(".step-button")
        await expect(steps.first).to_be_visible()
        for at in range(await steps.count()):
            await steps.nth(at).click()
            await unfold(page)
            for button in await page.locator(".rest button, .more > button").all():
                await button.click()
        for tab in await page.get_by_role("tab").all():
            await tab.click()
            await expect(page.get_by_role("tabpanel")).to_be_visible()
    assert await page.locator("script:not([type])").count() == 1
    for name in ("iframe", "svg", "base", "link", "object", "embed", "style:not(head > style)"):
        assert await page.locator(name).count() == 0
    links = await page.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert all(link.startswith("#") for link in links)
    await opened.check()


async def test_markup_that_got_into_the_file_would_be_noticed_and_refused(opening: Opening) -> None:
    file = html_report(report_of([hostile()]))
    for markup in (HOSTILE[0], HOSTILE[3], HOSTILE[5], "<img src=http://127.0.0.1:9/x.png>"):
        opened = await opening(file.replace(b"<noscript>", markup.encode() + b"<noscript>"))
        with pytest.raises(AssertionError):
            await opened.check()
        assert await opened.page.evaluate(f"window.{MARKER}") is None


async def test_the_tables_without_scripts_are_as_safe(opening: Opening) -> None:
    opened = await opening(report_of([hostile(), captured_hostile()]), java_script_enabled=False)
    page = opened.page
    await expect(page.locator("main table")).to_contain_text("<script>")
    assert await page.locator("h1").count() == 1
    for name in ("iframe", "svg", "img", "style:not(head > style)"):
        assert await page.locator(name).count() == 0
    assert opened.faults == []


async def test_signs_that_are_not_seen_are_shown(opening: Opening) -> None:
    opened = await opening(report_of([captured_hostile()]), "#c0/s2")
    page = opened.page
    messages = page.locator("[data-panel=console] .side").first.locator(".message")
    shown = await messages.filter(has_text="gnp.exe").first.inner_text()
    for code in ("202e", "202c", "2066", "061c", "200b", "feff", "2028", "0000", "001b", "007f", "0085"):
        assert f"\\u{code}" in shown
    assert "\u202e" not in await page.locator("body").inner_text()
    title = await page.title()
    assert "\x00" not in title
    direction = await messages.locator("bdi").first.evaluate("one => getComputedStyle(one).unicodeBidi")
    assert direction == "isolate"
    await opened.check()


async def test_ten_thousand_console_lines_come_in_pages(opening: Opening) -> None:
    def capture(extra: str) -> CaptureResult:
        lines = [builders.console(f"line {number} {extra}", 1) for number in range(LINES)]
        return builders.capture([builders.start(), builders.step("noisy", 1)], lines)

    one, other = capture("a"), capture("b")
    opened = await opening(report_of([Compared(compare(one, other), one, other, "noisy.json")]), "#c0/s2")
    page = opened.page
    await unfold(page)
    before = page.locator("[data-panel=console] .side").first
    await expect(before.locator(".message")).to_have_count(200)
    await expect(before.locator(".place")).to_have_text("1 to 200 of 10,000")
    await before.get_by_role("button", name="Next").click()
    await expect(before.locator(".message").first).to_contain_text("line 200")
    await expect(before.locator(".message")).to_have_count(200)
    await expect(page.locator("#said")).to_contain_text("201 to 400 of 10,000")
    await opened.check()


async def test_a_line_of_a_megabyte_is_cut_and_shown_in_pieces(opening: Opening) -> None:
    def capture(extra: str) -> CaptureResult:
        return builders.capture(
            [builders.start(), builders.step("long", 1, dom=builders.text(LONG + extra))],
            [builders.console(LONG + extra, 1), builders.page_error(f"{extra} {LONG}", 1)],
        )

    one, other = capture("a"), capture("b")
    explanation = TextExplanation(
        diff=dataclasses.replace(text_diff(("-", LONG + "a"), ("+", LONG + "b"))),
        elements=None,
        split="lines",
        summary=LONG,
    )
    evidence = with_explanations(compare(one, other, explain=False), {("long", "dom"): explanation})
    opened = await opening(report_of([Compared(evidence, one, other, "long.json")]), "#c0/s2")
    page = opened.page
    await unfold(page)
    message = page.locator("[data-panel=console] .message").first
    assert len(await message.locator(".captured.code").first.inner_text()) == 2_000
    more = message.locator(".rest").first
    await expect(more).to_contain_text("more characters are not in this report")
    await more.get_by_role("button").click()
    assert len(await message.locator(".captured.code").first.inner_text()) == 18_000
    assert len(await page.locator("body").inner_text()) < 120_000
    size = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert size[0] <= size[1]
    await opened.check()


async def test_names_of_steps_that_are_markup_are_names(opening: Opening) -> None:
    opened = await opening(report_of([hostile()]))
    await expect(opened.page.locator("#step-title")).to_contain_text("<img src=x onerror=")
    await expect(opened.page.locator("#comparison-title")).to_contain_text("</script><script>")
    await opened.check()


def test_captured_text_is_in_the_file_only_in_escaped_form() -> None:
    file = html_report(report_of([hostile(), captured_hostile()])).decode("utf-8")
    for text in HOSTILE[:12]:
        assert text not in file or "<" not in text
    assert file.count("<script>") == 1
    assert file.count("</script>") == file.count("<script")
    assert "<!--" not in file
    for sign in "\u202e\u2066\u2028\u2029\x00\x07\x1b":
        markup = file.partition("<!doctype")[2].partition('<script type="application/json"')[0]
        assert sign not in markup


def test_a_name_that_is_no_text_is_shown_all_the_same() -> None:
    file = html_report(report_of([compared(comparison(), name="\udcff\ud800.json")]))
    assert b"??.json" in file
