"""The report of a scenario file's run, version 1.

Below: ``errors``, ``results``. Above: ``session.scenario``, JUnit.
"""

from __future__ import annotations

from typing import Any, Literal

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.results import FailureEvidence

RunPhase = Literal["setup", "server", "reset", "session", "operations", "cleanup", "shutdown"]


class OperationReport(RuntimeModel):
    """One operation. ``result`` is bounded and redacted, and without the bytes of artifacts."""

    index: int
    id: str | None = None
    op: str
    status: Literal["passed", "failed", "not_run"]
    elapsed_ms: int | None = None
    result: dict[str, Any] | None = None
    error: BrowserErrorDetails | None = None
    evidence: FailureEvidence | None = None


class PhaseReport(RuntimeModel):
    """A part of the run that is no operation."""

    phase: RunPhase
    status: Literal["passed", "failed", "not_run"]
    elapsed_ms: int | None = None
    message: str | None = None
    """How it failed, or why it was not run."""
    output: tuple[str, ...] = ()
    """The last lines that the program of a failed phase wrote, redacted."""


class RunReport(RuntimeModel):
    """What came of a scenario file. ``status`` is ``failed`` with the first failure, whatever followed."""

    version: Literal[1] = 1
    scenario_id: str
    run_id: str
    status: Literal["passed", "failed", "cancelled"]
    started_at: str
    elapsed_ms: int
    browser: str | None = None
    error: BrowserErrorDetails | None = None
    """The first failure."""
    phases: tuple[PhaseReport, ...]
    operations: tuple[OperationReport, ...]
    limitations: tuple[str, ...] = ()
