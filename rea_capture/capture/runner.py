"""Running the steps of a scenario, one after another, and keeping what each showed.

    1. ``scenario_start`` navigates to the start URL; each declared action follows.
    2. After each step the page gets a bounded time to settle; then the requested artifacts are read.
    3. After a step that did not complete, the rest is recorded as not executed; the artifacts
       requested at the end are read where the run ended, since that is what the end looked like.
    4. Observation stops, in-flight requests are declared unfinished, content reads drain.
    5. Only then are the step records made: events may have arrived until now.

Below: ``driver``, ``recorder``, ``completeness``, ``stop``. Above: ``workflows.capture``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol

from rea_capture.capture.completeness import artifact_sections, missing_artifacts
from rea_capture.capture.driver import ActionError, BrowserDriver
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.progress import StepFinished, StepStarted, Tell
from rea_capture.capture.stop import Stop, StoppedError
from rea_capture.contracts.actions import AnyAction
from rea_capture.contracts.artifacts import Artifacts
from rea_capture.contracts.capture import Completeness, Section, Step
from rea_capture.contracts.capture_selection import CaptureSelection
from rea_capture.contracts.selection import ArtifactName
from rea_capture.contracts.step_kinds import START_STEP_ID, ActionKind
from rea_capture.contracts.urls import ObservedUrl
from rea_capture.wording import listed

MAX_NAMED_STEPS: Final = 8
"""Step ids that one limitation names."""

StepStatus = Literal["completed", "failed", "cancelled"]


class StepEvents(Protocol):
    """What the runner needs of the event recorder."""

    @property
    def last_sequence(self) -> int: ...

    def begin_step(self, step_index: int) -> None: ...

    def cut_short(self, reason: str) -> None: ...

    def step_sections(self, step_index: int) -> tuple[set[Section], set[Section]]: ...


@dataclass(frozen=True, slots=True)
class _Draft:
    """A step as far as it is known before the last event has arrived."""

    step_id: str
    action: ActionKind
    status: StepStatus
    error: str | None
    elapsed_ms: int
    before_url: ObservedUrl
    after_url: ObservedUrl
    artifacts: Artifacts
    first_sequence: int | None
    """None for a step that was not executed: it received nothing, however late events arrive."""


class ScenarioRunner:
    """Runs one scenario once."""

    def __init__(
        self,
        actions: tuple[AnyAction, ...],
        selection: CaptureSelection,
        driver: BrowserDriver,
        recorder: StepEvents,
        limitations: Limitations,
        stop: Stop,
        progress: Tell,
    ) -> None:
        self._actions = actions
        self._selection = selection
        self._driver = driver
        self._recorder = recorder
        self._limitations = limitations
        self._stop = stop
        self._progress = progress
        self._drafts: list[_Draft] = []
        self._ended_at: str | None = None
        self._noted: dict[str, list[str]] = {}

    async def run(self) -> tuple[Step, ...]:
        """Every step's record: the start, then one per action."""
        await self._step(START_STEP_ID, "goto_start", self._driver.start)
        for action in self._actions:
            await self._step(action.step_id, action.action, partial(self._driver.perform, action))
        await self._finish_observation()
        for note, step_ids in self._noted.items():
            self._limitations.add(f"{note.rstrip('.')} ({_steps(step_ids)}).")
        after_last = self._recorder.last_sequence + 1
        firsts = [draft.first_sequence or after_last for draft in self._drafts] + [after_last]
        return tuple(
            self._record(index, draft, firsts[index], firsts[index + 1] - 1)
            for index, draft in enumerate(self._drafts)
        )

    async def _finish_observation(self) -> None:
        try:
            await self._stop.guard(self._driver.finish_observation())
        except StoppedError as stopped:
            await self._driver.cancel_observation()
            self._recorder.cut_short(f"the capture was stopped ({stopped})")

    async def _step(
        self, step_id: str, kind: ActionKind, perform: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        index = len(self._drafts)
        if self._ended_at is not None:
            self._drafts.append(self._not_executed(step_id, kind, self._requested(index)))
            return
        self._recorder.begin_step(index)
        self._progress(StepStarted(index, len(self._actions), step_id, kind))
        first_sequence = self._recorder.last_sequence + 1
        before = self._driver.url()
        started = time.monotonic()
        status, error = await self._perform(perform)
        elapsed_ms = round((time.monotonic() - started) * 1000)
        if error is not None:
            self._ended_at = step_id
        requested = self._requested(index, run_ends=error is not None)
        artifacts = await self._read(step_id, requested) if requested else await self._settle()
        after = self._driver.url()
        draft = _Draft(step_id, kind, status, error, elapsed_ms, before, after, artifacts, first_sequence)
        self._drafts.append(draft)
        self._progress(self._finished(index, draft))

    async def _perform(
        self, perform: Callable[[], Coroutine[Any, Any, None]]
    ) -> tuple[StepStatus, str | None]:
        try:
            await self._stop.guard(perform())
        except ActionError as error:
            return "failed", str(error)
        except StoppedError as stopped:
            return "cancelled", f"the capture was stopped ({stopped})"
        return "completed", None

    def _requested(self, index: int, *, run_ends: bool = False) -> frozenset[ArtifactName]:
        at_end = run_ends or index == len(self._actions)
        return frozenset((*self._selection.after_each_step, *(self._selection.at_end if at_end else ())))

    async def _read(self, step_id: str, requested: frozenset[ArtifactName]) -> Artifacts:
        try:
            reading = await self._stop.guard(self._driver.read(requested))
        except StoppedError as stopped:
            return missing_artifacts(requested, f"the capture was stopped ({stopped})")
        for note in reading.notes:
            self._noted.setdefault(note, []).append(step_id)
        return reading.artifacts

    async def _settle(self) -> Artifacts:
        """Let what the step set off be answered, as reading does; there is nothing to read."""
        with suppress(StoppedError):
            await self._stop.guard(self._driver.settle())
        return missing_artifacts((), "")

    def _not_executed(self, step_id: str, kind: ActionKind, requested: frozenset[ArtifactName]) -> _Draft:
        reason = f"not executed: the run ended at step {self._ended_at}"
        url = self._driver.url()
        return _Draft(
            step_id=step_id,
            action=kind,
            status="cancelled",
            error=reason,
            elapsed_ms=0,
            before_url=url,
            after_url=url,
            artifacts=missing_artifacts(requested, reason),
            first_sequence=None,
        )

    def _finished(self, index: int, draft: _Draft) -> StepFinished:
        return StepFinished(
            index,
            len(self._actions),
            draft.step_id,
            draft.action,
            draft.status,
            draft.error,
            draft.elapsed_ms,
            draft.artifacts,
            self._completeness(index, draft),
        )

    def _completeness(self, index: int, draft: _Draft) -> Completeness:
        missing, truncated = artifact_sections(draft.artifacts)
        missing_events, truncated_events = self._recorder.step_sections(index)
        action: set[Section] = set() if draft.status == "completed" else {"action"}
        return Completeness.of(missing | missing_events | action, truncated | truncated_events)

    def _record(self, index: int, draft: _Draft, first_sequence: int, last_sequence: int) -> Step:
        return Step(
            action=draft.action,
            after_url=draft.after_url,
            artifacts=draft.artifacts,
            before_url=draft.before_url,
            completeness=self._completeness(index, draft),
            elapsed_ms=draft.elapsed_ms,
            error=draft.error,
            event_sequence_end=last_sequence,
            event_sequence_start=first_sequence,
            status=draft.status,
            step_id=draft.step_id,
            step_index=index,
        )


def _steps(step_ids: list[str]) -> str:
    """``step_ids`` in words; of many, the first few and a count."""
    return f"{'step' if len(step_ids) == 1 else 'steps'} {listed(step_ids, MAX_NAMED_STEPS)}"
