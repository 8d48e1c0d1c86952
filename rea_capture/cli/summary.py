"""What a person at a terminal is told instead of JSON: the verdict first, then why, then what to do.

Everything a page had a part in goes through ``printable`` and is never read as markup.

Below: rich, the contracts. Above: the commands, which import this file for a terminal only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rea_capture.cli.terminal import printable
from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison import (
    AlignmentFailure,
    ArtifactDiff,
    ComparisonResult,
    StepComparison,
)
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.contracts.selection import ARTIFACT_NAMES
from rea_capture.evidence.origin import CaptureOrigin, origin_of_record
from rea_capture.evidence.shortfall import shortfall_of_record
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import counted, on_one_line, shortened
from rea_capture.workflows.doctor import Diagnosis, SharedMemoryState
from rea_capture.workflows.verify import Verified

_COLOURS: Final = {
    "unchanged": "green",
    "complete": "green",
    "completed": "green",
    "captured": "green",
    "changed": "red",
    "failed": "red",
    "unknown": "yellow",
    "incomplete": "yellow",
    "truncated": "yellow",
    "cancelled": "yellow",
    "missing": "yellow",
}
_MAX_TEXT_CHARACTERS: Final = 300
"""A reason fits; a page's whole console message would bury the verdict."""

_MAX_LINES: Final = 40
"""Limitations and differences shown; the document has all."""


def capture_summary(evidence: CaptureEvidence, stream: IO[str], path: str | None) -> None:
    """Steps, artifact states, events, completeness and limitations of a capture."""
    console = _console(stream)
    result = evidence.normalized_result
    status = result.completeness.status
    console.print(
        Text.assemble(("Capture ", "bold"), (status, f"bold {_COLOURS[status]}"), _sections(result))
    )
    if any(step.status != "completed" for step in result.steps):
        console.print(Text.assemble(("why     ", "yellow"), _line(shortfall_of_record(result) or "")))
    console.print(_line(_origin_sentence(origin_of_record(result, evidence))))
    console.print(_line(f"{result.duration_ms / 1000:.1f} s, {evidence.evidence_id}"))
    console.print(_steps_table(result.steps))
    console.print(_line(_events_sentence(result)))
    _list(console, "Limitations", result.limitations)
    hint = "Compare it with another capture: rea compare-web-captures BEFORE AFTER"
    if status != "complete":
        hint = (
            "A comparison with it may find a change, and never says unchanged: see above what it did not see."
        )
    _where_next(console, path, hint)


def comparison_summary(evidence: ComparisonEvidence, stream: IO[str], path: str | None) -> None:
    """The verdict, the steps, and every changed or unknown artifact with its recovery."""
    console = _console(stream)
    result = evidence.normalized_result
    status = result.overall_status
    console.print(Text.assemble(("Verdict: ", "bold"), (status, f"bold {_COLOURS[status]}")))
    steps = f"{counted(result.alignment.aligned_steps, 'step')} aligned ({result.alignment.status})"
    artifacts = counted(result.artifact_diffs.total, "artifact")
    console.print(_line(f"{steps}, {artifacts} changed or unknown"))
    parameters = evidence.parameters
    for side, name, sha256 in (
        ("before", parameters.before_evidence_id, parameters.before_sha256),
        ("after", parameters.after_evidence_id, parameters.after_sha256),
    ):
        console.print(_line(f"{side}: {name or f'a result without id, {sha256}'}"))
    if parameters.before_sha256 == parameters.after_sha256:
        console.print(
            Text("Both sides are the same capture, which says nothing about a change.", "bold yellow")
        )
    _list(console, "Alignment", map(_alignment_failure, result.alignment.failures))
    console.print(_comparison_table(result))
    _list(console, "What to do", _recoveries(result.steps), max_characters=MAX_SENTENCE_CHARACTERS)
    _list(console, "Limitations", result.limitations)
    rows = result.artifact_diffs.total
    hint = f"To look at the differences: rea explain {path or 'COMPARISON'}"
    if not rows:
        hint = "Why nothing can be said is above." if status == "unknown" else "Nothing was found to differ."
    _where_next(console, path, hint)


def verification_summary(verified: Sequence[tuple[str, Verified]], stream: IO[str]) -> None:
    """A line a document, and for a capture when and where it was made, and what it lacks."""
    console = _console(stream)
    for file, result in verified:
        name = result.evidence_id or f"no id, normalized_result {result.normalized_result_sha256}"
        console.print(Text.assemble(("verified ", "green"), _line(f"{file}: {result.kind}, {name}")))
        if result.capture is not None:
            console.print(Text.assemble("         ", _line(_origin_sentence(result.capture))))
            if result.capture.shortfall is not None:
                lacks = f"the capture is incomplete: {result.capture.shortfall}"
                console.print(Text.assemble(("note     ", "yellow"), _line(lacks)))


def diagnosis_summary(diagnosis: Diagnosis, stream: IO[str]) -> None:
    """Whether a capture can run, what was found, and what to do."""
    console = _console(stream)
    verdict = (
        ("A capture can run here.", "bold green")
        if diagnosis.ready
        else ("A capture cannot run here.", "bold red")
    )
    console.print(Text.assemble(verdict))
    console.print(_found_table(diagnosis))
    for problem in diagnosis.problems:
        console.print(Text.assemble(("problem ", "red"), _line(f"{problem.what} {problem.remedy}")))
    for note in diagnosis.notes:
        console.print(Text.assemble(("note ", "yellow"), _line(note)))


