"""Which differences tell most of a change: the order in which a reader is given them.

Below: the contracts. Above: ``cli.explaining``, the summaries of the MCP server.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.comparison import ArtifactDiff, ComparedArtifact, ComparisonResult

TELLING: Final[tuple[ComparedArtifact, ...]] = (
    "action_state",
    "url",
    "events",
    "dom",
    "screenshot",
    "accessibility",
    "storage",
    "history",
)
"""The order of artifacts: what the step did, where it led and what it asked for come before what that
looked like. Artifacts of one kind stand in the order of their steps."""


def telling_rank(diff: ArtifactDiff) -> tuple[bool, int]:
    """To sort by: changes in the order of :data:`TELLING`, then the unknowns in theirs."""
    return diff.status != "changed", TELLING.index(diff.artifact)


def most_telling_first(result: ComparisonResult) -> list[tuple[str, ArtifactDiff]]:
    """Each row with its step's id, in the order of :func:`telling_rank`."""
    rows = [(step.step_id, diff) for step in result.steps for diff in step.artifact_diffs]
    return sorted(rows, key=lambda row: telling_rank(row[1]))
