"""Reporting: documents in any order in, what a report shows of them out.

    1. Read and check each document once. Faults of all of them are reported together, each with its file.
    2. A capture belongs to every comparison whose parameters name the digest of its result. One that
       belongs to none is refused: it would be left out in silence.
    3. A document that was given twice counts once.

Nothing but the documents and their names is in a report, so it comes out the same at any time.

Below: ``evidence``, ``report``. Above: the command line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TypeAlias

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.errors import Fault, InputError
from rea_capture.evidence.reading import ParsedDocument, parse
from rea_capture.report.view import Compared, Report, report_of


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document to report. ``read`` gives its bytes, once, and may raise :class:`InputError`."""

    name: str
    read: Callable[[], bytes]


_Capture: TypeAlias = CaptureEvidence | CaptureResult


@dataclass(frozen=True, slots=True)
class _NamedComparison:
    name: str
    evidence: ComparisonEvidence


@dataclass(frozen=True, slots=True)
class _NamedCapture:
    name: str
    capture: _Capture
    result_sha256: str
    evidence_id: str | None


def read_report(documents: Iterable[NamedDocument]) -> Report:
    """The report on ``documents``, comparisons and captures of theirs in any order.

    Raises :class:`InputError` with a fault for every document that is not valid, is a comparison without
    its envelope, or a capture that no comparison is about; and where there is no comparison.
    """
    comparisons: dict[str, _NamedComparison] = {}
    captures: list[_NamedCapture] = []
    faults: list[Fault] = []
    for document in documents:
        try:
            read = _read(document)
        except InputError as error:
            found = error.faults or (Fault("", error.message),)
            faults += (replace(fault, file=document.name) for fault in found)
            continue
        if isinstance(read, _NamedComparison):
            comparisons.setdefault(read.evidence.evidence_id, read)
        else:
            captures.append(read)
    if not faults:
        faults += _lost(comparisons.values(), captures)
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise InputError(f"there is no report: {faults[0]}{more}", faults)
    return report_of(_compared(comparisons.values(), captures))


def _compared(
    comparisons: Collection[_NamedComparison], captures: Iterable[_NamedCapture]
) -> Iterator[Compared]:
    """The comparisons with their captures, each by the last part of its name where that is its own."""
    captures = list(captures)
    last_parts = Counter(PurePath(each.name).name for each in comparisons)
    for each in comparisons:
        last_part, parameters = PurePath(each.name).name, each.evidence.parameters
        yield Compared(
            comparison=each.evidence,
            before=_side(captures, parameters.before_sha256, parameters.before_evidence_id),
            after=_side(captures, parameters.after_sha256, parameters.after_evidence_id),
            name=last_part if last_parts[last_part] == 1 else each.name,
        )


def _read(document: NamedDocument) -> _NamedComparison | _NamedCapture:
    parsed: ParsedDocument = parse(document.read(), document.name)
    match parsed.document:
        case ComparisonEvidence() as evidence:
            return _NamedComparison(document.name, evidence)
        case CaptureEvidence() | CaptureResult() as capture:
            return _NamedCapture(document.name, capture, parsed.result_sha256, parsed.evidence_id)
        case _:
            fault = Fault(
                "",
                "is the normalized_result of a comparison, which names no captures; give its whole Evidence",
            )
            raise InputError(fault.message, [fault])


def _lost(comparisons: Iterable[_NamedComparison], captures: Iterable[_NamedCapture]) -> list[Fault]:
    """What is wrong with the documents together."""
    named = {
        sha256
        for each in comparisons
        for sha256 in (each.evidence.parameters.before_sha256, each.evidence.parameters.after_sha256)
    }
    if not named:
        return [Fault("", "none of the documents is a comparison; make one with rea compare-web-captures")]
    return [
        Fault(
            "",
            "is a capture that none of the comparisons is about; leave it out, or give its comparison",
            each.name,
        )
        for each in captures
        if each.result_sha256 not in named
    ]


def _side(captures: Iterable[_NamedCapture], sha256: str, evidence_id: str | None) -> _Capture | None:
    """The capture with the digest ``sha256``: rather the very Evidence that was compared than its result."""
    found = [each for each in captures if each.result_sha256 == sha256]
    found.sort(key=lambda each: (each.evidence_id != evidence_id, each.evidence_id is None))
    return found[0].capture if found else None
