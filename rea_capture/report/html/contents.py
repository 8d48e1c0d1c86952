"""A comparison as the data that the script of the file reads.

Fields are named as in the contracts, and records are in it as they are written in documents. Explanations and
events, which may be large, are apart from the steps: what of them is in the file is settled for the whole
report (``fitting``), as it is of all other texts (``texts``).

Below: ``view``, ``findings``, ``transactions``, ``pictures``, ``fitting``, ``texts``. Above: ``page``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rea_capture.contracts.artifacts import AnyState
from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.comparison import ArtifactDiff
from rea_capture.contracts.explanation import AnyExplanation, PixelExplanation, TextExplanation
from rea_capture.contracts.states import Missing, Truncated
from rea_capture.report.findings import Finding, findings
from rea_capture.report.html.escaping import json_bytes, well_formed
from rea_capture.report.html.fitting import (
    MAX_EXPLANATION_BYTES,
    MAX_FOLD_BYTES,
    MAX_TEXT_BYTES,
    fitted,
    fitting_rows,
    shares,
)
from rea_capture.report.html.folds import folds
from rea_capture.report.html.other_events import other_events
from rea_capture.report.html.pictures import screenshot_of
from rea_capture.report.html.texts import fitting_texts, limitations
from rea_capture.report.html.transactions import transactions
from rea_capture.report.view import (
    COMPARED_ARTIFACTS,
    SIDES,
    ArtifactView,
    CaptureView,
    ComparisonView,
    Report,
    Side,
    StepView,
)


@dataclass(frozen=True, slots=True)
class Contents:
    """The data of one comparison: what is read when it is opened, and what when its events are."""

    comparison: dict[str, Any]
    events: Mapping[Side, dict[str, Any]]


def contents(report: Report) -> tuple[Contents, ...]:
    """The data of every comparison of ``report``."""
    explanations, spent = _explanations(report)
    unfolded, spent_on_folds = _folds(report, explanations)
    comparisons, spent_on_texts = fitting_texts([_comparison(one) for one in report.comparisons])
    events = _events(report, MAX_TEXT_BYTES - spent - spent_on_folds - spent_on_texts)
    return tuple(
        Contents(
            comparison=_explained(comparisons[position], one, explanations[position], unfolded[position]),
            events={side: events[position, side] for side in SIDES if (position, side) in events},
        )
        for position, one in enumerate(report.comparisons)
    )


# Explanations

_Explanations: TypeAlias = dict[tuple[int, str], AnyExplanation]


def _explanations(report: Report) -> tuple[list[_Explanations], int]:
    """For each comparison, those that are in the file, by place of the step and artifact; and their size."""
    rows = [
        (number, position, artifact.row)
        for number, one in enumerate(report.comparisons)
        for position, step in enumerate(one.steps)
        for artifact in step.artifacts
        if artifact.row is not None and artifact.row.explanation is not None
    ]
    sizes = [len(json_bytes(row.explanation)) for _, _, row in rows]
    made: list[_Explanations] = [{} for _ in report.comparisons]
    spent = 0
    for (number, position, row), size, share in zip(
        rows, sizes, shares(sizes, MAX_EXPLANATION_BYTES), strict=True
    ):
        assert row.explanation is not None
        kept = row.explanation if share == size else fitted(row.explanation, share)
        made[number][position, row.artifact] = kept
        spent += size if kept is row.explanation else len(json_bytes(kept))
    return made, spent


def _folds(
    report: Report, explanations: Sequence[_Explanations]
) -> tuple[list[dict[tuple[int, str], Any]], int]:
    """The lines around the differences that are in the file, those of a comparison at the same place."""
    made: list[dict[tuple[int, str], Any]] = [{} for _ in report.comparisons]
    left = MAX_FOLD_BYTES
    for number, one in enumerate(report.comparisons):
        for (position, artifact), explanation in explanations[number].items():
            if isinstance(explanation, TextExplanation):
                step = one.steps[position]
                found = folds(explanation, artifact, step.before, one.normalization.rules)
                size = 0 if found is None else len(json_bytes(found))
                if 0 < size <= left:
                    left -= size
                    made[number][position, artifact] = found
    return made, MAX_FOLD_BYTES - left


# Events


def _events(report: Report, budget: int) -> dict[tuple[int, Side], dict[str, Any]]:
    found = {
        (number, side): _rows_of(one, side, result)
        for number, one in enumerate(report.comparisons)
        for side in SIDES
        if (result := _result_of(one, side)) is not None
    }
    needs = [len(json_bytes([row for _, row in rows])) for rows in found.values()]
    made: dict[tuple[int, Side], dict[str, Any]] = {}
    for (key, rows), share in zip(found.items(), shares(needs, budget), strict=True):
        kept = fitting_rows([row for _, row in rows], [rank for rank, _ in rows], share)
        network = [row for row in kept if "method" in row]
        others = [row for row in kept if "method" not in row]
        made[key] = {"network": network, "omitted": len(rows) - len(kept), "others": others}
    return made


def _result_of(comparison: ComparisonView, side: Side) -> CaptureResult | None:
    return (comparison.before if side == "before" else comparison.after).result


def _rows_of(
    comparison: ComparisonView, side: Side, result: CaptureResult
) -> list[tuple[int, dict[str, Any]]]:
    """Transactions and other events with their ranks; those of a step that differs come first."""
    quiet = {getattr(step, f"{side}_step_index") for step in comparison.steps if step.status == "unchanged"}
    rows = [*transactions(result.events.items), *other_events(result.events.items)]
    return [(2 * (row["step_index"] in quiet) + (not _is_telling(row)), row) for row in rows]


def _is_telling(row: Mapping[str, Any]) -> bool:
    return "method" in row or row["kind"] == "page-error" or row.get("level") in {"error", "warning"}


# Steps and what is known of the captures


def _comparison(one: ComparisonView) -> dict[str, Any]:
    """All but explanations and what belongs to these."""
    return {
        "after": _capture(one.after),
        "alignment_status": one.alignment.status,
        "before": _capture(one.before),
        "counts": one.counts,
        "evidence_id": one.evidence_id,
        "limitations": limitations(one.limitations),
        "name": well_formed(one.name),
        "normalization": one.normalization,
        "provider": one.provider,
        "status": one.status,
        "steps": [_step(step) for step in one.steps],
        "unknown_besides": [
            _unknown(found) for found in findings(one) if found.subject not in COMPARED_ARTIFACTS
        ],
    }


def _unknown(finding: Finding) -> dict[str, Any]:
    """What no row of a step says: of the alignment, or of the verdict."""
    return {
        "reason": finding.reason,
        "recovery": finding.recovery,
        "step_id": finding.step_id,
        "subject": finding.subject,
    }


def _explained(
    made: dict[str, Any],
    one: ComparisonView,
    explanations: _Explanations,
    unfolded: Mapping[tuple[int, str], Any],
) -> dict[str, Any]:
    """``made`` with the explanations, and with the lines around them."""
    for position, step in enumerate(one.steps):
        for artifact, shown in zip(step.artifacts, made["steps"][position]["artifacts"], strict=True):
            key = position, artifact.artifact
            if artifact.row is not None:
                shown.update(_explanation(artifact.row, explanations.get(key)))
            if key in unfolded:
                shown["folds"] = unfolded[key]
    return made


def _explanation(row: ArtifactDiff, kept: AnyExplanation | None) -> dict[str, Any]:
    whole, omitted = row.explanation, 0
    if isinstance(whole, PixelExplanation) and isinstance(kept, PixelExplanation):
        omitted = len(whole.regions) - len(kept.regions)
    return {"explanation": kept, "omitted_regions": omitted}


def _step(step: StepView) -> dict[str, Any]:
    return {
        "after": _captured_step(step.after),
        "after_action": step.after_action,
        "after_step_index": step.after_step_index,
        "artifacts": [_artifact(artifact, step) for artifact in step.artifacts],
        "before": _captured_step(step.before),
        "before_action": step.before_action,
        "before_step_index": step.before_step_index,
        "failures": step.failures,
        "status": step.status,
        "step_id": step.step_id,
    }


def _captured_step(step: Step | None) -> dict[str, Any] | None:
    if step is None:
        return None
    shot = screenshot_of(step)
    return {
        "after_url": step.after_url.url,
        "before_url": step.before_url.url,
        "elapsed_ms": step.elapsed_ms,
        "error": step.error,
        "missing_sections": step.completeness.missing_sections,
        "screenshot": None if shot is None else shot.sha256,
        "status": step.status,
        "truncated_sections": step.completeness.truncated_sections,
    }


def _artifact(artifact: ArtifactView, step: StepView) -> dict[str, Any]:
    made: dict[str, Any] = {"artifact": artifact.artifact, "status": artifact.status}
    if artifact.row is not None:
        made |= _row(artifact.row)
        for side, captured in (("before", step.before), ("after", step.after)):
            made[f"{side}_note"] = _note(captured, artifact.artifact)
    return made


def _row(row: ArtifactDiff) -> dict[str, Any]:
    return {
        "after_sha256": row.after_sha256,
        "after_state": row.after_state,
        "before_sha256": row.before_sha256,
        "before_state": row.before_state,
        "reason": row.reason,
        "recovery": row.recovery,
    }


def _note(step: Step | None, artifact: str) -> str | None:
    """Why a capture does not have an artifact whole, in its own words."""
    state: AnyState | None = None if step is None else getattr(step.artifacts, artifact, None)
    if isinstance(state, Truncated):
        return f"{state.reason} ({state.retained} of {state.observed} bytes were kept.)"
    return state.reason if isinstance(state, Missing) else None


def _capture(view: CaptureView) -> dict[str, Any]:
    made: dict[str, Any] = {"evidence_id": view.evidence_id, "result": None, "sha256": view.sha256}
    if view.result is not None:
        made["result"] = _result(view.result)
    if view.evidence is not None:
        evidence = view.evidence
        made["environment"] = evidence.environment
        made["provider"] = evidence.provider
        made["scenario_sha256"] = evidence.parameters.scenario_sha256
        made["start_url"] = evidence.parameters.start_url.url
        made["limitations"] = limitations(evidence.limitations)
    return made


def _result(result: CaptureResult) -> dict[str, Any]:
    return {
        "browser": result.browser,
        "completeness": result.completeness,
        "dropped": result.events.dropped,
        "duration_ms": result.duration_ms,
        "environment": result.scenario.environment,
        "event_families": result.scenario.event_families,
        "finished_at": result.finished_at,
        "limitations": limitations(result.limitations),
        "retained": result.events.retained,
        "start_origin": result.scenario.start_origin,
        "started_at": result.started_at,
        "step_ids": [step.step_id for step in result.steps],
    }
