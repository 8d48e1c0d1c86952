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
from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from rea_capture.capture.completeness import amended
from rea_capture.capture.finishing import finished
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.progress import Tell, nobody
from rea_capture.capture.recorder import EventRecorder
from rea_capture.capture.runner import ScenarioRunner
from rea_capture.capture.stop import Stop, StoppedError
from rea_capture.capture.unstarted import steps_not_started
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.scenario import LaunchBrowser, Scenario
from rea_capture.redaction import Redactor
from rea_capture.workflows.sealing import Clock, Observed, sealed
from rea_capture.workflows.secrets import resolve_secrets
from rea_capture.workflows.ways import Attach, Instruments, Launch, way_to_browser

if TYPE_CHECKING:
    from playwright.async_api import Playwright


async def start_driver() -> Playwright:
    """Start the browser driver, so that it boots while the scenario is being read."""
    from rea_capture.browser.driver_process import start_driver as start  # noqa: PLC0415 - brings Playwright

    return await start()


async def capture(
    scenario: Scenario,
    *,
    executable_path: str | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Tell | None = None,
    stop: Stop | None = None,
    driver: Awaitable[Playwright] | None = None,
) -> CaptureEvidence:
    """Run ``scenario`` and return its Evidence.

    ``executable_path`` is used when the scenario names none, else ``REA_EXECUTABLE_PATH`` of
    ``environ`` (the process's own by default), from which secrets are taken too; a scenario that attaches
    to a running browser needs none. ``progress`` gets a record when a step starts and ends, and when the page
    is in use and has to be waited for (``capture.progress``). ``stop`` ends the run early and still returns
    what was seen. ``driver`` is a driver being started by the caller, which is stopped here.

    Raises :class:`UnavailableError` when browser, page, executable or a secret is not available. A failed
    action or an unreachable start page is no error: it is in the Evidence.

    A caller that is cancelled gets its ``CancelledError`` when browser, profile and driver are gone, which
    takes a moment, and ten seconds at most.
    """
    environ = os.environ if environ is None else environ
    async with AsyncExitStack() as stack:
        starting = asyncio.ensure_future(driver if driver is not None else start_driver())
        stack.push_async_callback(lambda: finished(_stop_driver(starting)))
        clock = Clock.start()
        way = way_to_browser(scenario, executable_path, environ)
        scenario = _as_run(scenario, way)
        instruments = _instruments(scenario, way, environ, progress or nobody)
        observed = await _observed(scenario, way, instruments, stop or Stop(), starting)
    return sealed(scenario, way, instruments, observed, clock)


def capture_sync(
    scenario: Scenario,
    *,
    executable_path: str | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Tell | None = None,
) -> CaptureEvidence:
    """:func:`capture` for programs without an event loop."""
    return asyncio.run(capture(scenario, executable_path=executable_path, environ=environ, progress=progress))


async def _stop_driver(starting: asyncio.Future[Playwright]) -> None:
    starting.cancel()
    outcome = (await asyncio.gather(starting, return_exceptions=True))[0]
    if not isinstance(outcome, BaseException):
        from rea_capture.browser.driver_process import stop_driver  # noqa: PLC0415 - brings Playwright

        await stop_driver(outcome)


def _as_run(scenario: Scenario, way: Launch | Attach) -> Scenario:
    """``scenario`` with the executable that is really started."""
    if not (isinstance(way, Launch) and isinstance(scenario.browser, LaunchBrowser)):
        return scenario
    browser = scenario.browser.model_copy(update={"executable_path": way.executable_path})
    return scenario.model_copy(update={"browser": browser})


def _instruments(
    scenario: Scenario, way: Launch | Attach, environ: Mapping[str, str], progress: Tell
) -> Instruments:
    """What the run is recorded with, and the limitations that are known before it."""
    secrets = resolve_secrets(scenario, environ)
    redactor = Redactor(secrets)
    limitations = Limitations(redactor)
    for sentence in way.limitations:
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
    return Instruments(secrets, redactor, recorder, limitations, progress)


async def _observed(
    scenario: Scenario,
    way: Launch | Attach,
    instruments: Instruments,
    stop: Stop,
    starting: asyncio.Future[Playwright],
) -> Observed:
    """Run the steps; a stop before the first leaves them not executed."""
    async with AsyncExitStack() as stack:
        try:
            playwright = await stop.guard(_awaited(starting))
            opening = stack.enter_async_context(way.session(playwright, scenario, instruments))
            session = await stop.guard(opening)
        except StoppedError as stopped:
            instruments.recorder.end_observation()
            return Observed(steps_not_started(scenario, f"the capture was stopped ({stopped})"), stop.reason)
        runner = ScenarioRunner(
            scenario.actions,
            scenario.capture,
            session.driver,
            instruments.recorder,
            instruments.limitations,
            stop,
            instruments.progress,
        )
        steps = await runner.run()
    # What a browser sent without a word shows once it has ended.
    steps = amended(steps, instruments.recorder.step_sections)
    return Observed(steps, stop.reason if stop.requested else None, session.identity)


async def _awaited(starting: asyncio.Future[Playwright]) -> Playwright:
    # Shielded: a stop must not cancel the start half-way, the exit stack stops the driver itself.
    return await asyncio.shield(starting)
