"""From what a run observed to its Evidence.

Below: capture, evidence. Above: ``capture``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rea_capture.capture.completeness import union
from rea_capture.contracts.capture import BrowserRecord, CaptureResult, ScenarioRecord, Step
from rea_capture.contracts.capture_evidence import (
    CaptureEvidence,
    CaptureParameters,
    DeclaredAction,
    DeclaredSecret,
)
from rea_capture.contracts.scenario import Scenario
from rea_capture.contracts.urls import ObservedUrl, observed_url
from rea_capture.evidence import seal_capture
from rea_capture.workflows.secrets import value_resolver
from rea_capture.workflows.ways import Attach, Instruments, Launch

if TYPE_CHECKING:
    from rea_capture.browser.launch import BrowserIdentity


@dataclass(frozen=True, slots=True)
class Clock:
    """When a run began: the wall clock for the reader, the monotonic one for its duration."""

    started_at: datetime
    started_s: float

    @classmethod
    def start(cls) -> Clock:
        """A run that begins now."""
        return cls(datetime.now(UTC), time.monotonic())

    def elapsed_ms(self) -> int:
        """Milliseconds since the start."""
        return round((time.monotonic() - self.started_s) * 1000)


@dataclass(frozen=True, slots=True)
class Observed:
    """What came of the steps."""

    steps: tuple[Step, ...]
    stopped: str | None
    """Why the run was stopped early; None for one that was not."""
    identity: BrowserIdentity | None = None
    """None when it was stopped before the browser had answered."""


def sealed(
    scenario: Scenario, way: Launch | Attach, instruments: Instruments, observed: Observed, clock: Clock
) -> CaptureEvidence:
    """The Evidence of a run, once nothing is recorded any more."""
    if observed.stopped is not None and any(step.status == "cancelled" for step in observed.steps):
        instruments.limitations.add(f"The capture was stopped before its end ({observed.stopped}).")
    start = _start_url(scenario, instruments)
    result = _result(scenario, way, instruments, observed, clock, start)
    return seal_capture(result, _parameters(scenario, start), isolation=way.isolation())


def _start_url(scenario: Scenario, instruments: Instruments) -> ObservedUrl:
    resolved = scenario.start_url.resolved(value_resolver(instruments.secrets))
    return observed_url(resolved, instruments.redactor.text)


def _result(
    scenario: Scenario,
    way: Launch | Attach,
    instruments: Instruments,
    observed: Observed,
    clock: Clock,
    start: ObservedUrl,
) -> CaptureResult:
    selection = scenario.capture.record()
    events = instruments.recorder.events()
    return CaptureResult(
        browser=_browser(scenario, way, observed.identity),
        completeness=union(step.completeness for step in observed.steps),
        duration_ms=clock.elapsed_ms(),
        events=events,
        finished_at=_timestamp(datetime.now(UTC)),
        limitations=instruments.limitations.sentences(),
        limits=selection.limits,
        scenario=ScenarioRecord(
            action_count=len(scenario.actions),
            environment=scenario.environment.record(),
            event_families=selection.events,
            network_content=selection.network,
            secret_references=tuple(sorted(secret.secret_id for secret in scenario.secrets)),
            start_origin=start.origin or start.url,
        ),
        started_at=_timestamp(clock.started_at),
        steps=observed.steps,
    )


def _browser(scenario: Scenario, way: Launch | Attach, identity: BrowserIdentity | None) -> BrowserRecord:
    return BrowserRecord(
        cleanup=way.cleanup,
        mode=scenario.browser.mode,
        process_ownership=way.process_ownership,
        product=identity.product if identity else "unknown",
        version=identity.version if identity else "unknown",
    )


def _parameters(scenario: Scenario, start: ObservedUrl) -> CaptureParameters:
    return CaptureParameters(
        actions=tuple(
            DeclaredAction(action=action.action, step_id=action.step_id) for action in scenario.actions
        ),
        browser_mode=scenario.browser.mode,
        capture=scenario.capture.record(),
        command_timeout_ms=scenario.command_timeout_ms,
        scenario_sha256=scenario.sha256(),
        secret_declarations=tuple(
            DeclaredSecret(environment_variable=secret.environment_variable, secret_id=secret.secret_id)
            for secret in scenario.secrets
        ),
        start_url=start,
    )


def _timestamp(moment: datetime) -> str:
    """RFC 3339, UTC, milliseconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
