"""The text of ``rea explain``: the summary, then each difference, the most telling first.

Everything a page had a part in goes through ``printable`` and is never read as markup.

Below: rich, the contracts, ``workflows.telling``. Above: ``explain_command``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import IO, Final

from rich.console import Console
from rich.text import Text

from rea_capture.cli.terminal import printable
from rea_capture.contracts.comparison import ArtifactDiff, ComparisonResult
from rea_capture.contracts.explanation import (
    AnyExplanation,
    DiffLine,
    ElementChange,
    EventsExplanation,
    PixelExplanation,
    TextDiff,
    TextExplanation,
    TransactionChange,
    ValueExplanation,
)
from rea_capture.wording import counted, figure, listed, on_one_line, shortened
from rea_capture.workflows.telling import most_telling_first

_STATUS_STYLES: Final = {"unchanged": "bold green", "changed": "bold red", "unknown": "bold yellow"}
_CHANGE_STYLES: Final = {"added": "green", "removed": "red", "context": "dim"}
_MARKS: Final = {"added": "+", "removed": "-", "context": " ", "changed": "~", "moved": ">"}
MAX_NAMED_STEPS: Final = 12
"""Steps that are named where one thing is said of many; the rest are counted."""

_MAX_LINE_CHARACTERS: Final = 400
"""What a line of a terminal is worth reading of; the document has more."""


def explanation_text(result: ComparisonResult, stream: IO[str], *, max_lines: int, coloured: bool) -> None:
    """Write it; ``max_lines`` of each difference, 0 for all."""
    console = Console(
        file=stream,
        force_terminal=coloured,
        no_color=not coloured,
        color_system="standard" if coloured else None,
        highlight=False,
        emoji=False,
        markup=False,
        soft_wrap=True,
    )
    rows = most_telling_first(result)
    for line in _head(result, rows):
        console.print(line)
    for step_ids, diff in _said_once(rows):
        console.print()
        for line in _row(listed(step_ids, MAX_NAMED_STEPS), diff, max_lines):
            console.print(line)


def _said_once(rows: Iterable[tuple[str, ArtifactDiff]]) -> Iterator[tuple[list[str], ArtifactDiff]]:
    """Each row with its step; those in a row of which the same is unknown for the same reason are one.

    A step that fails leaves every later one unknown, in the same words.
    """

    def said(row: tuple[int, tuple[str, ArtifactDiff]]) -> object:
        place, (_, diff) = row
        return place if diff.status == "changed" else (diff.artifact, diff.reason, diff.recovery)

    for _, alike in groupby(enumerate(rows), said):
        found = [row for _, row in alike]
        yield [step_id for step_id, _ in found], found[0][1]


def _head(result: ComparisonResult, rows: list[tuple[str, ArtifactDiff]]) -> Iterator[Text]:
    status = result.overall_status
    yield Text.assemble(("Verdict: ", "bold"), (status, _STATUS_STYLES[status]))
    changed = sum(diff.status == "changed" for _, diff in rows)
    steps = counted(result.alignment.aligned_steps, "step")
    yield Text(
        f"{counted(changed, 'artifact')} changed, {figure(len(rows) - changed)} unknown, in {steps} "
        f"({result.alignment.status})"
    )
    for failure in result.alignment.failures:
        yield Text.assemble("alignment: ", _line(failure.reason))


def _row(steps: str, diff: ArtifactDiff, max_lines: int) -> Iterator[Text]:
    title = Text.assemble(
        _line(f"{steps} · {diff.artifact}", "bold"), " ", (diff.status, _STATUS_STYLES[diff.status])
    )
    yield title
    if diff.status == "unknown":
        yield Text.assemble("  ", _line(diff.reason or ""))
        if diff.recovery is not None:
            yield Text.assemble("  what to do: ", _line(diff.recovery))
        return
    if diff.explanation is None:
        yield Text(
            "  The comparison was made without explanations; compare the two captures again to have them."
        )
        return
    yield Text.assemble("  ", _line(diff.explanation.summary))
    lines = list(_body(diff.explanation))
    shown = lines[:max_lines] if max_lines else lines
    yield from (Text.assemble("  ", line) for line in shown)
    if len(lines) > len(shown):
        yield Text(f"  … {counted(len(lines) - len(shown), 'more line')}; --lines 0 shows all", style="dim")


def _body(explanation: AnyExplanation) -> Iterator[Text]:
    match explanation:
        case TextExplanation(elements=elements, diff=diff, split=split):
            if elements is not None:
                for change in elements.items:
                    yield from _element(change)
                yield from _left_out(elements.omitted, "more element change")
            yield from _diff(diff, ends_matter=split == "lines")
        case PixelExplanation(regions=regions):
            for box in regions:
                pixels = counted(box.changed_pixels, "pixel")
                yield Text(f"{pixels} in {box.width} by {box.height} at ({box.x}, {box.y})")
        case ValueExplanation(changes=changes, omitted=omitted):
            for value in changes:
                yield Text.assemble(
                    (_MARKS[value.change], _CHANGE_STYLES.get(value.change, "")), " ", _line(value.words)
                )
            yield from _left_out(omitted, "more change")
        case EventsExplanation():
            yield from _events(explanation)


def _element(change: ElementChange) -> Iterator[Text]:
    path = change.after_path if change.before_path is None else change.before_path
    what = change.change if change.name is None else f"{change.change} {change.name}"
    yield Text.assemble(
        _line(what),
        " of " if change.change in {"text", "attribute"} else " ",
        _line(path or "", "bold"),
    )
    if change.change == "moved":
        yield Text.assemble("  to ", _line(change.after_path or ""))
        return
    if change.before is not None:
        yield Text.assemble("  - ", _line(change.before), style="red")
    if change.after is not None:
        yield Text.assemble("  + ", _line(change.after), style="green")


def _content(line: DiffLine) -> str:
    text = shortened(printable(line.text.removesuffix("\n")), _MAX_LINE_CHARACTERS).replace("\n", "\\n")
    cut = counted(line.omitted_characters, "more character")
    return f"{text} … {cut}" if line.omitted_characters else text


def _diff(diff: TextDiff, *, ends_matter: bool = False) -> Iterator[Text]:
    for hunk in diff.hunks:
        yield Text(
            f"@@ -{hunk.before_start + 1},{hunk.before_count} +{hunk.after_start + 1},{hunk.after_count} @@",
            style="cyan",
        )
        for line in hunk.lines:
            yield Text(f"{_MARKS[line.change]} {_content(line)}", style=_CHANGE_STYLES[line.change])
            if ends_matter and diff.ends_differ and line.lacks_end:
                yield Text("\\ No line end", style="dim")
    yield from _left_out(diff.omitted_lines, "more line of the difference")


def _events(explanation: EventsExplanation) -> Iterator[Text]:
    network = explanation.network
    for change in network.items:
        yield from _transaction(change)
    yield from _left_out(network.omitted, "more transaction")
    for family in explanation.families:
        yield Text(family.family, style="bold")
        yield from _diff(family.diff)


def _transaction(change: TransactionChange) -> Iterator[Text]:
    yield Text.assemble(
        (_MARKS[change.change], _CHANGE_STYLES.get(change.change, "")), " ", _line(change.words)
    )
    for url in change.redirected_from:
        yield Text.assemble("    redirected from ", _line(url))
    for field in change.fields:
        before, after = ("nothing" if value is None else value for value in (field.before, field.after))
        yield Text.assemble("    ", _line(f"{field.event} {field.field}: {before} → {after}"))
    yield from (Text.assemble("    ", line) for line in _left_out(change.omitted_fields, "more field"))


def _left_out(count: int, noun: str) -> Iterable[Text]:
    return [Text(f"… {counted(count, noun)} not in the document", style="dim")] if count else []


def _line(text: str, style: str = "") -> Text:
    return Text(shortened(on_one_line(printable(text)), _MAX_LINE_CHARACTERS), style=style)
