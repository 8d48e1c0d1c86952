"""``rea explain``: what each change of a comparison looks like, for a person.

Below: ``explaining``, ``inputs``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Final

import click

from rea_capture.cli.inputs import MAX_DOCUMENT_BYTES, input_bytes, is_inline, shown
from rea_capture.cli.output import opened_output
from rea_capture.errors import Fault, InputError
from rea_capture.wording import Name, subject

if TYPE_CHECKING:
    from rea_capture.contracts.comparison import ComparisonResult

DEFAULT_LINES: Final = 40
"""Of each change: a screen. The summary above them has the counts of all."""


@click.command("explain")
@click.argument("comparison", metavar="COMPARISON")
@click.option(
    "--lines",
    default=DEFAULT_LINES,
    show_default=True,
    type=click.IntRange(min=0),
    help="Show at most so many lines of each change; 0 shows all that the document has.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour the text: on a terminal, in a pipe too, or never. NO_COLOR is heeded with auto.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the rows as JSON, in the same order.")
def command(comparison: str, lines: int, color: str, as_json: bool) -> int:
    """Show what changed in COMPARISON, the most telling difference first.

    COMPARISON is what compare-web-captures wrote: the path of a file, - for standard input, or the JSON
    itself. Of what is unknown the reason is shown, and what to do about it.
    """
    with opened_output(as_json=as_json) as out:
        result = _read(comparison)
        if as_json:
            out.write(_rows(result))
            return 0
        from rea_capture.cli.explaining import explanation_text  # noqa: PLC0415 - brings rich

        text = io.StringIO()
        explanation_text(
            result, text, max_lines=lines, coloured=_coloured(color, on_terminal=out.on_terminal)
        )
        out.write(text.getvalue().encode("utf-8", "replace"))
    return 0


def _coloured(color: str, *, on_terminal: bool) -> bool:
    return color == "always" or (color == "auto" and on_terminal and not os.environ.get("NO_COLOR"))


def _rows(result: ComparisonResult) -> bytes:
    import orjson  # noqa: PLC0415 - with --json only

    from rea_capture.canonical import canonical_bytes, record_bytes  # noqa: PLC0415 - heavy
    from rea_capture.workflows.telling import most_telling_first  # noqa: PLC0415 - brings the contracts

    rows = [
        {"step_id": step_id, **orjson.loads(record_bytes(diff))}
        for step_id, diff in most_telling_first(result)
    ]
    document = {"overall_status": result.overall_status, "rows": rows}
    return canonical_bytes(document) + b"\n"


def _read(comparison: str) -> ComparisonResult:
    from rea_capture.contracts.comparison import ComparisonResult  # noqa: PLC0415 - heavy
    from rea_capture.evidence import parse  # noqa: PLC0415 - heavy

    name = "comparison" if is_inline(comparison) else Name(shown(comparison))
    result = parse(input_bytes(comparison, max_bytes=MAX_DOCUMENT_BYTES), name).result
    if not isinstance(result, ComparisonResult):
        fault = Fault("", "is a capture; name a comparison, which compare-web-captures makes of two")
        raise InputError(f"{subject(name)} {fault.message}", [fault])
    return result
