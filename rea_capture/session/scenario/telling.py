"""The report of a run for people: what came of it, then each part and operation on a line of its own.

Below: ``contracts.runtime.run_report``, ``visible``. Above: ``rea browser run``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rea_capture.contracts.runtime.run_report import OperationReport, RunReport
from rea_capture.session.scenario.record import NOT_IN_FILE
from rea_capture.visible import visible
from rea_capture.wording import counted, shortened

_MAX_MESSAGE_CHARACTERS: Final = 600
_STATUS: Final = {"passed": "passed ", "failed": "FAILED ", "not_run": "not run"}


def told(report: RunReport) -> Iterator[str]:
    """The lines, without their ends; whatever a page or a program said is on one line and shows all of it."""
    passed = sum(each.status == "passed" for each in report.operations)
    browser = "" if report.browser is None else f", {report.browser}"
    yield _line(
        f"{report.scenario_id} {report.status}: {passed} of {counted(len(report.operations), 'operation')} "
        f"passed in {report.elapsed_ms / 1000:.1f} s{browser}"
    )
    for phase in report.phases:
        if phase.phase == "operations":
            yield from map(_operation, report.operations)
        elif phase.message != NOT_IN_FILE:
            why = f": {phase.message}" if phase.status == "failed" else ""
            yield _line(f"  {_STATUS[phase.status]}  {phase.phase}{_took(phase.elapsed_ms)}{why}")
    for sentence in report.limitations:
        yield _line(f"  note     {sentence}")


def _operation(operation: OperationReport) -> str:
    name = operation.op if operation.id is None else f"{operation.id} ({operation.op})"
    line = f"  {_STATUS[operation.status]}  {operation.index} {name}{_took(operation.elapsed_ms)}"
    if operation.error is None:
        return _line(line)
    kept = [] if operation.evidence is None else [each.path for each in operation.evidence.artifacts]
    seen = f"; kept: {', '.join(kept)}" if kept else ""
    return _line(f"{line}: {operation.error.message}{seen}")


def _took(elapsed_ms: int | None) -> str:
    return "" if elapsed_ms is None else f", {elapsed_ms} ms"


def _line(text: str) -> str:
    return visible(shortened(text, _MAX_MESSAGE_CHARACTERS))
