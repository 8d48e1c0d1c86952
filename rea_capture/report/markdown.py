"""A report for a pull request: the verdict, a table, the rest folded away. No longer than a comment may be.

    1. What everybody needs comes first: the verdict, the comparisons, the findings, a row each.
    2. Folded below: what each change looks like, what to do about what is unknown, limitations, provenance.
    3. Each kind of thing has a share of the characters; explanations have what is left. Things are left out
       whole, and counted in the last line.

Below: ``view``, ``findings``, ``explained``, ``markdown_text``. Above: ``workflows.report``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from rea_capture.report.explained import Part, parts
from rea_capture.report.findings import Finding, findings
from rea_capture.report.markdown_text import code, fence, html_code, sentence
from rea_capture.report.view import CaptureView, ComparisonView, Report
from rea_capture.wording import counted, figure, listed, shortened

MAX_MARKDOWN_CHARACTERS: Final = 60_000
"""In UTF-16 code units, the most that anybody counts. GitHub keeps 65,536 characters of a pull request's own
text and 262,144 bytes of a comment; the rest is for what a caller puts around it."""

_MAX_LAST_LINE_CHARACTERS: Final = 600
"""Kept for the line that says what is left out."""

_SHARES: Final = {
    "comparison": 9_000,
    "finding": 18_000,
    "unknown": 9_000,
    "limitation": 6_000,
    "document": 6_000,
}
"""The most characters that each kind of thing takes of a report; explanations have what these leave."""

_NAMES: Final = {
    "comparison": "comparison",
    "finding": "row",
    "explanation": "explanation",
    "unknown": "recovery",
    "limitation": "limitation",
    "document": "document",
}
_LEAST_EXPLANATION_CHARACTERS: Final = 100
"""No folded section is shorter: with less left, none has to be made to see that it does not go in."""

_MAX_NAME_CHARACTERS: Final = 120
_MAX_SENTENCE_CHARACTERS: Final = 400
"""Of one reason; the comparison has all of it."""

_MAX_RECOVERY_CHARACTERS: Final = 1_000
"""As long as a sentence of ours may be."""

_RULE: Final = "| --- | --- | --- | --- |"


@dataclass(slots=True)
class _Budget:
    """What is left of the characters of one report. The only thing here that changes."""

    characters: int
    shares: dict[str, int] = field(default_factory=lambda: dict(_SHARES))
    left_out: Counter[str] = field(default_factory=Counter)

    def take(self, text: str, kind: str) -> bool:
        """Whether ``text``, with a line end, still goes in; counted as left out where it does not."""
        cost = _length(text) + 1
        left = min(self.characters, self.shares.get(kind, self.characters))
        if cost > left:
            self.left_out[kind] += 1
            return False
        self.characters -= cost
        if kind in self.shares:
            self.shares[kind] -= cost
        return True

    def spend(self, text: str) -> None:
        """Take ``text`` out of the whole: what is bounded, and has to be there."""
        self.characters -= _length(text) + 1


def markdown(report: Report) -> str:
    """``report`` as GitHub Flavored Markdown, at most ``MAX_MARKDOWN_CHARACTERS`` long."""
    budget = _Budget(MAX_MARKDOWN_CHARACTERS - _MAX_LAST_LINE_CHARACTERS)
    found = [(view, findings(view)) for view in report.comparisons]
    head = _head(report)
    budget.spend(head)
    several = len(found) > 1
    comparisons = _overview(report) if several else ()
    overview = _table("| comparison | verdict | changed | unknown |", comparisons, "comparison", budget)
    table = _table("| step | what | verdict | why |", _rows(found, several=several), "finding", budget)
    unknown = _folded("What is unknown, and what to do", _recoveries(found), "unknown", budget)
    provenance = _folded("Provenance", _documents(report), "document", budget)
    limits = _folded("Limitations", _limitations(report, several=several), "limitation", budget)
    explanations = _explanations(found, budget, several=several)
    sections = (head, overview, table, *explanations, unknown, limits, provenance)
    return "\n".join(section for section in (*sections, _last_line(budget)) if section)


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _head(report: Report) -> str:
    counts = report.counts
    about = [f"{counted(count, 'comparison')} {status}" for status, count in report.statuses.items() if count]
    steps = [
        f"{figure(counts.steps_changed)} changed",
        f"{figure(counts.steps_unknown)} unknown",
        f"{figure(counts.steps_unchanged)} unchanged",
        *([f"{figure(counts.steps_not_aligned)} not aligned"] if counts.steps_not_aligned else []),
    ]
    return (
        f"## Verdict: {report.status}\n\n{listed(about)}. {counted(counts.changed, 'artifact')} changed, "
        f"{figure(counts.unknown)} unknown. Of {counted(counts.steps, 'step')}: {', '.join(steps)}.\n"
    )


def _table(heading: str, rows: Iterable[str], kind: str, budget: _Budget) -> str:
    """The rows that go in, under ``heading``; nothing where there is none."""
    budget.spend(f"{heading}\n{_RULE}\n")
    kept = [row for row in rows if budget.take(row, kind)]
    return "\n".join((heading, _RULE, *kept, "")) if kept else ""


def _overview(report: Report) -> Iterator[str]:
    for view in report.comparisons:
        counts = view.counts
        yield f"| {_name(view)} | {view.status} | {figure(counts.changed)} | {figure(counts.unknown)} |"


def _rows(found: Iterable[tuple[ComparisonView, Sequence[Finding]]], *, several: bool) -> Iterator[str]:
    for view, each in found:
        for finding in each:
            where = [_name(view)] if several else []
            where += [] if finding.step_id is None else [_shown(finding.step_id)]
            why = sentence(shortened(finding.reason, _MAX_SENTENCE_CHARACTERS), in_cell=True)
            yield f"| {' '.join(where)} | {_subject(finding)} | {finding.status} | {why} |"


def _subject(finding: Finding) -> str:
    return finding.subject.replace("_", " ")


def _name(view: ComparisonView) -> str:
    return _shown(view.name)


def _shown(name: str) -> str:
    return code(shortened(name, _MAX_NAME_CHARACTERS), in_cell=True)


def _explanations(
    found: Iterable[tuple[ComparisonView, Sequence[Finding]]], budget: _Budget, *, several: bool
) -> list[str]:
    """One folded section a change, whole or not at all."""
    kept = []
    for view, each in found:
        for finding in each:
            if finding.explanation is None or not parts(finding.explanation):
                continue
            if budget.characters < _LEAST_EXPLANATION_CHARACTERS:
                budget.left_out["explanation"] += 1
                continue
            section = _explanation(view.name if several else None, finding)
            if budget.take(section, "explanation"):
                kept.append(section)
    return kept


def _explanation(name: str | None, finding: Finding) -> str:
    assert finding.explanation is not None
    names = [
        html_code(shortened(each, _MAX_NAME_CHARACTERS))
        for each in (name, finding.step_id)
        if each is not None
    ]
    content = (_part(part) for part in parts(finding.explanation))
    return _details(f"{' '.join(names)} {_subject(finding)}", "\n".join(content))


def _part(part: Part) -> str:
    if part.kind == "diff":
        return f"{part.title}:\n\n{fence(part.lines)}\n"
    shown = sentence if part.kind == "sentences" else code
    return "\n".join((f"{part.title}:\n", *(f"- {shown(line)}" for line in part.lines), ""))


def _details(summary_html: str, content: str) -> str:
    return f"<details><summary>{summary_html}</summary>\n\n{content}\n</details>\n"


def _folded(summary: str, lines: Iterable[str], kind: str, budget: _Budget) -> str:
    """The lines that go in, folded; nothing where there is none."""
    budget.spend(_details(summary, ""))
    kept = [line for line in lines if budget.take(line, kind)]
    return _details(summary, "\n".join((*kept, ""))) if kept else ""


def _recoveries(found: Iterable[tuple[ComparisonView, Sequence[Finding]]]) -> Iterator[str]:
    """What to do, once each, and how many findings it is for."""
    counts = Counter(
        finding.recovery for _, each in found for finding in each if finding.recovery is not None
    )
    for recovery, count in counts.items():
        yield f"- {sentence(shortened(recovery, _MAX_RECOVERY_CHARACTERS))} (for {counted(count, 'row')})"


def _limitations(report: Report, *, several: bool) -> Iterator[str]:
    """Each once, and how many comparisons have it."""
    counts = Counter(
        limitation for view in report.comparisons for limitation in dict.fromkeys(view.limitations)
    )
    for limitation, count in counts.items():
        whose = f" (of {counted(count, 'comparison')})" if several else ""
        yield f"- {sentence(shortened(limitation, _MAX_SENTENCE_CHARACTERS))}{whose}"


def _documents(report: Report) -> Iterator[str]:
    for view in report.comparisons:
        made_by = sentence(f"made by {view.provider.name} {view.provider.version}")
        yield "\n".join(
            (
                f"- {code(shortened(view.name, _MAX_NAME_CHARACTERS))}: {code(view.evidence_id)}, {made_by}",
                f"  - before: {_capture(view.before)}",
                f"  - after: {_capture(view.after)}",
            )
        )


def _capture(capture: CaptureView) -> str:
    name = f"{code(capture.evidence_id)}, " if capture.evidence_id is not None else ""
    result = capture.result
    if result is None:
        return f"{name}result {code(capture.sha256)}"
    browser = sentence(f"{result.browser.product} {result.browser.version}")
    return (
        f"{name}result {code(capture.sha256)}, captured {code(result.started_at)} "
        f"to {code(result.finished_at)} with {browser} at {code(result.scenario.start_origin)}"
    )


def _last_line(budget: _Budget) -> str:
    if not budget.left_out:
        return ""
    out = [_counted_kind(kind, budget.left_out[kind]) for kind in _NAMES if budget.left_out[kind]]
    return f"Left out to keep this short: {listed(out)}. The comparisons have all of it.\n"


def _counted_kind(kind: str, count: int) -> str:
    return f"{figure(count)} recoveries" if kind == "unknown" and count != 1 else counted(count, _NAMES[kind])
