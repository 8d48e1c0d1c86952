"""A whole Evidence document of a tab as it is now.

It is a capture of one action, ``as_it_is``, that only looks: what came before is the session's affair, and
the document says so. Two of them can be compared as any two captures can.

Below: ``payloads``, ``browser.artifacts``, ``evidence``, ``contracts``. Above: ``keeping``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

from playwright.async_api import Error, Page

from rea_capture.browser.artifacts.bounded import reading_reason
from rea_capture.browser.artifacts.reader import ArtifactReader
from rea_capture.browser.artifacts.world import PrivateWorld, ReadError, retrying
from rea_capture.browser.launch import sandboxed
from rea_capture.browser.runtime.payloads import payload_of
from rea_capture.canonical import value_sha256
from rea_capture.capture.completeness import artifact_sections, missing_artifacts, union
from rea_capture.capture.limitations import bounded_sentence
from rea_capture.contracts.artifacts import Artifacts
from rea_capture.contracts.capture import (
    BrowserRecord,
    CaptureResult,
    Completeness,
    Events,
    Omissions,
    ScenarioRecord,
    Step,
)
from rea_capture.contracts.capture_evidence import CaptureEvidence, CaptureParameters, DeclaredAction
from rea_capture.contracts.capture_selection import CaptureSelection
from rea_capture.contracts.recorded_environment import (
    MAX_SCALE_FACTOR,
    MAX_VIEWPORT_PIXELS,
    MIN_SCALE_FACTOR,
    RecordedEnvironment,
    RecordedViewport,
)
from rea_capture.contracts.runtime.results import ArtifactPayload
from rea_capture.contracts.runtime.settings import LaunchSettings, SessionSettings
from rea_capture.contracts.selection import ARTIFACT_NAMES, ArtifactName
from rea_capture.contracts.states import Missing
from rea_capture.contracts.step_kinds import START_STEP_ID, ActionKind
from rea_capture.contracts.urls import ObservedUrl, observed_url
from rea_capture.evidence import evidence_bytes, seal_capture
from rea_capture.redaction import Redactor

STEP_ID: Final = "as_it_is"
STEP_ACTION: Final[ActionKind] = "wait_for_timeout"
"""The recorded kind that does nothing to a page."""

IN_SESSION: Final = (
    "This was made in a running session: how the page came to be as it is is not part of it, and the browser "
    "was not ended after it."
)
NO_EVENTS: Final = "No events were recorded."
AS_TOLD: Final = (
    "The environment is what the page is told of it; whether service workers ran was not looked at."
)

_LARGEST: Final[tuple[ArtifactName, ...]] = ("dom", "screenshot", "accessibility", "storage", "history")
"""What may be large, in the order in which it is given up."""

_SELECTION: Final = CaptureSelection(at_end=ARTIFACT_NAMES)

_ENVIRONMENT: Final = """() => {
  const is = (query) => matchMedia(query).matches;
  return {
    color_scheme: is('(prefers-color-scheme: dark)') ? 'dark' : 'light',
    reduced_motion: is('(prefers-reduced-motion: reduce)') ? 'reduce' : 'no-preference',
    locale: navigator.language,
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    width: innerWidth, height: innerHeight, scale: devicePixelRatio,
  };
}"""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the page showed, and when."""

    artifacts: Artifacts
    notes: tuple[str, ...]
    environment: RecordedEnvironment
    url: ObservedUrl
    started_at: datetime
    elapsed_ms: int


async def full_evidence(
    page: Page,
    redactor: Redactor,
    settings: SessionSettings,
    *,
    product: str,
    version: str,
    timeout_ms: int,
    max_bytes: int,
) -> tuple[ArtifactPayload | None, tuple[str, ...]]:
    """The sealed capture Evidence of this moment as JSON, and sentences about it; None with the reason.

    What makes it larger than ``max_bytes`` (see :func:`room_left`) is missing in it, with that reason. Raises
    nothing but ``CancelledError``.
    """
    try:
        async with asyncio.timeout(2 * timeout_ms / 1_000):
            seen = await _seen(page, redactor, timeout_ms)
    except TimeoutError:
        return _none(f"the page did not answer within {2 * timeout_ms} ms", redactor)
    except (Error, ReadError) as error:
        return _none(reading_reason(error), redactor)
    browser = _browser(settings, product, version)
    for artifacts in _ever_smaller(seen.artifacts, max_bytes):
        evidence = _sealed(replace(seen, artifacts=artifacts), browser, timeout_ms)
        data = await asyncio.to_thread(evidence_bytes, evidence)
        if len(data) <= max_bytes:
            truncated = artifacts is not seen.artifacts
            return payload_of("evidence", "application/json", data, truncated=truncated), ()
    return _none(f"it would have more than {max_bytes} bytes", redactor)


