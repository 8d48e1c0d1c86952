"""What becomes of a run, noted as it happens: each part, each operation, and the first failure.

Everything that a page or a program had a part in is redacted where it comes in.

Below: ``contracts.runtime.run_report``, ``redaction``. Above: ``running``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserFault
from rea_capture.contracts.runtime.results import FailureEvidence, OperationResult
from rea_capture.contracts.runtime.run_report import OperationReport, PhaseReport, RunPhase, RunReport
from rea_capture.contracts.runtime.scenario_file import FileOperation, ScenarioFile
from rea_capture.redaction import Redactor

PHASES: Final[tuple[RunPhase, ...]] = get_args(RunPhase)
NOT_IN_FILE: Final = "The file has none."
AFTER_FAILURE: Final = "Something before it failed."


class Record:
    """The report of one run, in the making."""

    def __init__(self, file: ScenarioFile, run_id: str, redactor: Redactor) -> None:
        self._file = file
        self._run_id = run_id
        self._redactor = redactor
        self._started_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._started_s = time.monotonic()
        self._phases = _not_run(file)
        self._operations: dict[int, OperationReport] = {}
        self._limitations: dict[str, None] = {}
        self._error: BrowserErrorDetails | None = None
        self.browser: str | None = None

    def fail(self, error: BrowserErrorDetails) -> BrowserErrorDetails:
        """Keep ``error`` if it is the first. Returns it, redacted."""
        error = self._safe(error)
        self._error = self._error or error
        return error

    def phase(
        self,
        phase: RunPhase,
        began_s: float,
        error: BrowserErrorDetails | None = None,
        output: Sequence[str] = (),
    ) -> None:
        """What became of ``phase``, which began at ``began_s`` of the monotonic clock."""
        self._phases[phase] = PhaseReport(
            phase=phase,
            status="passed" if error is None else "failed",
            elapsed_ms=elapsed_ms(began_s),
            message=None if error is None else self.fail(error).message,
            output=tuple(output),
        )

    def operation(
        self,
        index: int,
        began_s: float,
        result: OperationResult | None,
        error: BrowserErrorDetails | None = None,
        evidence: FailureEvidence | None = None,
    ) -> None:
        """What became of operation ``index``."""
        self._operations[index] = OperationReport(
            **_named(index, self._file.operations[index]),
            status="passed" if error is None else "failed",
            elapsed_ms=elapsed_ms(began_s),
            result=None if result is None else redacted(result.wire(), self._redactor),
            error=None if error is None else self._safe(error),
            evidence=evidence,
        )

    def limitation(self, sentence: str) -> None:
        """Keep ``sentence``, once."""
        self._limitations[self._redactor.text(sentence)] = None

    def report(self) -> RunReport:
        """The report, as of now."""
        operations = (
            self._operations.get(index) or OperationReport(**_named(index, each), status="not_run")
            for index, each in enumerate(self._file.operations)
        )
        return RunReport(
            scenario_id=self._file.id,
            run_id=self._run_id,
            status=self._status(),
            started_at=self._started_at,
            elapsed_ms=elapsed_ms(self._started_s),
            browser=self.browser,
            error=self._error,
            phases=tuple(self._phases[phase] for phase in PHASES),
            operations=tuple(operations),
            limitations=tuple(self._limitations),
        )

    def _status(self) -> Literal["passed", "failed", "cancelled"]:
        if self._error is None:
            return "passed"
        return "cancelled" if self._error.code == "cancelled" else "failed"

    def _safe(self, error: BrowserErrorDetails) -> BrowserErrorDetails:
        text = self._redactor.text
        faults = tuple(
            BrowserFault(pointer=each.pointer, message=text(each.message)) for each in error.faults
        )
        return error.model_copy(
            update={"message": text(error.message), "recovery": text(error.recovery), "faults": faults}
        )


def elapsed_ms(since_s: float) -> int:
    """Milliseconds since ``since_s`` of the monotonic clock."""
    return round((time.monotonic() - since_s) * 1000)


def redacted(value: Any, redactor: Redactor) -> Any:
    """Plain JSON with every text in it redacted; names of members are ours."""
    if isinstance(value, str):
        return redactor.text(value)
    if isinstance(value, dict):
        return {name: redacted(each, redactor) for name, each in value.items()}
    return [redacted(each, redactor) for each in value] if isinstance(value, list) else value


def _not_run(file: ScenarioFile) -> dict[RunPhase, PhaseReport]:
    """Each phase as it is before it has begun."""
    hooks, has_server = file.hooks, file.fixture is not None and file.fixture.server is not None
    declared = {"setup": hooks.setup, "reset": hooks.reset, "cleanup": hooks.cleanup, "server": has_server}
    return {
        phase: PhaseReport(
            phase=phase,
            status="not_run",
            message=AFTER_FAILURE if declared.get(phase, True) else NOT_IN_FILE,
        )
        for phase in PHASES
    }


def _named(index: int, operation: FileOperation) -> dict[str, Any]:
    return {"index": index, "id": operation.id, "op": operation.op}
