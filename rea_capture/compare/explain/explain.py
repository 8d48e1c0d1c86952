"""A finished comparison with explanations: the same verdict, and what each change looks like.

    1. Of either capture, one after the other, keep what changed (``parts``).
    2. Explain each changed row by its kind, in the order of the rows, while the bounds of the whole last.
    3. Put the explanations into the rows. Nothing else of the comparison is touched.

Nothing here may cost a verdict: what cannot be explained is said to be so.

Below: the rest of the folder, each kind imported when something of it changed. Above: ``workflows``.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rea_capture.canonical import record_bytes
from rea_capture.compare.explain.bounds import Bounds, SpentError
from rea_capture.compare.explain.parts import ChangedParts
from rea_capture.contracts.comparison import ArtifactDiff, ComparisonResult
from rea_capture.contracts.encodings import png_size
from rea_capture.contracts.explanation import AnyExplanation, NoExplanation


def explained(result: ComparisonResult, before: ChangedParts, after: ChangedParts) -> ComparisonResult:
    """``result`` with an explanation of each changed row. The parts are those of its two captures."""
    bounds = Bounds()

    def row(step_id: str, diff: ArtifactDiff) -> ArtifactDiff:
        if diff.status != "changed":
            return diff
        return replace(
            diff, explanation=_within(bounds, lambda: _explanation(step_id, diff, before, after, bounds))
        )

    steps = tuple(
        replace(step, artifact_diffs=tuple(row(step.step_id, diff) for diff in step.artifact_diffs))
        for step in result.steps
    )
    return replace(result, steps=steps)


def unexplained(result: ComparisonResult, why: str) -> ComparisonResult:
    """``result`` where no change can be explained, for the reason ``why``, a sentence."""
    none = NoExplanation(summary=why)
    steps = tuple(
        replace(
            step,
            artifact_diffs=tuple(
                replace(diff, explanation=none) if diff.status == "changed" else diff
                for diff in step.artifact_diffs
            ),
        )
        for step in result.steps
    )
    return replace(result, steps=steps)


def _within(bounds: Bounds, explain: Callable[[], AnyExplanation]) -> AnyExplanation:
    try:
        explanation = explain()
        bounds.take("bytes", len(record_bytes(explanation)))
    except SpentError as spent:
        return NoExplanation(summary=f"Not explained: {spent}; the two captures have it.")
    except Exception as error:
        # A verdict is not lost for want of words. The message may quote the page; the kind does not.
        return NoExplanation(summary=f"Not explained: {type(error).__name__}, a defect of this program.")
    return explanation


def _explanation(
    step_id: str, diff: ArtifactDiff, before: ChangedParts, after: ChangedParts, bounds: Bounds
) -> AnyExplanation:
    if diff.artifact == "events":
        return _events(step_id, before, after, bounds)
    one, other = (side.artifacts[step_id, diff.artifact] for side in (before, after))
    match diff.artifact:
        case "screenshot":
            return _pixels(one, other, bounds)
        case "dom" | "accessibility":
            return _text(one, other, bounds, is_markup=diff.artifact == "dom")
        case _:
            return _values(one, other, bounds)


def _events(step_id: str, before: ChangedParts, after: ChangedParts, bounds: Bounds) -> AnyExplanation:
    from rea_capture.compare.explain.events.transactions import events_explanation  # noqa: PLC0415 - when needed

    assert before.events is not None
    assert after.events is not None
    return events_explanation(
        before.events, after.events, before.positions[step_id], after.positions[step_id], bounds=bounds
    )


def _pixels(before: str, after: str, bounds: Bounds) -> AnyExplanation:
    from rea_capture.compare.explain.pixels.pixels import pixel_explanation  # noqa: PLC0415 - brings NumPy

    one, other = base64.b64decode(before), base64.b64decode(after)
    bounds.take("pixels", sum(width * height for width, height in (png_size(one), png_size(other))))
    return pixel_explanation(one, other)


def _text(before: str, after: str, bounds: Bounds, *, is_markup: bool) -> AnyExplanation:
    from rea_capture.compare.explain.text.text import text_explanation  # noqa: PLC0415 - brings selectolax

    bounds.take("characters", len(before) + len(after))
    return text_explanation(before, after, is_markup=is_markup, bounds=bounds)


def _values(before: Any, after: Any, bounds: Bounds) -> AnyExplanation:
    from rea_capture.compare.explain.values.values import value_explanation  # noqa: PLC0415 - brings deepdiff

    bounds.take("characters", len(record_bytes([before, after])))
    return value_explanation(before, after, bounds=bounds)
