"""The pictures of the HTML report in docs/pictures: ``python -m tests.report.pictures [FOLDER]``.

Of each screen one in light and one in dark, of the demo shop before and after its deploy, and of a comparison
made by hand that has what the demo has not: something unknown.

Below: the demo, the report room, a browser. Above: the nox session ``pictures``.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Browser, async_playwright

from rea_capture import CaptureEvidence, ComparisonEvidence, read_evidence
from rea_capture.browser.discovery import EXECUTABLE_VARIABLE, find_browser
from rea_capture.report.html.page import html_report
from rea_capture.report.view import Compared, Report, report_of
from tests.demo.running import run_demo
from tests.project.tree import ROOT
from tests.report.samples import shop

SCHEMES: Final = ("light", "dark")
WIDE: Final = (1000, 640)
NARROW: Final = (360, 640)
COLOURS: Final = 256
"""Of a palette: none is more than a few steps off, and a picture takes some forty kilobytes."""


SCREENS: Final[Mapping[str, tuple[tuple[int, int], str, str]]] = {
    "index": (WIDE, "#index", ""),
    "step": (WIDE, "#c0/s14", "n"),
    "slider": (WIDE, "#c0/s14", "n2"),
    "blink": (WIDE, "#c0/s14", "n3"),
    "overlay": (WIDE, "#c0/s14", "n4"),
    "difference": (WIDE, "#c0/s14", "n1n"),
    "events": (WIDE, "#c0/s5", "n"),
    "network": (WIDE, "#c0/network", ""),
    "unknown": (WIDE, "#c2/unknown", ""),
    "limitations": (WIDE, "#c0/limitations", ""),
    "provenance": (WIDE, "#c0/provenance", ""),
    "keys": (WIDE, "#c0/s5", "?"),
    "narrow": (NARROW, "#c0/s14", "n"),
}
"""Each screen by its name: the window, the place in the report, and the keys that are pressed there."""


def demo_report(folder: Path, executable_path: str) -> Report:
    """The demo's two comparisons with their captures, and one with something unknown."""
    run = run_demo(executable_path, folder)
    documents = {name: read_evidence((run.folder / f"{name}.json").read_bytes()) for name in _DOCUMENTS}
    before, again, after = (documents[name] for name in ("before", "again", "after"))
    deploy, control = documents["comparison"], documents["control"]
    assert isinstance(before, CaptureEvidence)
    assert isinstance(again, CaptureEvidence)
    assert isinstance(after, CaptureEvidence)
    assert isinstance(deploy, ComparisonEvidence)
    assert isinstance(control, ComparisonEvidence)
    return report_of([
        Compared(deploy, before, after, "deploy.json"),
        Compared(control, before, again, "control.json"),
        shop("checkout.json"),
    ])  # fmt: skip


_DOCUMENTS: Final = ("before", "again", "after", "comparison", "control")


async def take(report: Path, folder: Path, executable_path: str) -> None:
    """Every screen of ``report`` into ``folder``, as small PNG files."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=executable_path, chromium_sandbox=False)
        for name, (size, place, keys) in SCREENS.items():
            for scheme in SCHEMES:
                path = folder / f"{name}-{scheme}.png"
                await _take_one(browser, report.as_uri() + place, keys, path, scheme, size)
        await browser.close()


async def _take_one(
    browser: Browser, address: str, keys: str, path: Path, scheme: str, size: tuple[int, int]
) -> None:
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = await context.new_page()
    await page.goto(address)
    for key in keys:
        await page.keyboard.press(key)
    await page.wait_for_function("[...document.images].every(one => one.complete && one.naturalWidth)")
    await page.screenshot(path=path, animations="disabled")
    await context.close()
    with Image.open(path) as image:
        small = image.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
    small.save(path, optimize=True)


def main() -> None:
    """Make the pictures. Raises ``SystemExit`` when there is no browser."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    executable = os.environ.get(EXECUTABLE_VARIABLE) or find_browser()
    if not executable:
        raise SystemExit(f"no Chrome-family browser found; set {EXECUTABLE_VARIABLE}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        report = Path(made) / "report.html"
        report.write_bytes(html_report(demo_report(Path(made) / "demo", executable)))
        asyncio.run(take(report, folder, executable))


if __name__ == "__main__":
    main()
