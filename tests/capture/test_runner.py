"""The runner, on a scripted driver: order, failures, stops, and what is read when."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rea_capture.capture.limitations import Limitations
from rea_capture.capture.progress import Progress, StepFinished
from rea_capture.capture.runner import ScenarioRunner
from rea_capture.capture.scripted import ScriptedDriver
from rea_capture.capture.stop import Stop
from rea_capture.contracts.actions import WaitForTimeout
from rea_capture.contracts.capture import Section, Step
from rea_capture.contracts.capture_selection import CaptureSelection
from rea_capture.redaction import Redactor


class CountingEvents:
    """A recorder that received two events in every step it was told of."""

    def __init__(self) -> None:
        self.last_sequence = 0
        self.begun: list[int] = []
        self.cut = ""

    def begin_step(self, step_index: int) -> None:
        self.begun.append(step_index)

    def cut_short(self, reason: str) -> None:
        self.cut = reason

    def step_sections(self, step_index: int) -> tuple[set[Section], set[Section]]:
        return (set(), {"events"}) if step_index == 1 else (set(), set())


def wait(step_id: str) -> WaitForTimeout:
    return WaitForTimeout(step_id=step_id, action="wait_for_timeout", duration_ms=1)


class Run:
    """A runner with everything around it."""

    def __init__(self, driver: ScriptedDriver, *step_ids: str, **selection: Any) -> None:
        self.driver = driver
        self.stop = Stop()
        self.events = CountingEvents()
        self.limitations = Limitations(Redactor({}))
        self.told: list[Progress] = []
        self.runner = ScenarioRunner(
            tuple(wait(step_id) for step_id in step_ids),
            CaptureSelection(**selection),
            driver,
            self.events,
            self.limitations,
            self.stop,
            self.told.append,
        )

    async def steps(self) -> tuple[Step, ...]:
        async with asyncio.timeout(10):
            return await self.runner.run()


async def test_every_action_runs_once_and_in_order_after_the_start() -> None:
    run = Run(ScriptedDriver(), "a", "b")
    steps = await run.steps()
    assert run.driver.performed == ["scenario_start", "a", "b"]
    assert [(step.step_id, step.status, step.step_index) for step in steps] == [
        ("scenario_start", "completed", 0),
        ("a", "completed", 1),
        ("b", "completed", 2),
    ]
    assert run.driver.observation == "finished"
    assert str(run.told[0]) == "step 0 of 2: scenario_start (goto_start)"


async def test_artifacts_are_read_after_each_step_and_at_the_end_as_selected() -> None:
    run = Run(ScriptedDriver(), "a", "b", after_each_step=("dom",), at_end=("url",))
    steps = await run.steps()
    assert run.driver.read_requests == [{"dom"}, {"dom"}, {"dom", "url"}]
    assert [step.artifacts.url.state for step in steps] == ["not_requested", "not_requested", "captured"]
    assert run.limitations.sentences() == ("the page is scripted (steps scenario_start, a and b).",)


async def test_a_step_that_reads_nothing_lets_the_page_settle() -> None:
    run = Run(ScriptedDriver(), "a", "b", at_end=("url",))
    await run.steps()
    assert run.driver.settled == 2
    assert run.driver.read_requests == [{"url"}]


async def test_late_events_belong_to_the_step_the_run_ended_at() -> None:
    class LateEvents(ScriptedDriver):
        async def finish_observation(self) -> None:
            run.events.last_sequence += 3

    run = Run(LateEvents(failures={"a": "no"}), "a", "b", "c", at_end=())
    steps = await run.steps()
    assert [(step.event_sequence_start, step.event_sequence_end) for step in steps] == [
        (1, 0),
        (1, 3),
        (4, 3),
        (4, 3),
    ]


async def test_after_a_failed_action_nothing_is_executed_and_the_end_is_read_where_it_failed() -> None:
    run = Run(ScriptedDriver(failures={"a": "no such element"}), "a", "b", at_end=("url", "dom"))
    start, failed, skipped = await run.steps()
    assert run.driver.performed == ["scenario_start", "a"]
    assert start.artifacts.dom.state == "not_requested"
    assert (failed.status, failed.error) == ("failed", "no such element")
    assert failed.artifacts.dom.state == "captured"
    assert (skipped.status, skipped.error) == ("cancelled", "not executed: the run ended at step a")
    assert skipped.artifacts.dom.state == "missing"
    assert skipped.completeness.missing_sections == ("action", "dom", "url")


async def test_a_start_page_that_fails_leaves_every_action_not_executed() -> None:
    run = Run(ScriptedDriver(failures={"scenario_start": "net::ERR_CONNECTION_REFUSED"}), "a")
    start, skipped = await run.steps()
    assert start.status == "failed"
    assert skipped.status == "cancelled"
    assert not skipped.completeness.equality_eligible


async def test_a_stop_cancels_the_action_under_way_and_keeps_what_was_seen() -> None:
    run = Run(ScriptedDriver(hangs=("b",)), "a", "b", "c", after_each_step=("url",))
    running = asyncio.ensure_future(run.steps())
    await run.driver.hanging.wait()
    run.stop.request("SIGTERM")
    run.stop.request("SIGINT")
    _, done, cancelled, skipped = await running
    assert done.status == "completed"
    assert (cancelled.status, cancelled.error) == ("cancelled", "the capture was stopped (SIGTERM)")
    assert cancelled.artifacts.url.state == "missing"
    assert skipped.error == "not executed: the run ended at step b"
    assert run.driver.observation == "cancelled"
    assert run.events.cut == "the capture was stopped (SIGTERM)"


async def test_a_stop_while_reading_makes_the_artifacts_missing() -> None:
    run = Run(ScriptedDriver(reading_hangs=True), "a", after_each_step=("dom",))
    running = asyncio.ensure_future(run.steps())
    await run.driver.hanging.wait()
    run.stop.request("SIGINT")
    start, skipped = await running
    assert start.status == "completed"
    assert start.artifacts.dom.state == "missing"
    assert skipped.status == "cancelled"


async def test_the_sections_of_the_recorder_are_part_of_a_steps_completeness() -> None:
    run = Run(ScriptedDriver(), "a", at_end=())
    steps = await run.steps()
    assert [step.completeness.status for step in steps] == ["complete", "truncated"]


@pytest.mark.parametrize("error", [RuntimeError("boom"), ValueError("no")])
async def test_guarded_work_raises_its_own_error(error: Exception) -> None:
    async def work() -> None:
        raise error

    with pytest.raises(type(error)):
        await Stop().guard(work())


async def test_progress_tells_of_each_executed_step_as_it_starts_and_as_it_ends() -> None:
    run = Run(ScriptedDriver(failures={"a": "no such element"}), "a", "b", after_each_step=("url",))
    steps = await run.steps()
    assert [str(news) for news in run.told] == [
        "step 0 of 2: scenario_start (goto_start)",
        "step 0 of 2: scenario_start completed",
        "step 1 of 2: a (wait_for_timeout)",
        "step 1 of 2: a failed: no such element",
    ]
    ended = [news for news in run.told if isinstance(news, StepFinished)]
    assert [news.artifacts for news in ended] == [step.artifacts for step in steps[:2]]
    assert [news.completeness for news in ended] == [step.completeness for step in steps[:2]]
