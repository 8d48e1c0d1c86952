"""From what was requested and seen to the sections that are missing or truncated.

Below: ``contracts``. Above: the runner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from rea_capture.contracts.artifacts import AnyState, Artifacts
from rea_capture.contracts.capture import Completeness, Section, Step
from rea_capture.contracts.selection import ARTIFACT_NAMES, ArtifactName
from rea_capture.contracts.states import NOT_REQUESTED, Missing, Truncated


def artifact_sections(artifacts: Artifacts) -> tuple[set[Section], set[Section]]:
    """The artifacts that are missing, and those that are truncated."""
    states: dict[ArtifactName, AnyState] = {name: getattr(artifacts, name) for name in ARTIFACT_NAMES}
    missing: set[Section] = {name for name, state in states.items() if isinstance(state, Missing)}
    truncated: set[Section] = {name for name, state in states.items() if isinstance(state, Truncated)}
    return missing, truncated


def missing_artifacts(requested: Collection[ArtifactName], reason: str) -> Artifacts:
    """Artifacts of which every requested one is missing for the same ``reason``."""
    missing = Missing(reason=reason)
    return Artifacts(**{name: missing if name in requested else NOT_REQUESTED for name in ARTIFACT_NAMES})


def amended(
    steps: Iterable[Step], step_sections: Callable[[int], tuple[set[Section], set[Section]]]
) -> tuple[Step, ...]:
    """``steps`` with what became known of their events after they had been made."""
    return tuple(_amended(step, *step_sections(step.step_index)) for step in steps)


def _amended(step: Step, missing: set[Section], truncated: set[Section]) -> Step:
    known = step.completeness
    completeness = Completeness.of(
        missing.union(known.missing_sections), truncated.union(known.truncated_sections)
    )
    return step if completeness == known else replace(step, completeness=completeness)


def union(parts: Iterable[Completeness]) -> Completeness:
    """Completeness of a whole from that of its parts."""
    missing: set[Section] = set()
    truncated: set[Section] = set()
    for part in parts:
        missing.update(part.missing_sections)
        truncated.update(part.truncated_sections)
    return Completeness.of(missing, truncated)
