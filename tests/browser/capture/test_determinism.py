"""The same page captured twice is unchanged, twenty times of twenty."""

from __future__ import annotations

import asyncio
import dataclasses
import difflib
import itertools
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult
from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, RunScenario, css, literal
from tests.loopback import Answer, Loopback, Seen

PAIRS = 20
AT_ONCE = 2
"""Half of the time of a capture of this page is waiting."""
SEED_VARIABLE = "REA_TEST_SEED"
"""Set it to what a failed run printed, to have the same delays again."""

BUSY = """<!doctype html><html lang="en"><title>Busy</title><body><input id="q"><button id="go">Go</button>
<p id="out">0</p><iframe srcdoc="<p>inside"></iframe><script>
console.log('ready'); localStorage.setItem('a', '1'); document.cookie = 'seen=1';
new Worker(URL.createObjectURL(new Blob(['postMessage(1)'], {type: 'text/javascript'})));
go.onclick = async () => {
  fetch('/late').then(r => r.text()).then(() => { late = true; });
  const all = await Promise.all(Array.from({length: 40}, (_, n) => fetch('/jitter/' + n + '?v=' + q.value)));
  out.textContent = all.length; out.id = 'done';
};
</script>"""


class Chance:
    """How long the n-th answer to a request takes: by chance, and the same again for the same seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._visits: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)

    def of(self, request: Seen) -> random.Random:
        return random.Random(f"{self._seed} {request.target} {next(self._visits[request.target])}")

    def jitter(self, _: BaseHTTPRequestHandler, request: Seen) -> Answer:
        time.sleep(self.of(request).random() * 0.03)
        return Answer(request.target, "text/plain")

    def late(self, _: BaseHTTPRequestHandler, request: Seen) -> Answer:
        time.sleep(self.of(request).choice([0.05, 0.5]))
        return Answer("late", "text/plain")


@pytest.fixture
def busy(loopback: Loopback) -> str:
    seed = os.environ.get(SEED_VARIABLE) or str(random.getrandbits(32))
    print(f"{SEED_VARIABLE}={seed}")  # noqa: T201 - pytest shows it with a failure
    chance = Chance(seed)
    for n in range(40):
        loopback.route(f"/jitter/{n}", chance.jitter)
    loopback.route("/late", chance.late)
    return loopback.route("/", BUSY)


def differences(first: CaptureResult, again: CaptureResult) -> list[str]:
    """What differs, for the reader of a failure; network events are sorted, having no order."""
    before, after = (_lines(capture) for capture in (first, again))
    return [line[:400] for line in difflib.ndiff(before, after) if line[0] in "+-"]


def _lines(capture: CaptureResult) -> list[str]:
    local = ("sequence", "transaction_id", "redirected_from_transaction_id", "source_event_sequence")
    events = [
        dataclasses.replace(event, **_ones(name for name in local if getattr(event, name, None)))
        for event in capture.events.items
    ]
    network = [hasattr(event, "transaction_id") for event in events]
    lines = [f"{event}" for event, is_network in zip(events, network, strict=True) if not is_network]
    lines += sorted(f"{event}" for event, is_network in zip(events, network, strict=True) if is_network)
    return lines + [f"{step.step_id} {step.artifacts}" for step in capture.steps]


def _ones(names: Iterable[str]) -> Any:
    return dict.fromkeys(names, 1)


async def test_the_same_page_is_unchanged_every_time(run_scenario: RunScenario, busy: str) -> None:
    actions: list[dict[str, Any]] = [
        {"step_id": "type", "action": "fill", "locator": css("#q"), "value": literal("lamp")},
        {"step_id": "go", "action": "click", "locator": css("#go")},
        {"step_id": "done", "action": "wait_for", "locator": css("#done"), "timeout_ms": 20000},
        {"step_id": "settle", "action": "wait_for_timeout", "duration_ms": 600},
    ]
    selection: dict[str, Any] = {
        "at_end": ALL_ARTIFACTS,  # in between, how far the page has got is up to the page
        "events": ALL_FAMILIES,
        "network": {"request_body": True, "response_body": True, "header_values": False},
    }

    async def captured() -> CaptureResult:
        return (await run_scenario(busy, actions, capture=selection)).normalized_result

    first = await captured()
    assert first.completeness.equality_eligible, (first.completeness, first.limitations)
    for _ in range(PAIRS // AT_ONCE):
        for again in await asyncio.gather(*(captured() for _ in range(AT_ONCE))):
            comparison = compare_captures(first, again)
            rows = [(step.step_id, row) for step in comparison.steps for row in step.artifact_diffs]
            assert (comparison.overall_status, rows) == ("unchanged", []), differences(first, again)
