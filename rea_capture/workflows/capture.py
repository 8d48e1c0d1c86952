"""Capturing: a scenario in, Evidence out.

    1. Take the secrets and name the executable; nothing is guessed.
    2. Start driver and browser, or attach to a running one; prepare it, run the steps.
    3. Close the browser, or leave it as it was, whatever happened.
    4. Seal what was seen. A stop at any moment leads here too, with what there is.

Below: browser, capture, evidence, redaction. Above: the command line and the Python API.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rea_capture.browser.connect.limitations import ATTACHED_LIMITATIONS
from rea_capture.browser.discovery import EXECUTABLE_VARIABLE
from rea_capture.capture.completeness import union
from rea_capture.capture.finishing import finished
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.recorder import EventRecorder
from rea_capture.capture.runner import ScenarioRunner
from rea_capture.capture.stop import Stop, StoppedError
from rea_capture.capture.unstarted import steps_not_started
from rea_capture.contracts.capture import BrowserRecord, CaptureResult, ScenarioRecord, Step
from rea_capture.contracts.evidence import CaptureEvidence, CaptureParameters, DeclaredAction, DeclaredSecret
from rea_capture.contracts.scenario import LaunchBrowser, Scenario
from rea_capture.contracts.urls import ObservedUrl, observed_url
from rea_capture.errors import UnavailableError
from rea_capture.evidence import seal_capture
from rea_capture.redaction import Redactor
from rea_capture.workflows.notices import Notice
from rea_capture.workflows.secrets import resolve_secrets, value_resolver

if TYPE_CHECKING:
    from playwright.async_api import Playwright

    from rea_capture.browser.connect.session import AttachedSession
    from rea_capture.browser.launch import BrowserIdentity
    from rea_capture.browser.session import Session


async def start_driver() -> Playwright:
    """Start the browser driver, so that it boots while the scenario is being read."""
    from rea_capture.browser.driver_process import start_driver as start  # noqa: PLC0415 - brings Playwright

    return await start()


async def capture(
    scenario: Scenario,
    *,
    executable_path: str | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
    stop: Stop | None = None,
    driver: Awaitable[Playwright] | None = None,
) -> CaptureEvidence:
    """Run ``scenario`` and return its Evidence.

    ``executable_path`` is used when the scenario names none, else ``REA_EXECUTABLE_PATH`` of
    ``environ`` (the process's own by default), from which secrets are taken too; a scenario that attaches
    to a running browser needs none. ``progress`` gets one sentence a step, and a :class:`Notice` when the
    page is in use and has to be waited for. ``stop`` ends the run early and still returns what was seen.
    ``driver`` is a driver being started by the caller, which is stopped here.

    Raises :class:`UnavailableError` when browser, page, executable or a secret is not available. A failed
    action or an unreachable start page is no error: it is in the Evidence.

    A caller that is cancelled gets its ``CancelledError`` when browser, profile and driver are gone, which
    takes a moment, and ten seconds at most.
    """
    environ = os.environ if environ is None else environ
    async with AsyncExitStack() as stack:
        starting = asyncio.ensure_future(driver if driver is not None else start_driver())
        stack.push_async_callback(lambda: finished(_stop_driver(starting)))
        run = _CaptureRun.prepare(scenario, executable_path, environ, progress or _silent, stop or Stop())
        await run.run(starting)
    return run.sealed()


def capture_sync(
    scenario: Scenario,
    *,
    executable_path: str | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> CaptureEvidence:
    """:func:`capture` for programs without an event loop."""
    return asyncio.run(capture(scenario, executable_path=executable_path, environ=environ, progress=progress))


def _silent(_: str) -> None:
    """Progress that nobody asked for."""


async def _stop_driver(starting: asyncio.Future[Playwright]) -> None:
    starting.cancel()
    outcome = (await asyncio.gather(starting, return_exceptions=True))[0]
    if not isinstance(outcome, BaseException):
        from rea_capture.browser.driver_process import stop_driver  # noqa: PLC0415 - brings Playwright

        await stop_driver(outcome)


def named_executable(scenario: Scenario, outside: str | None, environ: Mapping[str, str]) -> str:
    """The executable the request means. Raises :class:`UnavailableError` when nobody names one."""
    inside = scenario.browser.executable_path if isinstance(scenario.browser, LaunchBrowser) else None
    path = inside or outside or environ.get(EXECUTABLE_VARIABLE)
    if not path:
        raise UnavailableError(
            "no browser is named: set browser.executable_path in the scenario, pass --executable-path, or "
            f"set {EXECUTABLE_VARIABLE}; `rea doctor` lists the browsers found"
        )
    return path


@dataclass(slots=True)
class _CaptureRun:
    """One run, from preparation to its sealed result."""

    scenario: Scenario
    executable_path: str | None
    """None for a browser that is attached to."""
    environ: Mapping[str, str]
    secrets: Mapping[str, str]
    redactor: Redactor
    limitations: Limitations
    recorder: EventRecorder
    progress: Callable[[str], None]
    stop: Stop
    started_at: datetime
    started: float
    identity: BrowserIdentity | None = None
    steps: tuple[Step, ...] = ()

    @classmethod
    def prepare(
        cls,
        scenario: Scenario,
        executable_path: str | None,
        environ: Mapping[str, str],
        progress: Callable[[str], None],
        stop: Stop,
    ) -> _CaptureRun:
        executable = None
        if isinstance(scenario.browser, LaunchBrowser):
            executable = named_executable(scenario, executable_path, environ)
            browser = scenario.browser.model_copy(update={"executable_path": executable})
            scenario = scenario.model_copy(update={"browser": browser})
        secrets = resolve_secrets(scenario, environ)
        redactor = Redactor(secrets)
        limitations = Limitations(redactor)
        for sentence in () if executable else ATTACHED_LIMITATIONS:
            limitations.add(sentence)
        for secret_id in redactor.short_secret_ids:
            limitations.add(
                f"Secret {secret_id!r} is short; text that holds it by chance was redacted as well, and a "
                "change inside such text may not show."
            )
        selection = scenario.capture.record()
        if secrets and "screenshot" in (*selection.after_each_step, *selection.at_end):
            limitations.add(
                "Screenshots are painted over where the text or the value of an element shows a secret; what "
                "is drawn (pictures, canvases, copies in SVG, letters in another order) was not looked into."
            )
        recorder = EventRecorder(
            families=selection.events,
            limits=selection.limits,
            content=selection.network,
            redactor=redactor,
            limitations=limitations,
        )
        return cls(
            scenario=scenario,
            executable_path=executable,
            environ=environ,
            secrets=secrets,
            redactor=redactor,
            limitations=limitations,
            recorder=recorder,
            progress=progress,
            stop=stop,
            started_at=datetime.now(UTC),
            started=time.monotonic(),
        )

    async def run(self, starting: asyncio.Future[Playwright]) -> None:
        """Run the steps; a stop before the first leaves them not executed."""
        async with AsyncExitStack() as stack:
            try:
                playwright = await self.stop.guard(_awaited(starting))
                session = await self.stop.guard(stack.enter_async_context(self._session(playwright)))
            except StoppedError as stopped:
                self.recorder.end_observation()
                self.steps = steps_not_started(self.scenario, f"the capture was stopped ({stopped})")
                return
            self.identity = session.identity
            runner = ScenarioRunner(
                self.scenario.actions,
                self.scenario.capture,
                session.driver,
                self.recorder,
                self.limitations,
                self.stop,
                self.progress,
            )
            self.steps = await runner.run()

    def _session(self, playwright: Playwright) -> AbstractAsyncContextManager[Session | AttachedSession]:
        """A browser of our own, or a page of one that is running."""
        resolve = value_resolver(self.secrets)
        if self.executable_path is None:
            from rea_capture.browser.connect.session import attached_session  # noqa: PLC0415 - brings Playwright

            return attached_session(
                playwright,
                self.scenario,
                resolve=resolve,
                redactor=self.redactor,
                recorder=self.recorder,
                limitations=self.limitations,
                tell=lambda sentence: self.progress(Notice(sentence)),
            )
        from rea_capture.browser.launch import environment_without  # noqa: PLC0415 - brings Playwright
        from rea_capture.browser.session import launched_session  # noqa: PLC0415

        names = {secret.environment_variable for secret in self.scenario.secrets}
        return launched_session(
            playwright,
            self.scenario,
            self.executable_path,
            resolve=resolve,
            redactor=self.redactor,
            recorder=self.recorder,
            limitations=self.limitations,
            environ=environment_without(self.environ, names),
        )

    def sealed(self) -> CaptureEvidence:
        """The Evidence of the run."""
        if self.stop.requested and any(step.status == "cancelled" for step in self.steps):
            self.limitations.add(f"The capture was stopped before its end ({self.stop.reason}).")
        result = self._result()
        return seal_capture(result, self._parameters(), isolation=self._isolation())

    def _isolation(self) -> str:
        if self.executable_path is None:
            return "external-browser, shared-profile, browser-sandbox-unknown"
        from rea_capture.browser.launch import sandboxed  # noqa: PLC0415 - brings Playwright

        return f"owned-temporary-profile, browser-sandbox-{'on' if sandboxed() else 'off'}"

    def _result(self) -> CaptureResult:
        scenario, selection = self.scenario, self.scenario.capture.record()
        start = self._start_url()
        events = self.recorder.events()
        finished_at = datetime.now(UTC)
        return CaptureResult(
            browser=self._browser(),
            completeness=union(step.completeness for step in self.steps),
            duration_ms=round((time.monotonic() - self.started) * 1000),
            events=events,
            finished_at=_timestamp(finished_at),
            limitations=self.limitations.sentences(),
            limits=selection.limits,
            scenario=ScenarioRecord(
                action_count=len(scenario.actions),
                environment=scenario.environment.record(),
                event_families=selection.events,
                network_content=selection.network,
                secret_references=tuple(sorted(secret.secret_id for secret in scenario.secrets)),
                start_origin=start.origin or start.url,
            ),
            started_at=_timestamp(self.started_at),
            steps=self.steps,
        )

    def _browser(self) -> BrowserRecord:
        owned = self.executable_path is not None
        return BrowserRecord(
            cleanup="terminated-owned-process" if owned else "disconnected-external",
            mode=self.scenario.browser.mode,
            process_ownership="provider-owned" if owned else "external",
            product=self.identity.product if self.identity else "unknown",
            version=self.identity.version if self.identity else "unknown",
        )

    def _parameters(self) -> CaptureParameters:
        scenario = self.scenario
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
            start_url=self._start_url(),
        )

    def _start_url(self) -> ObservedUrl:
        resolved = self.scenario.start_url.resolved(value_resolver(self.secrets))
        return observed_url(resolved, self.redactor.text)


async def _awaited(starting: asyncio.Future[Playwright]) -> Playwright:
    # Shielded: a stop must not cancel the start half-way, the exit stack stops the driver itself.
    return await asyncio.shield(starting)


def _timestamp(moment: datetime) -> str:
    """RFC 3339, UTC, milliseconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
