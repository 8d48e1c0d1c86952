"""One pass through the HTML report by keyboard only."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import Page, expect

from rea_capture.report.view import report_of
from tests.project.tree import ROOT
from tests.report.html.conftest import Opening
from tests.report.samples import samples, shop

ASSETS = ROOT / "rea_capture" / "report" / "html" / "assets"


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def focused(page: Page) -> str:
    return str(await page.evaluate("document.activeElement.textContent.trim()"))


async def test_a_reader_with_a_keyboard_gets_everywhere(opening: Opening) -> None:
    opened = await opening(samples())
    page = opened.page
    await press(page, "Tab")
    assert await focused(page) == "Skip to the comparison"
    await press(page, "Tab", "Tab", "Tab", "Tab")  # the two buttons, the table that scrolls, its first link
    assert await focused(page) == "shop.json"
    await press(page, "Enter")
    await expect(page.locator("#comparison-title")).to_be_focused()
    title = page.locator("#step-title")
    await press(page, "j")
    await expect(title).to_be_focused()
    await expect(title).to_contain_text("cart")
    await press(page, "k", "k")
    await expect(title).to_contain_text("scenario_start")
    await press(page, "n")
    await expect(title).to_contain_text("sign-in")
    await press(page, "n")
    await expect(title).to_contain_text("cart")
    assert (await focused(page)).startswith("Screenshot")
    await press(page, "n")
    assert (await focused(page)).startswith("DOM")
    await press(page, "p", "p")
    assert (await focused(page)).startswith("Events")
    await press(page, "n")
    for key, mode in (("2", "slider"), ("3", "blink"), ("4", "overlay"), ("1", "side")):
        await press(page, key)
        await expect(page.locator(f"[data-mode={mode}]")).to_have_attribute("aria-pressed", "true")
    await press(page, "Enter")
    await expect(page.locator("[data-panel=screenshot] > .body")).to_be_hidden()
    await press(page, "f")
    assert await focused(page) == "Changed"
    await press(page, "Space")
    await expect(page.locator(".step-button")).to_have_count(3)
    await press(page, "Space")
    await press(page, "Tab", "Tab", "Tab", "Tab")
    await press(page, "j", "n", "?")  # typed into the search field
    await expect(page.locator("#search")).to_have_value("jn?")
    await press(page, "Control+a", "Delete", "Tab", "Tab", "ArrowDown")  # over what the letters mean
    assert "2. sign-in" in await focused(page)
    await press(page, "End")
    assert "thanks" in await focused(page)
    for key, tab in (("w", "Network"), ("u", "Unknown (2)"), ("l", "Limitations"), ("o", "Provenance")):
        await press(page, key)
        assert await focused(page) == tab
    await press(page, "ArrowRight")
    assert await focused(page) == "Steps"
    await press(page, "ArrowLeft", "ArrowLeft", "Tab", "Tab")
    await press(page, "]")
    await expect(page.locator("#comparison-title")).to_contain_text("home.json")
    await press(page, "n")
    await expect(page.locator("#said")).to_have_text("This is the last difference.")
    await press(page, "[", "i")
    assert await focused(page) == "shop.json"
    await press(page, "t")
    await expect(page.locator("#said")).to_have_text("Dark")
    await opened.check()


async def test_the_window_of_keys_opens_closes_and_turns_them_off(opening: Opening) -> None:
    opened = await opening(report_of([shop()]))
    page = opened.page
    await press(page, "?")
    dialog = page.get_by_role("dialog", name="Keys")
    await expect(dialog).to_be_visible()
    await press(page, "Space", "Escape")  # the switch has the focus
    await expect(dialog).to_be_hidden()
    title = await page.locator("#step-title").inner_text()
    await press(page, "j", "n", "w")
    assert await page.locator("#step-title").inner_text() == title
    await opened.check()


async def test_what_has_the_focus_is_seen(opening: Opening) -> None:
    opened = await opening(report_of([shop()]), "#c0/s3")
    page = opened.page
    for _ in range(30):
        await press(page, "Tab")
        width = await page.evaluate(
            "() => { const one = document.activeElement;"
            " return one === document.body ? '3px' : getComputedStyle(one).outlineWidth; }"
        )
        assert width == "3px"
    await opened.check()


def test_every_key_that_does_something_is_in_the_window_and_in_the_documentation() -> None:
    script = (ASSETS / "keys.js").read_text("utf-8")
    keys = re.findall(r'^  \["(.)", "', script, re.MULTILINE) + re.findall(r'\], \["(.)", "', script)
    keys += re.findall(r', \["(.)", "', script)
    handled = set(re.findall(r'key === "(.)"', (ASSETS / "report.js").read_text("utf-8")))
    handled |= {"1", "2", "3", "4"} | set(re.findall(r"\b(\w): \"", script))
    assert handled <= set(keys)
    page = Path(ROOT / "docs" / "report.md").read_text("utf-8")
    assert {key for key in set(keys) if f"`{key}`" not in page} == set()
