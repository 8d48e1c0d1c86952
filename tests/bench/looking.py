"""What it takes to see a difference: explanations of large pages and pictures, and a large report.

These have no yardstick but what was promised, so they are in seconds: the median of some runs, of the wall
clock and of the processors. A run is in this process, without imports; that of a report makes the file, its
paint is that of a browser that opens it from disk.

Below: the package's explanations and reports. Above: ``__main__``.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image
from playwright.async_api import async_playwright

from rea_capture.compare.explain.pixels.pixels import pixel_explanation
from rea_capture.compare.explain.text.text import text_explanation
from rea_capture.report.html.page import html_report
from tests.compare.explain.drawn import png_of, text_page
from tests.compare.explain.large_pages import LARGE, OTHER
from tests.report.large import large

PAINT = "performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint').startTime"


@dataclass(frozen=True, slots=True)
class Looked:
    """What one thing took; ``cpu_s`` is None where it is not this process that works."""

    name: str
    wall_s: float
    cpu_s: float | None
    promised_s: float
    runs: int


def looks(folder: Path, browser: str, runs: int) -> Iterator[Looked]:
    """Each case in turn."""
    yield from _texts(runs)
    yield from _pictures(runs)
    yield from _reports(folder, browser, runs)


def _texts(runs: int) -> Iterator[Looked]:
    cases = {
        "one text changed": LARGE.replace("Item 7<", "Item seven<"),
        "2,500 texts changed": LARGE.replace("EUR", "USD"),
        "rewritten": OTHER,
    }
    for name, after in cases.items():
        explain = partial(text_explanation, LARGE, after, is_markup=True)
        yield _measured(f"explain a document of 20,000 elements, {name}", explain, 1.0, runs)


def _pictures(runs: int) -> Iterator[Looked]:
    for height, promised_s in ((720, 0.05), (20_000, 1.0)):
        page = text_page(1280, height)
        few = page.copy()
        few.paste("red", (100, 100, 200, 140))
        cases = {
            "a box changed": few,
            "another text": text_page(1280, height, seed=1),
            "every pixel changed": Image.eval(page, lambda value: 255 - value),
        }
        before = png_of(page)
        for name, after in cases.items():
            explain = partial(pixel_explanation, before, png_of(after))
            yield _measured(f"explain a picture of 1280 by {height:,}, {name}", explain, promised_s, runs)


def _reports(folder: Path, browser: str, runs: int) -> Iterator[Looked]:
    report = large()
    path = folder / "large.html"
    path.write_bytes(html_report(report))
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    name = f"report 40 comparisons with 200 changed artifacts ({size})"
    yield _measured(f"{name}, making it", partial(html_report, report), 5.0, runs)
    paints = asyncio.run(_paints(path, browser, runs))
    yield Looked(f"{name}, first paint", statistics.median(paints), None, 1.0, runs)


async def _paints(path: Path, browser: str, runs: int) -> list[float]:
    """Seconds to the first contentful paint, of a fresh browser each time."""
    paints: list[float] = []
    async with async_playwright() as driver:
        for _ in range(runs):
            opened = await driver.chromium.launch(executable_path=browser, chromium_sandbox=False)
            page = await opened.new_page()
            await page.goto(path.as_uri())
            paints.append(float(await page.evaluate(PAINT)) / 1000)
            await opened.close()
    return paints


def _measured(name: str, work: Callable[[], object], promised_s: float, runs: int) -> Looked:
    work()
    taken: list[tuple[float, float]] = []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - wall, time.process_time() - cpu))
        sys.stderr.write(".")
    sys.stderr.write(f" {name}\n")
    wall_s, cpu_s = (statistics.median(each) for each in zip(*taken, strict=True))
    return Looked(name, wall_s, cpu_s, promised_s, runs)


def table(results: Sequence[Looked]) -> str:
    """The results as a Markdown table."""
    rows = ["| to look at a difference | took | CPU | promised | runs |", "| --- " * 5 + "|"]
    rows += [
        f"| {each.name} | {each.wall_s:.3f} s | {'' if each.cpu_s is None else f'{each.cpu_s:.3f} s'} "
        f"| {each.promised_s:g} s | {each.runs} |"
        for each in results
    ]
    return "\n".join(rows)