def _origin_sentence(origin: CaptureOrigin) -> str:
    machine = f" on {origin.platform} {origin.architecture}" if origin.platform else ""
    how = f", {origin.isolation}" if origin.isolation else ""
    return (
        f"captured {origin.started_at} to {origin.finished_at} with {origin.browser_product} "
        f"{origin.browser_version} ({origin.browser_mode}{how}){machine}, starting at {origin.start_url}"
    )


def _console(stream: IO[str]) -> Console:
    return Console(file=stream, force_terminal=True, highlight=False, emoji=False, markup=False)


def _line(text: str, max_characters: int = _MAX_TEXT_CHARACTERS) -> Text:
    return Text(shortened(on_one_line(printable(text)), max_characters))


def _coloured(status: str) -> Text:
    return Text(status, style=_COLOURS.get(status, ""))


def _sections(result: CaptureResult) -> str:
    sections = {*result.completeness.missing_sections, *result.completeness.truncated_sections}
    return f": {', '.join(sorted(sections))}" if sections else ""


def _steps_table(steps: Iterable[Step]) -> Table:
    table = Table("step", "action", "status", "artifacts", box=None, pad_edge=False)
    for step in steps:
        states = Text(", ").join(_states(step))
        error = [] if step.error is None else [Text(": "), _line(step.error)]
        status = Text.assemble(_coloured(step.status), *error)
        table.add_row(_line(step.step_id), step.action, status, states)
    return table


def _states(step: Step) -> list[Text]:
    states = ((name, getattr(step.artifacts, name).state) for name in ARTIFACT_NAMES)
    return [
        Text.assemble(Text(name, style=_COLOURS[state]), "" if state == "captured" else f" ({state})")
        for name, state in states
        if state != "not_requested"
    ]


def _events_sentence(result: CaptureResult) -> str:
    if not result.scenario.event_families:
        return "No events were requested."
    families = ", ".join(result.scenario.event_families)
    dropped = f", {result.events.dropped} omitted" if result.events.dropped else ""
    return f"{counted(result.events.retained, 'event')}{dropped} ({families})"


def _comparison_table(result: ComparisonResult) -> Table:
    table = Table("step", "status", "artifact", "why", box=None, pad_edge=False)
    for step in result.steps:
        if not step.artifact_diffs:
            table.add_row(_line(step.step_id), _coloured(step.status))
        for row, diff in enumerate(step.artifact_diffs):
            name = _line(step.step_id if row == 0 else "")
            table.add_row(name, _coloured(diff.status), diff.artifact, _line(_why(diff)))
    return table


def _why(diff: ArtifactDiff) -> str:
    if diff.explanation is not None:
        return diff.explanation.summary
    return diff.reason or f"{diff.before_state} before, {diff.after_state} after"


def _recoveries(steps: Iterable[StepComparison]) -> Iterable[str]:
    sentences = (diff.recovery for step in steps for diff in step.artifact_diffs)
    return dict.fromkeys(sentence for sentence in sentences if sentence is not None)


def _found_table(diagnosis: Diagnosis) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row("rea", diagnosis.version)
    table.add_row("platform", _line(diagnosis.platform))
    table.add_row("python", _line(f"{diagnosis.python.version} ({diagnosis.python.executable})"))
    driver = diagnosis.playwright.driver or "driver missing"
    table.add_row("playwright", _line(f"{diagnosis.playwright.version or 'not installed'} ({driver})"))
    for browser in diagnosis.browsers:
        about = f"{browser.product} {browser.version}" if browser.version else "does not tell its version"
        used = ", used by captures" if browser.used_by_captures else ""
        table.add_row("browser", _line(f"{browser.path} ({about}){used}"))
    if not diagnosis.browsers:
        table.add_row("browser", "none found")
    available = {True: "available", False: "not available", None: "not known"}[diagnosis.sandbox.available]
    table.add_row("sandbox", available + (" (running as root)" if diagnosis.sandbox.root else ""))
    table.add_row("/dev/shm", _size(diagnosis.shared_memory))  # noqa: S108 - a label
    return table


def _size(memory: SharedMemoryState | None) -> str:
    if memory is None:
        return "none"
    return f"{memory.free_bytes // 2**20} of {memory.total_bytes // 2**20} MiB free"


def _list(
    console: Console, title: str, sentences: Iterable[str], *, max_characters: int = _MAX_TEXT_CHARACTERS
) -> None:
    lines = list(sentences)
    if not lines:
        return
    console.print(Text(title, style="bold"))
    for line in lines[:_MAX_LINES]:
        console.print(Text.assemble("  - ", _line(line, max_characters)))
    if len(lines) > _MAX_LINES:
        console.print(Text(f"  ... and {len(lines) - _MAX_LINES} more in the document"))


def _where_next(console: Console, path: str | None, hint: str) -> None:
    where = f"Document: {path}" if path else "This is a summary; --output FILE or --json gives the document."
    console.print(_line(where))
    console.print(_line(hint))


def _alignment_failure(failure: AlignmentFailure) -> str:
    return failure.reason if failure.step_id is None else f"{failure.step_id}: {failure.reason}"