async def _seen(page: Page, redactor: Redactor, timeout_ms: int) -> _Seen:
    started_at, started_s = datetime.now(UTC), time.monotonic()
    environment = await _environment(page)
    reader = await ArtifactReader.attach(page, redactor=redactor, command_timeout_ms=timeout_ms)
    try:
        reading = await reader.read(ARTIFACT_NAMES)
    finally:
        await reader.close()
    return _Seen(
        artifacts=reading.artifacts,
        notes=reading.notes,
        environment=environment,
        url=observed_url(page.url, redactor.text),
        started_at=started_at,
        elapsed_ms=round((time.monotonic() - started_s) * 1_000),
    )


async def _environment(page: Page) -> RecordedEnvironment:
    session = await page.context.new_cdp_session(page)
    try:
        world = PrivateWorld(session)
        told: dict[str, Any] = await retrying(lambda: world.call(_ENVIRONMENT))
    finally:
        with suppress(Error):
            await session.detach()
    sides = [min(max(1, round(told[side])), MAX_VIEWPORT_PIXELS) for side in ("width", "height")]
    return RecordedEnvironment(
        color_scheme=told["color_scheme"],
        locale=str(told["locale"]),
        reduced_motion=told["reduced_motion"],
        service_workers="allow",
        timezone=str(told["timezone"]),
        viewport=RecordedViewport(
            device_scale_factor=min(max(MIN_SCALE_FACTOR, told["scale"]), MAX_SCALE_FACTOR),
            height=sides[1],
            width=sides[0],
        ),
    )


def _ever_smaller(artifacts: Artifacts, max_bytes: int) -> Iterable[Artifacts]:
    """``artifacts``, then without more and more of what may be large."""
    yield artifacts
    too_large = Missing(reason=f"with it the document would have more than {max_bytes} bytes")
    for count in range(1, len(_LARGEST) + 1):
        yield replace(artifacts, **dict.fromkeys(_LARGEST[:count], too_large))


def _browser(settings: SessionSettings, product: str, version: str) -> BrowserRecord:
    ours = isinstance(settings.browser, LaunchSettings)
    return BrowserRecord(
        cleanup="terminated-owned-process" if ours else "disconnected-external",
        mode="launch" if ours else "connect",
        process_ownership="provider-owned" if ours else "external",
        product=product,
        version=version,
    )


def _sealed(seen: _Seen, browser: BrowserRecord, timeout_ms: int) -> CaptureEvidence:
    ours = browser.mode == "launch"
    isolation = (
        f"owned-temporary-profile, browser-sandbox-{'on' if sandboxed() else 'off'}"
        if ours
        else "external-browser, shared-profile, browser-sandbox-unknown"
    )
    return seal_capture(
        _result(seen, browser), _parameters(seen, browser.mode, timeout_ms), isolation=isolation
    )


def _result(seen: _Seen, browser: BrowserRecord) -> CaptureResult:
    steps = (
        _step(0, START_STEP_ID, "goto_start", seen, missing_artifacts((), "")),
        _step(1, STEP_ID, STEP_ACTION, seen, seen.artifacts),
    )
    selection = _SELECTION.record()
    return CaptureResult(
        browser=browser,
        completeness=union(step.completeness for step in steps),
        duration_ms=seen.elapsed_ms,
        events=Events(
            dropped=0,
            items=(),
            omissions=Omissions(by_kind=(), network_transaction_range=None, network_transactions=()),
            retained=0,
        ),
        finished_at=_timestamp(datetime.now(UTC)),
        limitations=(IN_SESSION, NO_EVENTS, AS_TOLD, *seen.notes),
        limits=selection.limits,
        scenario=ScenarioRecord(
            action_count=1,
            environment=seen.environment,
            event_families=selection.events,
            network_content=selection.network,
            secret_references=(),
            start_origin=seen.url.origin or seen.url.url,
        ),
        started_at=_timestamp(seen.started_at),
        steps=steps,
    )


def _step(index: int, step_id: str, action: ActionKind, seen: _Seen, artifacts: Artifacts) -> Step:
    missing, truncated = artifact_sections(artifacts)
    return Step(
        action=action,
        after_url=seen.url,
        artifacts=artifacts,
        before_url=seen.url,
        completeness=Completeness.of(missing, truncated),
        elapsed_ms=seen.elapsed_ms if index else 0,
        error=None,
        event_sequence_end=0,
        event_sequence_start=1,
        status="completed",
        step_id=step_id,
        step_index=index,
    )


def _parameters(seen: _Seen, mode: Literal["launch", "connect"], timeout_ms: int) -> CaptureParameters:
    return CaptureParameters(
        actions=(DeclaredAction(action=STEP_ACTION, step_id=STEP_ID),),
        browser_mode=mode,
        capture=_SELECTION.record(),
        command_timeout_ms=timeout_ms,
        scenario_sha256=value_sha256({"session": STEP_ID, "start_url": seen.url.url}),
        secret_declarations=(),
        start_url=seen.url,
    )


def _timestamp(moment: datetime) -> str:
    """RFC 3339, UTC, milliseconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def _none(reason: str, redactor: Redactor) -> tuple[None, tuple[str, ...]]:
    return None, (bounded_sentence(f"There is no evidence: {reason}.", redactor),)
