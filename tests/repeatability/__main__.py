"""Capture pages that do not change and count how often two captures differ.

``python -m tests.repeatability [--captures N] [--burners N] [--only PATTERN] [--tell]``; burners are
processes that keep the machine busy meanwhile.

Every case is a page, a click on it where it has one, and a pause, in one scenario; so that one case
does not run into the next, each starts with a ``goto``. The captures are compared one with the next.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any, Final

from rea_capture.browser.discovery import find_browser
from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.reading import read_scenario
from rea_capture.workflows.capture import capture
from tests.loopback import serving
from tests.repeatability.pages import CASES, Case, serve

FAMILIES: Final = [
    "console", "page-errors", "network", "websockets", "frames", "workers", "popups", "downloads",
]  # fmt: skip
ARTIFACTS: Final = ["dom", "url", "history", "storage"]
BURNER: Final = "while True: pass"
PAUSE_MS: Final = 400
CAPTURE_TIMEOUT_S: Final = 180
WIDTH: Final = 160
TOLD: Final = 2


@contextmanager
def burning(count: int) -> Iterator[None]:
    """Keep ``count`` processes busy with nothing until the block ends."""
    burners = [subprocess.Popen([sys.executable, "-c", BURNER]) for _ in range(count)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def scenario(urls: dict[str, str], cases: tuple[Case, ...]) -> dict[str, Any]:
    """One scenario through every case."""
    actions: list[dict[str, Any]] = []
    for case in cases:
        n = CASES.index(case)
        actions.append(
            {"step_id": f"goto-{n}", "action": "goto", "destination": {"url": urls[case.name]},
             "wait_until": "load", "timeout_ms": 30000}
        )  # fmt: skip
        if case.clicks:
            actions.append(
                {"step_id": f"click-{n}", "action": "click", "timeout_ms": 30000,
                 "locator": {"kind": "css", "selector": "#go"}}
            )  # fmt: skip
        actions.append({"step_id": f"rest-{n}", "action": "wait_for_timeout", "duration_ms": PAUSE_MS})
    return {
        "browser": {"mode": "launch"},
        "start_url": {"url": next(iter(urls.values())).rpartition("/")[0] + "/start"},
        "actions": actions,
        "capture": {
            "events": FAMILIES,
            "after_each_step": ARTIFACTS,
            "network": {"request_body": False, "response_body": False, "header_values": False},
        },
    }


def compared(first: CaptureResult, second: CaptureResult, cases: tuple[Case, ...]) -> dict[str, list[str]]:
    """What changed in each case, in words; a case that did not change is not in it."""
    changed: dict[str, list[str]] = {}
    for step in compare_captures(first, second).steps:
        kind, _, n = step.step_id.rpartition("-")
        for row in step.artifact_diffs if n else ():
            if row.status == "changed":
                changed.setdefault(CASES[int(n)].name, []).append(f"{kind}: {row.artifact}")
    return changed


def told(result: CaptureResult, case: Case) -> str:
    """What happened in ``case``, in order; of network events the requests and failures."""
    lines = []
    for step in result.steps:
        if step.step_id.rpartition("-")[2] == str(CASES.index(case)):
            lines.append(f"  [{step.step_id}] {step.after_url.url}")
            events = [event for event in result.events.items if event.step_index == step.step_index]
            lines += [f"    {in_words(event)}"[:WIDTH] for event in events if is_told(event)]
    return "\n".join(lines)


def is_told(event: AnyEvent) -> bool:
    """Whether ``event`` helps to see why two captures differ."""
    return event.kind in ("request", "request-failed") or not hasattr(event, "transaction_id")


def in_words(event: AnyEvent) -> str:
    """``event`` on a line."""
    names = ("level", "text", "message", "payload_text", "resource_type")
    said = [str(getattr(event, name)) for name in names if hasattr(event, name)]
    url = getattr(event, "url", None)
    return " ".join([event.kind, *said, url.url if url else ""])


async def captures(cases: tuple[Case, ...], count: int) -> AsyncIterator[CaptureResult]:
    """``count`` captures of every case."""
    browser = os.environ.get("REA_EXECUTABLE_PATH") or find_browser()
    with serving() as site, serving("127.0.0.2") as other:
        urls = serve(site, other)
        site.route("/case/start", "start")
        document = json.dumps(scenario(urls, cases)).encode()
        for _ in range(count):
            async with asyncio.timeout(CAPTURE_TIMEOUT_S):
                yield (await capture(read_scenario(document), executable_path=browser)).normalized_result


async def main() -> None:
    """Capture, compare each with the one before, and print how often each case changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captures", type=int, default=11)
    parser.add_argument("--burners", type=int, default=0)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--tell", action="store_true", help="print both sides of the first differences")
    options = parser.parse_args()
    cases = tuple(case for case in CASES if re.search(options.only, case.name))
    counts: Counter[str] = Counter()
    previous: CaptureResult | None = None
    with burning(options.burners):
        async for result in captures(cases, options.captures):
            changed = {} if previous is None else compared(previous, result, cases)
            counts.update(changed.keys())
            print(f"load {os.getloadavg()[0]:.1f}, {result.duration_ms} ms: {changed}", file=sys.stderr)
            for case in cases:
                if options.tell and previous and case.name in changed and counts[case.name] <= TOLD:
                    print(f"--- {case.name}\n{told(previous, case)}\n+++\n{told(result, case)}")
            previous = result
    for case in cases:
        mark = " (races)" if case.races else ""
        print(f"{counts[case.name]:3} of {options.captures - 1}  {case.name}{mark}")


asyncio.run(main())
