"""Evidence of a tab as it is: a picture, what was logged, a whole document. What cannot be had is said.

Below: ``screenshot``, ``diagnostics``, ``evidence``, ``room``. Above: ``live``.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final

from rea_capture.browser.runtime.evidence import full_evidence
from rea_capture.browser.runtime.guard import Work
from rea_capture.browser.runtime.payloads import diagnostics_payload, room_left
from rea_capture.browser.runtime.room import Room
from rea_capture.browser.runtime.screenshot import take_screenshot
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.contracts.runtime.budgets import REQUEST
from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserOperationError
from rea_capture.contracts.runtime.operations import CaptureEvidenceRequest
from rea_capture.contracts.runtime.results import (
    ArtifactPayload,
    CaptureEvidencePayload,
    Diagnostics,
    EvidenceStatus,
    Tab,
)

_Kept = tuple[ArtifactPayload | None, tuple[str, ...]]

_NOT_THERE: Final[tuple[BrowserErrorCode, ...]] = ("browser_gone", "unknown_tab")


async def kept_evidence(
    room: Room, tab: OpenTab, told: Tab, request: CaptureEvidenceRequest
) -> CaptureEvidencePayload:
    """What ``request`` includes, in the order of the kinds. Raises when the tab or the browser went away."""
    artifacts: list[ArtifactPayload] = []
    said: list[str] = []
    diagnostics: Diagnostics | None = None
    wanted = tuple(dict.fromkeys(request.include))
    if "screenshot" in wanted:
        timeout_ms = request.screenshot_timeout_ms
        taking = take_screenshot(tab.page, room.telling.redactor(), timeout_ms)
        _add(artifacts, said, await _kept(room, tab, taking, timeout_ms, "screenshot"))
    if "diagnostics" in wanted:
        payload, diagnostics = diagnostics_payload(room.diagnostics.summary(request.operation, told))
        artifacts.append(payload)
    if "evidence" in wanted:
        sealing = full_evidence(
            tab.page,
            room.telling.redactor(),
            room.settings,
            product=room.identity.product,
            version=room.identity.version,
            timeout_ms=REQUEST.default_ms,
            max_bytes=room_left(artifacts),
        )
        _add(artifacts, said, await _kept(room, tab, sealing, 2 * REQUEST.default_ms, "evidence"))
    status: EvidenceStatus = "complete" if len(artifacts) == len(wanted) else "partial"
    return CaptureEvidencePayload(
        status=status if artifacts else "unavailable",
        artifacts=tuple(artifacts),
        diagnostics=diagnostics,
        limitations=tuple(dict.fromkeys([*said, *room.telling.notes()])),
    )


def _add(artifacts: list[ArtifactPayload], said: list[str], kept: _Kept) -> None:
    artifact, sentences = kept
    said.extend(sentences)
    if artifact is not None:
        artifacts.append(artifact)


async def _kept(
    room: Room, tab: OpenTab, keeping: Coroutine[Any, Any, _Kept], timeout_ms: int, what: str
) -> _Kept:
    """What came of it; a sentence where only this is not to be had."""
    try:
        return await room.guard.run(tab, keeping, Work("captureEvidence", "capture", timeout_ms))
    except BrowserOperationError as error:
        if error.details.code in _NOT_THERE:
            raise
        return None, (f"There is no {what}: {error.details.message}",)
