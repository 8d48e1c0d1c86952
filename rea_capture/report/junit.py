"""A report as JUnit XML: a suite a comparison, a case a step and artifact.

    unchanged    a case that passes
    changed      a failure, with the first lines of the explanation
    unknown      an error, with its recovery; so are failures of the alignment

There is no standard of this format. What is written satisfies both schemas that are about (that of Ant's
report, and that of Jenkins), but for the ``timestamp`` that the first wants: without captures there is none.

Below: ``view``, ``findings``, ``explained``, ``xml``. Above: ``workflows.report``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from rea_capture.report import xml
from rea_capture.report.explained import lines_of
from rea_capture.report.findings import Finding, finding_of_row, findings
from rea_capture.report.view import COMPARED_ARTIFACTS, CaptureView, ComparisonView, Report, StepView
from rea_capture.report.visible import visible

_MAX_EXPLANATION_LINES: Final = 40
"""The first lines of an explanation in a failure; readers of test results show them in a small box."""


@dataclass(frozen=True, slots=True)
class _Case:
    """``elapsed_ms`` is how long the step took after, counted in one of its cases only."""

    step_id: str | None
    name: str
    elapsed_ms: int
    finding: Finding | None


def junit_xml(report: Report) -> str:
    """``report`` as JUnit XML."""
    suites = (_suite(number, view) for number, view in enumerate(report.comparisons))
    lines = ('<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *suites, "</testsuites>", "")
    return "\n".join(lines)


def _suite(number: int, view: ComparisonView) -> str:
    cases = list(_cases(view))
    statuses = [case.finding.status for case in cases if case.finding is not None]
    attributes = {
        "errors": str(statuses.count("unknown")),
        "failures": str(statuses.count("changed")),
        "hostname": xml.UNKNOWN_HOST,
        "id": str(number),
        "name": xml.name(view.name),
        "package": "rea",
        "tests": str(len(cases)),
        "time": xml.seconds(sum(case.elapsed_ms for case in cases)),
        **_timestamp(view.after),
    }
    return "\n".join(
        (
            f"<testsuite{xml.attributes(attributes)}>",
            f"<properties>\n{_properties(view)}</properties>",
            *(_case(view, case) for case in cases),
            f"<system-out>{xml.lines(view.limitations)}</system-out>",
            "<system-err></system-err>",
            "</testsuite>",
        )
    )


def _timestamp(after: CaptureView) -> Mapping[str, str]:
    """When the capture after began, in UTC and without a zone or fractions, as Ant's schema wants it."""
    return {} if after.result is None else {"timestamp": xml.timestamp(after.result.started_at)}


def _properties(view: ComparisonView) -> str:
    values = {
        "verdict": view.status,
        "alignment": view.alignment.status,
        "evidence_id": view.evidence_id,
        "provider": f"{view.provider.name} {view.provider.version}",
        "normalization_sha256": view.normalization.sha256,
        **_capture_properties("before", view.before),
        **_capture_properties("after", view.after),
    }
    return "".join(f"<property{xml.attributes({'name': key, 'value': values[key]})}/>\n" for key in values)


def _capture_properties(side: str, capture: CaptureView) -> Mapping[str, str]:
    values = {f"{side}_sha256": capture.sha256}
    if capture.evidence_id is not None:
        values[f"{side}_evidence_id"] = capture.evidence_id
    if capture.result is not None:
        browser = capture.result.browser
        values[f"{side}_browser"] = f"{browser.product} {browser.version}"
        values[f"{side}_started_at"] = capture.result.started_at
        values[f"{side}_finished_at"] = capture.result.finished_at
    return values


def _cases(view: ComparisonView) -> Iterator[_Case]:
    """Of what is about no artifact first, then those of each step."""
    for finding in findings(view):
        if finding.subject not in COMPARED_ARTIFACTS:
            yield _Case(finding.step_id, finding.subject, 0, finding)
    for step in view.steps:
        yield from _cases_of_step(step)


def _cases_of_step(step: StepView) -> Iterator[_Case]:
    """What was compared: where no capture tells of what has no row, a step without rows is one case."""
    elapsed_ms = 0 if step.after is None else step.after.elapsed_ms
    shown = [view for view in step.artifacts if view.status in {"changed", "unknown", "unchanged"}]
    if not shown and step.status == "unchanged":
        yield _Case(step.step_id, "step", elapsed_ms, None)
    for position, view in enumerate(shown):
        finding = None if view.row is None else finding_of_row(step.step_id, view.row)
        yield _Case(step.step_id, view.artifact, 0 if position else elapsed_ms, finding)


def _case(view: ComparisonView, case: _Case) -> str:
    names = [view.name] if case.step_id is None else [view.name, case.step_id]
    attributes = {
        "classname": xml.name(" / ".join(names)),
        "name": xml.name(case.name),
        "time": xml.seconds(case.elapsed_ms),
    }
    if case.finding is None:
        return f"<testcase{xml.attributes(attributes)}/>"
    return f"<testcase{xml.attributes(attributes)}>{_verdict(case.finding)}</testcase>"


def _verdict(finding: Finding) -> str:
    element = "failure" if finding.status == "changed" else "error"
    attributes = {"message": visible(finding.reason, xml.MAX_LINE_CHARACTERS), "type": finding.status}
    return f"<{element}{xml.attributes(attributes)}>{xml.lines(_told(finding))}</{element}>"


def _told(finding: Finding) -> Iterator[str]:
    yield finding.reason
    if finding.recovery is not None:
        yield finding.recovery
    if finding.explanation is not None:
        yield from islice(lines_of(finding.explanation), _MAX_EXPLANATION_LINES)
