"""Lines around the hunks of a text's difference, which a reader unfolds: those nearest to each hunk.

They are taken from the text before, after the caller rules of the comparison, and only where every hunk is
found in it where it says that it is. A difference that is not whole has none: between its hunks there may be
lines that changed.

Below: ``contracts``. Above: ``contents``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rea_capture.contracts.artifacts import CapturedText
from rea_capture.contracts.capture import Step
from rea_capture.contracts.comparison import RecordedRule
from rea_capture.contracts.explanation import Hunk, TextExplanation
from rea_capture.contracts.line_splits import pieces

NEAR_LINES: Final = 40
"""Of a fold, at either end: with the context of the hunks more than a screen around each change."""

MAX_LINE_CHARACTERS: Final = 400
"""A longer line is cut, as it is in a difference."""

MAX_SPLIT_CHARACTERS: Final = 8 * 1024 * 1024
"""A longer text is not split again for a few lines: splitting takes about a tenth of a second for these."""


def folds(
    explanation: TextExplanation, artifact: str, before: Step | None, rules: Iterable[RecordedRule]
) -> list[dict[str, Any]] | None:
    """One before each hunk and one behind the last; None where the lines are not at hand."""
    diff = explanation.diff
    state = None if before is None else getattr(before.artifacts, artifact)
    if not isinstance(state, CapturedText) or diff.omitted_hunks or diff.omitted_lines:
        return None
    text = state.value.text
    if len(text) > MAX_SPLIT_CHARACTERS:
        return None
    for rule in rules:
        if artifact in rule.artifacts:
            text = text.replace(rule.match, rule.replacement)
    lines = list(pieces(text, explanation.split))
    if not all(_fits(hunk, lines) for hunk in diff.hunks):
        return None
    ends = [0, *(hunk.before_start + hunk.before_count for hunk in diff.hunks)]
    starts = [*(hunk.before_start for hunk in diff.hunks), len(lines)]
    return [_fold(lines[end:start]) for end, start in zip(ends, starts, strict=True)]


def _fits(hunk: Hunk, lines: Sequence[str]) -> bool:
    """Whether ``hunk`` has the lines that are where it begins."""
    told = [line for line in hunk.lines if line.change != "added"]
    found = lines[hunk.before_start : hunk.before_start + hunk.before_count]
    return len(told) == len(found) and all(
        line.text == text if not line.omitted_characters else text.startswith(line.text)
        for line, text in zip(told, found, strict=True)
    )


def _fold(lines: Sequence[str]) -> dict[str, Any]:
    """The lines at either end, of which each is its text and how many characters were cut off."""
    head = lines[:NEAR_LINES]
    tail = lines[max(len(head), len(lines) - NEAR_LINES) :]
    return {"count": len(lines), "head": [_cut(line) for line in head], "tail": [_cut(line) for line in tail]}


def _cut(line: str) -> tuple[str, int]:
    return line[:MAX_LINE_CHARACTERS], max(0, len(line) - MAX_LINE_CHARACTERS)
