"""What is kept of an operation that failed: best effort, for a bounded time, and never in its way.

Below: ``calls``. Above: ``runtime``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.runtime.budgets import FAILURE_EVIDENCE
from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserErrorDetails
from rea_capture.contracts.runtime.operations import (
    BrowserOperation,
    CaptureEvidenceOperation,
    CaptureEvidenceRequest,
    CloseOperation,
)

FAILURE_SCREENSHOT_MS: Final = FAILURE_EVIDENCE.default_ms * 3 // 4
"""Leaves the rest of the budget for diagnostics, and for the way."""

_NOBODY_LEFT: Final[frozenset[BrowserErrorCode]] = frozenset(
    {
        "browser_gone",
        "cancelled",
        "session_closed",
        "session_expired",
        "too_many",
        "unknown_session",
        "worker_gone",
    }
)
"""Failures after which there is nobody to ask."""

_NOT_OF_A_TAB: Final[frozenset[BrowserErrorCode]] = frozenset({"unknown_tab"})


def evidence_operation(
    failed: BrowserOperation, details: BrowserErrorDetails, run_id: str
) -> CaptureEvidenceOperation | None:
    """What to ask for after ``failed`` went wrong as ``details`` say; None where there is nothing to ask."""
    if isinstance(failed, CaptureEvidenceOperation | CloseOperation) or details.code in _NOBODY_LEFT:
        return None
    tab = None if details.code in _NOT_OF_A_TAB else _tab_of(failed)
    request = CaptureEvidenceRequest(
        tab=tab, run_id=run_id, operation=failed.op, screenshot_timeout_ms=FAILURE_SCREENSHOT_MS
    )
    return CaptureEvidenceOperation(op="captureEvidence", request=request)


def _tab_of(failed: BrowserOperation) -> str | None:
    for name in ("tab", "opener"):
        if (tab := getattr(failed.request, name, None)) is not None:
            return str(tab)
    return None
