"""Findings as GitHub workflow commands: one a line on standard output, shown beside the run.

GitHub shows ten errors and ten warnings of a step and drops the others silently; so the rest is counted in a
notice. Nothing that was captured can begin a line or end a property: it is on one line, and escaped as the
runner unescapes it (``%``, line ends, in a property ``:`` and ``,`` too).

Below: ``view``, ``findings``, ``explained``, ``visible``. Above: ``workflows.report``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from rea_capture.report.explained import lines_of
from rea_capture.report.findings import Finding, findings
from rea_capture.report.view import Report
from rea_capture.report.visible import visible
from rea_capture.wording import counted, figure, listed

MAX_ANNOTATIONS_PER_LEVEL: Final = 10
"""Of a step of a workflow, as GitHub's documentation of its problem matchers gives it."""

_LEVELS: Final = {"changed": "error", "unknown": "warning"}
_MAX_EXPLANATION_LINES: Final = 6
"""An annotation is a hint; more would push the others off the page."""

_MAX_LINE_CHARACTERS: Final = 400
_MAX_TITLE_CHARACTERS: Final = 200


def workflow_commands(report: Report) -> str:
    """The commands for ``report``: the findings, and a notice with the verdict and what is not annotated."""
    lines = []
    left_out = dict.fromkeys(_LEVELS, 0)
    room = dict.fromkeys(_LEVELS, MAX_ANNOTATIONS_PER_LEVEL)
    for name, finding in _found(report):
        if room[finding.status]:
            room[finding.status] -= 1
            lines.append(_command(_LEVELS[finding.status], _title(name, finding), _message(finding)))
        else:
            left_out[finding.status] += 1
    lines.append(_command("notice", f"Verdict: {report.status}", [_verdict(report, left_out)]))
    return "".join(f"{line}\n" for line in lines)


def _found(report: Report) -> Iterator[tuple[str | None, Finding]]:
    several = len(report.comparisons) > 1
    for view in report.comparisons:
        for finding in findings(view):
            yield view.name if several else None, finding


def _title(name: str | None, finding: Finding) -> str:
    where = [part for part in (name, finding.step_id) if part is not None]
    return visible(
        " ".join((*where, finding.subject.replace("_", " "), finding.status)), _MAX_TITLE_CHARACTERS
    )


def _message(finding: Finding) -> list[str]:
    explanation = (
        []
        if finding.explanation is None
        else list(islice(lines_of(finding.explanation), _MAX_EXPLANATION_LINES))
    )
    recovery = [] if finding.recovery is None else [finding.recovery]
    return [visible(line, _MAX_LINE_CHARACTERS) for line in (finding.reason, *recovery, *explanation)]


def _verdict(report: Report, left_out: dict[str, int]) -> str:
    counts = report.counts
    about = [f"{counted(count, 'comparison')} {status}" for status, count in report.statuses.items() if count]
    rest = [f"{figure(count)} {status}" for status, count in left_out.items() if count]
    more = f" Not annotated: {listed(rest)}." if rest else ""
    found = f"{counted(counts.changed, 'artifact')} changed, {figure(counts.unknown)} unknown"
    return f"{listed(about)}; {found}.{more}"


def _command(level: str, title: str, message: list[str]) -> str:
    return f"::{level} title={_property(title)}::{_data(chr(10).join(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
