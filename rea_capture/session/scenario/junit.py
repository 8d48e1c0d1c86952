"""The report of a run as JUnit XML: one suite, a case for each part of the run and for each operation.

    passed    a case that passes
    failed    a failure where an operation failed, an error where a part around them did
    not run   a case that is skipped

What the file does not have has no case, nor have the operations as a whole: each has its own. The schema of
Ant's report knows no cases that are skipped, that of Jenkins does; but for them, both are satisfied.

Below: ``contracts.runtime.run_report``, ``report.xml``. Above: ``rea browser run``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.run_report import OperationReport, PhaseReport, RunReport
from rea_capture.report import xml
from rea_capture.report.visible import visible
from rea_capture.session.scenario.record import NOT_IN_FILE


@dataclass(frozen=True, slots=True)
class _Case:
    """``element`` is that of what came of it, None where it passed."""

    name: str
    elapsed_ms: int
    element: Literal["failure", "error", "skipped"] | None
    message: str
    type: str
    told: Sequence[str]


def run_junit_xml(report: RunReport) -> str:
    """``report`` as JUnit XML."""
    return "\n".join(
        ('<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", _suite(report), "</testsuites>", "")
    )


def _suite(report: RunReport) -> str:
    cases = list(_cases(report))
    elements = [case.element for case in cases]
    values = {
        "errors": str(elements.count("error")),
        "failures": str(elements.count("failure")),
        "hostname": xml.UNKNOWN_HOST,
        "id": "0",
        "name": xml.name(report.scenario_id),
        "package": "rea",
        "tests": str(len(cases)),
        "time": xml.seconds(report.elapsed_ms),
        "timestamp": xml.timestamp(report.started_at),
    }
    return "\n".join(
        (
            f"<testsuite{xml.attributes(values)}>",
            f"<properties>\n{_properties(report)}</properties>",
            *(_case(report, case) for case in cases),
            f"<system-out>{xml.lines(report.limitations)}</system-out>",
            f"<system-err>{xml.lines(_output(report.phases))}</system-err>",
            "</testsuite>",
        )
    )


def _properties(report: RunReport) -> str:
    values = {
        "status": report.status,
        "run_id": report.run_id,
        "browser": report.browser or "none was started",
    }
    return "".join(
        f"<property{xml.attributes({'name': key, 'value': value})}/>\n" for key, value in values.items()
    )


def _cases(report: RunReport) -> Iterator[_Case]:
    """In the order of the run: the operations before what comes after them."""
    for phase in report.phases:
        if phase.phase == "operations":
            yield from map(_of_operation, report.operations)
        elif phase.message != NOT_IN_FILE:
            yield _of_phase(phase)


def _of_phase(phase: PhaseReport) -> _Case:
    element: Literal["error", "skipped"] | None = _WITHOUT_FAILURE[phase.status]
    message = phase.message or ""
    return _Case(phase.phase, phase.elapsed_ms or 0, element, message, phase.phase, (message, *phase.output))


_WITHOUT_FAILURE: Final[dict[str, Literal["error", "skipped"] | None]] = {
    "passed": None,
    "failed": "error",
    "not_run": "skipped",
}


def _of_operation(operation: OperationReport) -> _Case:
    name = f"{operation.index} {operation.id or operation.op}"
    elapsed_ms = operation.elapsed_ms or 0
    if operation.error is not None:
        return _failed(name, elapsed_ms, operation.error)
    if operation.status == "not_run":
        return _Case(name, elapsed_ms, "skipped", "", "", ())
    return _Case(name, elapsed_ms, None, "", "", ())


def _failed(name: str, elapsed_ms: int, error: BrowserErrorDetails) -> _Case:
    told = (
        error.message,
        f"What may have changed on the page: {error.mutation_state}.",
        error.recovery,
        *(f"{each.pointer or '(request)'}: {each.message}" for each in error.faults),
    )
    return _Case(name, elapsed_ms, "failure", error.message, error.code, told)


def _case(report: RunReport, case: _Case) -> str:
    values = {
        "classname": xml.name(report.scenario_id),
        "name": xml.name(case.name),
        "time": xml.seconds(case.elapsed_ms),
    }
    if case.element is None:
        return f"<testcase{xml.attributes(values)}/>"
    if case.element == "skipped":  # no schema lets it say why
        return f"<testcase{xml.attributes(values)}><skipped/></testcase>"
    said = {"message": visible(case.message, xml.MAX_LINE_CHARACTERS), "type": case.type}
    opening = f"{case.element}{xml.attributes(said)}"
    return f"<testcase{xml.attributes(values)}><{opening}>{xml.lines(case.told)}</{case.element}></testcase>"


def _output(phases: Sequence[PhaseReport]) -> Iterator[str]:
    for phase in phases:
        yield from (f"{phase.phase}: {line}" for line in phase.output)
