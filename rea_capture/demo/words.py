"""What a verdict rests on, in words: one line a step, with the most telling facts under it.

The facts are those of the comparison's explanations; nothing here decides anything.

Below: the contracts. Above: ``story``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rea_capture.contracts.comparison import ArtifactDiff, ComparisonResult, StepComparison
from rea_capture.contracts.explanation import (
    EventsExplanation,
    PixelExplanation,
    TextDiff,
    TextExplanation,
    ValueExplanation,
)

MAX_FACTS: Final = 8
"""Facts shown under one artifact; the documents hold them all."""
_SIGNS: Final = {"added": "+", "removed": "-"}


def verdict_words(comparison: ComparisonResult) -> list[str]:
    """Lines of text that say how the verdict came about."""
    telling = [step for step in comparison.steps if step.artifact_diffs]
    lines = [
        f"{comparison.overall_status}: {comparison.alignment.aligned_steps} steps aligned, "
        f"{len(telling)} of them not the same"
    ]
    lines += [f"  not aligned: {failure.reason}" for failure in comparison.alignment.failures]
    for step in telling:
        lines += _step_words(step)
    return lines


def _step_words(step: StepComparison) -> Iterator[str]:
    yield f"  step {step.step_id}"
    for row in step.artifact_diffs:
        why = row.reason if row.explanation is None else row.explanation.summary
        yield f"    {row.artifact}: {row.status}" + (f", {why}" if why else "")
        if row.recovery:
            yield f"      what to do: {row.recovery}"
        facts = list(_facts(row))
        yield from (f"      {fact}" for fact in facts[:MAX_FACTS])
        if len(facts) > MAX_FACTS:
            yield f"      … and {len(facts) - MAX_FACTS} more"


def _facts(row: ArtifactDiff) -> Iterator[str]:
    match row.explanation:
        case TextExplanation(diff=diff):
            yield from _changed_lines(diff)
        case EventsExplanation(network=network, families=families):
            for change in network.items:
                yield f"{_SIGNS.get(change.change, '~')} {change.words}"
            for family in families:
                yield from _changed_lines(family.diff)
        case ValueExplanation(changes=changes):
            yield from (change.words for change in changes)
        case PixelExplanation(regions=regions):
            for region in regions:
                yield f"{region.width} by {region.height} at ({region.x}, {region.y})"


def _changed_lines(diff: TextDiff) -> Iterator[str]:
    for hunk in diff.hunks:
        for line in hunk.lines:
            if line.change != "context":
                yield f"{_SIGNS[line.change]} {line.text.strip().removeprefix('- ')}"
