"""What a capture tells becomes records; while it tells nothing, a heartbeat says what it is at."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from rea_capture.capture.progress import StepFinished, StepStarted, Waiting
from rea_capture.cli.line_writer import LineWriter
from rea_capture.cli.output import Output
from rea_capture.cli.telling import HEARTBEAT_INTERVAL_S, Teller
from rea_capture.contracts.capture import Completeness
from rea_capture.contracts.reading import read_scenario
from tests import builders
from tests.browser.capture.conftest import pause, scenario_document

SCENARIO = read_scenario(
    json.dumps(scenario_document("http://127.0.0.1:9/", [pause("a"), pause("b")])).encode()
)
WAIT_S = 20.0


class Kept(LineWriter):
    """Lines that are kept instead of written."""

    def __init__(self) -> None:
        super().__init__(Output(None, on_terminal=False, as_json=True, path=None))
        self.records: list[dict[str, Any]] = []
        self.came = asyncio.Event()

    def put(self, line: bytes) -> None:
        self.records.append(json.loads(line))
        self.came.set()

    def offer(self, notice: bytes) -> None:
        self.put(notice)

    async def until(self, count: int) -> None:
        """Wait until there are ``count`` records."""
        async with asyncio.timeout(WAIT_S):
            while len(self.records) < count:
                self.came.clear()
                await self.came.wait()


def finished(index: int) -> StepFinished:
    return StepFinished(
        step_index=index,
        action_count=2,
        step_id="ab"[index - 1],
        action="wait_for_timeout",
        status="failed",
        error="it did not",
        elapsed_ms=7,
        artifacts=builders.artifacts(dom=builders.text("<p>x"), url=builders.missing("gone")),
        completeness=Completeness.of({"action", "url"}, set()),
    )


async def test_while_nothing_happens_a_heartbeat_says_what_is_under_way_and_for_how_long() -> None:
    lines = Kept()
    teller = Teller(lines, heartbeat_interval_s=0.02)
    teller.scenario_read(SCENARIO)
    await lines.until(3)
    teller.tell(StepStarted(1, 2, "a", "wait_for_timeout"))
    before = len(lines.records)
    await lines.until(before + 2)
    started, *beats = lines.records
    assert started["heartbeat_interval_ms"] == 20
    starting = [beat for beat in beats if beat["activity"] == "starting"]
    assert [beat["activity_ms"] >= 20 * times for times, beat in enumerate(starting, 1)] == [True] * len(
        starting
    )
    assert all(beat["step_id"] is None and beat["step_index"] is None for beat in starting)
    step = beats[len(starting) :]
    assert {(beat["activity"], beat["step_id"], beat["step_index"]) for beat in step} == {("step", "a", 1)}
    assert step[0]["activity_ms"] < step[1]["activity_ms"] < step[2]["activity_ms"]
    assert [beat["elapsed_ms"] for beat in beats] == sorted(beat["elapsed_ms"] for beat in beats)


async def test_news_takes_the_place_of_a_heartbeat() -> None:
    lines = Kept()
    teller = Teller(lines)
    teller.scenario_read(SCENARIO)
    teller.tell(Waiting("the page is in use"))
    teller.tell(StepStarted(1, 2, "a", "wait_for_timeout"))
    teller.tell(finished(1))
    await asyncio.sleep(0)
    kinds = [(record["kind"], record.get("activity")) for record in lines.records]
    assert kinds == [("started", None), ("progress", "waiting"), ("progress", "step"), ("step", None)]
    assert lines.records[0]["heartbeat_interval_ms"] == HEARTBEAT_INTERVAL_S * 1000
    assert lines.records[1]["sentence"] == "the page is in use"


async def test_after_a_step_has_ended_the_heartbeat_is_about_the_end() -> None:
    lines = Kept()
    teller = Teller(lines, heartbeat_interval_s=0.02)
    teller.scenario_read(SCENARIO)
    teller.tell(finished(2))
    await lines.until(3)
    assert (lines.records[-1]["activity"], lines.records[-1]["step_id"]) == ("finishing", None)


async def test_a_step_has_the_states_of_its_artifacts_and_digests_for_bytes() -> None:
    lines = Kept()
    teller = Teller(lines)
    teller.tell(finished(1))
    [step] = lines.records
    dom = builders.text("<p>x").value
    assert step["artifacts"]["dom"] == {"state": "captured", "bytes": 4, "sha256": dom.sha256}
    assert step["artifacts"]["url"] == {"state": "missing", "reason": "gone"}
    assert step["artifacts"]["screenshot"] == {"state": "not_requested"}
    assert step["completeness"]["missing_sections"] == ["action", "url"]
    assert (step["error"], step["status"]) == ("it did not", "failed")
