"""``observe`` and ``act`` of a session that is warm, against a bare driver doing the same.

Both sides have a browser of their own with the same page, are asked in turn, and are timed from the program's
side: ours through ``BrowserRuntime`` and its worker's process. The bare side does no more than what is asked
for: the snapshot with refs, the click by a ref, the fill and reading the value back. The shop's page has 63
elements that can be acted on.

Below: the package's runtime, Playwright. Above: ``__main__``.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from playwright.async_api import Page, async_playwright

from rea_capture.contracts.runtime.settings import LaunchSettings, SessionSettings
from rea_capture.session.runtime import BrowserRuntime
from tests.bench.site import served

ROUNDS_A_RUN = 10
WARM_UP = 5

Call = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Driven:
    """One operation: the medians of both sides, and of the ratio of each pair of calls."""

    name: str
    ours_s: float
    bare_s: float
    ratio: float
    pairs: int


def driven(browser: str, runs: int) -> Iterator[Driven]:
    """Each operation in turn."""
    with served() as origin:
        yield from asyncio.run(_driven(browser, origin, runs * ROUNDS_A_RUN))


async def _driven(browser: str, origin: str, rounds: int) -> list[Driven]:
    settings = SessionSettings(browser=LaunchSettings(mode="launch", executable_path=browser))
    async with async_playwright() as driver, await BrowserRuntime.open(settings) as ours:
        opened = await driver.chromium.launch(executable_path=browser, chromium_sandbox=False)
        page = await opened.new_page(viewport={"width": 1280, "height": 720})
        await page.goto(f"{origin}/")
        await ours.navigate(f"{origin}/")
        results = [await _paired(*case, rounds) for case in await _cases(ours, page)]
        await opened.close()
    return results


async def _cases(ours: BrowserRuntime, page: Page) -> list[tuple[str, Call, Call]]:
    seen = {f"{element.role} {element.name}": element.ref for element in (await ours.observe()).elements}
    snapshot = await page.aria_snapshot(mode="ai")
    values = iter(range(1_000_000))

    def ref_of(line: str) -> str:
        found = re.search(rf"{line}.*?\[ref=(\w+)\]", snapshot)
        assert found, snapshot
        return f"aria-ref={found[1]}"

    box, button = ref_of('textbox "Search"'), ref_of('button "Search"')

    async def fill_bare() -> None:
        text = f"lamp {next(values)}"
        await page.locator(box).fill(text)
        assert await page.locator(box).input_value() == text

    return [
        ("observe, 63 elements", ours.observe, lambda: page.aria_snapshot(mode="ai")),
        (
            "act: click",
            lambda: ours.act("Search", action="click", ref=seen["button Search"]),
            lambda: page.locator(button).click(),
        ),
        (
            "act: fill, and the value read back",
            lambda: ours.act("Type", action="fill", ref=seen["textbox Search"], value=f"lamp {next(values)}"),
            fill_bare,
        ),
    ]


async def _paired(name: str, ours: Call, bare: Call, rounds: int) -> Driven:
    for _ in range(WARM_UP):
        await ours()
        await bare()
    pairs = []
    for index in range(rounds):
        sides = (0, 1) if index % 2 == 0 else (1, 0)
        taken = [0.0, 0.0]
        for side in sides:
            started = time.perf_counter()
            await (ours, bare)[side]()
            taken[side] = time.perf_counter() - started
        pairs.append(taken)
    sys.stderr.write(f"{rounds} pairs {name}\n")
    ours_s, bare_s = (statistics.median(each) for each in zip(*pairs, strict=True))
    return Driven(name, ours_s, bare_s, statistics.median(a / b for a, b in pairs), rounds)


def table(results: Sequence[Driven]) -> str:
    """The results as a Markdown table."""
    rows = ["| on a warm session | ratio | ours | bare | pairs |", "| --- " * 5 + "|"]
    rows += [
        f"| {each.name} | {each.ratio:.2f} | {each.ours_s * 1e3:.1f} ms | {each.bare_s * 1e3:.1f} ms "
        f"| {each.pairs} |"
        for each in results
    ]
    return "\n".join(rows)
