"""What changed in a text, and in the elements of a document.

Below: ``bounds``, ``lines``, ``wording``; ``elements``, which brings selectolax, only for markup.
Above: ``explain``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.compare.explain.bounds import Bounds
from rea_capture.compare.explain.text.common_runs import DEFAULT_STEPS
from rea_capture.compare.explain.text.lines import text_diff
from rea_capture.contracts.explanation import ElementChanges, TextDiff, TextExplanation
from rea_capture.contracts.line_splits import Split
from rea_capture.garbage import collector_paused
from rea_capture.wording import counted, figure, sentence

_BETWEEN: Final = (
    "no element changed, only what is between them (white space, comments, the doctype or the order of text)"
)


def text_explanation(
    before: str, after: str, *, is_markup: bool, bounds: Bounds | None = None
) -> TextExplanation:
    """The difference of two texts, bounded, in a time bounded by counts; ``bounds`` are those of the whole.

    ``is_markup`` texts are documents of HTML; their elements are compared, too. With the texts exchanged the
    words are exchanged, and nothing else is. Raises :class:`SpentError`.
    """
    bounds = bounds or Bounds()
    split: Split = "markup" if is_markup else "lines"
    with collector_paused():
        with bounds.some("steps", DEFAULT_STEPS) as steps:
            diff = text_diff(before, after, split, steps)
        elements = _elements(before, after, bounds) if is_markup else None
    return TextExplanation(diff=diff, elements=elements, split=split, summary=_summary(diff, elements))


def _elements(before: str, after: str, bounds: Bounds) -> ElementChanges:
    from rea_capture.compare.explain.text.elements import element_changes  # noqa: PLC0415 - brings selectolax

    return element_changes(before, after, bounds)


def _summary(diff: TextDiff, elements: ElementChanges | None) -> str:
    lines = _lines(diff)
    return sentence(f"{_of_elements(elements)}; {lines}" if elements else lines)


def _lines(diff: TextDiff) -> str:
    told = _with_verb([(diff.removed_lines, "line")], "removed")
    told += _with_verb([(diff.added_lines, "" if told else "line")], "added")
    return ", ".join(told) or "no line differs"


def _of_elements(elements: ElementChanges) -> str:
    if not elements.matched:
        return (
            f"the documents are too large or have too little in common to tell which element became which: "
            f"{counted(elements.removed, 'element')} before, {figure(elements.added)} after"
        )
    told = _with_verb([(elements.texts, "text"), (elements.attributes, "attribute")], "changed")
    for count, verb in ((elements.added, "added"), (elements.removed, "removed"), (elements.moved, "moved")):
        told += _with_verb([(count, "element")], verb)
    return ", ".join(told) or _BETWEEN


def _with_verb(counts: list[tuple[int, str]], verb: str) -> list[str]:
    """``2 texts and 1 attribute changed``; nothing where nothing did."""
    told = " and ".join(counted(count, noun) if noun else figure(count) for count, noun in counts if count)
    return [f"{told} {verb}"] if told else []
