"""What keeps a capture from being complete, in words: whoever reads one is told at once.

A run ends with the first step that does not complete. That one is named with its error; the later ones, which
only repeat it, are counted.

Below: ``limits``, ``wording``. Above: ``origin``, the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import counted, on_one_line, shortened

if TYPE_CHECKING:
    from rea_capture.contracts.capture import CaptureResult

_StepEnd = tuple[str, str, str | None]
"""The id, the status and the error of a step."""


def shortfall_of_record(result: CaptureResult) -> str | None:
    """Words for what ``result`` lacks, such as "step buy failed: …"; None where it is complete."""
    completeness = result.completeness
    return _shortfall(
        [(step.step_id, step.status, step.error) for step in result.steps],
        completeness.missing_sections,
        completeness.truncated_sections,
    )


def shortfall_of_result(result: dict[str, Any]) -> str | None:
    """The same for the plain JSON of a capture that has been checked."""
    completeness = result["completeness"]
    return _shortfall(
        [(step["step_id"], step["status"], step["error"]) for step in result["steps"]],
        completeness["missing_sections"],
        completeness["truncated_sections"],
    )


def _shortfall(steps: Sequence[_StepEnd], missing: Sequence[str], truncated: Sequence[str]) -> str | None:
    if not missing and not truncated:
        return None
    incomplete = [step for step in steps if step[1] != "completed"]
    if not incomplete:
        return _sections(missing, truncated)
    step_id, status, error = incomplete[0]
    words = f"step {step_id} {status}: {shortened(on_one_line(error or ''), MAX_SENTENCE_CHARACTERS)}"
    later = len(incomplete) - 1
    return words if later == 0 else f"{words}; {counted(later, 'later step')} did not complete either"


def _sections(missing: Sequence[str], truncated: Sequence[str]) -> str:
    parts = (("missing", missing), ("cut off", truncated))
    return "; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)
