"""A report in a real browser, opened from disk, with everything noted that should not be."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from rea_capture.report.html.page import html_report
from rea_capture.report.view import Report

MARKER: Final = "capturedScriptRan"
"""What the scripts of hostile captures set."""

_WATCH: Final = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


@dataclass(slots=True)
class Opened:
    """A report in a page, and what the page did beside showing it."""

    page: Page
    path: Path
    faults: list[str] = field(default_factory=list)

    async def check(self) -> None:
        """Nothing was asked of a network, said in the console, refused by the policy, or run."""
        violations = await self.page.evaluate("window.violations")
        marked = await self.page.evaluate(f"String(window.{MARKER})")
        assert (self.faults, violations, marked) == ([], [], "undefined")


Opening = Callable[..., Awaitable[Opened]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(chromium_path: str) -> AsyncIterator[Browser]:
    """One browser for all tests here; the sandbox is off, for tests run as root in containers, too."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium_path, chromium_sandbox=False)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def opening(chromium: Browser, tmp_path: Path) -> AsyncIterator[Opening]:
    """Opens a report from disk in a context of its own, with the settings given."""
    opened: list[Opened] = []

    async def open_report(report: Report | bytes, hash_part: str = "", **settings: Any) -> Opened:
        path = tmp_path / f"report-{len(opened)}.html"
        path.write_bytes(report if isinstance(report, bytes) else html_report(report))
        context = await chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **settings})
        page = await context.new_page()
        one = Opened(page, path)
        opened.append(one)
        _note_faults(one)
        await page.add_init_script(_WATCH)
        await page.goto(path.as_uri() + hash_part)
        return one

    yield open_report
    for one in opened:
        await one.page.context.close()


async def unfold(page: Page) -> None:
    """Open every panel of the step that is shown."""
    await page.locator(".panel > h4 > .toggle[aria-expanded=false]").evaluate_all(
        "all => all.forEach(one => one.click())"
    )


async def go(page: Page, place: str) -> None:
    """Show ``place``, which is not what the address names now."""
    await page.evaluate(
        """place => new Promise((done) => {
          addEventListener("hashchange", () => requestAnimationFrame(() => done(null)), { once: true });
          location.hash = place;
        })""",
        place,
    )


def _note_faults(one: Opened) -> None:
    def asked(url: str) -> None:
        if url.partition("#")[0] != one.path.as_uri() and not url.startswith("data:image/"):
            one.faults.append(f"asked for {url[:100]}")

    one.page.on("request", lambda request: asked(request.url))
    one.page.on("console", lambda message: one.faults.append(f"console {message.type}: {message.text[:300]}"))
    one.page.on("pageerror", lambda error: one.faults.append(f"error: {error}"))
    one.page.on("popup", lambda popup: one.faults.append("a window was opened"))
    one.page.on("dialog", lambda dialog: one.faults.append("a dialog was opened"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what uses the browser on the loop that it lives on."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
