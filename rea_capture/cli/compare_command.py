"""``rea compare-web-captures``: two captures in, a verdict out.

Below: ``workflows.compare``, ``inputs``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import os
from functools import cache
from typing import IO, TYPE_CHECKING, Final

import click

from rea_capture.cli.inputs import MAX_DOCUMENT_BYTES, MAX_SCENARIO_BYTES, input_bytes
from rea_capture.cli.options import json_option, output_option, refuse_to_overwrite
from rea_capture.cli.output import opened_output
from rea_capture.garbage import collector_paused

if TYPE_CHECKING:
    from collections.abc import Callable

    from rea_capture.contracts.comparison import Status
    from rea_capture.contracts.comparison_evidence import ComparisonEvidence
    from rea_capture.contracts.normalization import Normalization

VERDICT_STATUSES: Final = {"unchanged": 0, "changed": 1, "unknown": 2}
"""Exit statuses with ``--exit-code``."""


@click.command("compare-web-captures")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT_JSON | BEFORE AFTER")
@click.option("--rules", metavar="FILE", help='Caller rules for BEFORE AFTER: {"rules": [...]}.')
@click.option(
    "--explain/--no-explain", default=True, help="Say of each change what it looks like (so by default)."
)
@click.option("--exit-code", is_flag=True, help="End with 0 for unchanged, 1 for changed and 2 for unknown.")
@output_option
@json_option
def command(
    *,
    inputs: tuple[str, ...],
    rules: str | None,
    explain: bool,
    exit_code: bool,
    output: str | None,
    as_json: bool,
) -> int:
    """Compare two captures: what changed, what did not, and what cannot be said.

    Give BEFORE and AFTER, two captures; or INPUT_JSON, an object {before_scenario, after_scenario,
    normalization?} that holds them. Each argument is the path of a file, - for standard input, or the
    JSON itself. A capture is whole Evidence or its normalized_result.
    """
    _check_usage(inputs, rules)
    refuse_to_overwrite(output, [*inputs, rules])
    with collector_paused():
        status = _written(inputs, rules, output, explain=explain, as_json=as_json)
    return VERDICT_STATUSES[status] if exit_code else 0


def _written(
    inputs: tuple[str, ...], rules: str | None, output: str | None, *, explain: bool, as_json: bool
) -> Status:
    """Compare, write the document, and return the verdict; the documents are gone by then."""
    with opened_output(as_json=as_json, path=output) as out:
        evidence = _compared(inputs, rules, explain=explain)
        from rea_capture.evidence.envelope import evidence_bytes  # noqa: PLC0415 - heavy

        def summarise(stream: IO[str]) -> None:
            from rea_capture.cli.summary import comparison_summary  # noqa: PLC0415 - brings rich

            comparison_summary(evidence, stream, out.path)

        out.document(evidence_bytes(evidence), summarise)
    return evidence.normalized_result.overall_status


def _check_usage(inputs: tuple[str, ...], rules: str | None) -> None:
    if len(inputs) > 2:
        raise click.UsageError(f"Give INPUT_JSON, or BEFORE and AFTER; there are {len(inputs)} arguments.")
    if len(inputs) == 1 and rules is not None:
        raise click.UsageError("--rules is for BEFORE AFTER; INPUT_JSON has its own normalization.")
    if [*inputs, rules].count("-") > 1:
        raise click.UsageError("Standard input can be read once only; - may stand for one document.")


def _compared(inputs: tuple[str, ...], rules: str | None, *, explain: bool) -> ComparisonEvidence:
    from rea_capture.workflows.compare import compare_documents, compare_input  # noqa: PLC0415 - heavy

    if len(inputs) == 1:
        return compare_input(input_bytes(inputs[0], max_bytes=MAX_DOCUMENT_BYTES), explain=explain)
    before, after = (_document(argument, again=explain) for argument in inputs)
    return compare_documents(before, after, _normalization(rules), explain=explain)


def _document(argument: str, *, again: bool) -> Callable[[], bytes]:
    """How ``argument`` is read; what can be read once only (a pipe) is kept to be read ``again``."""

    def read() -> bytes:
        return input_bytes(argument, max_bytes=MAX_DOCUMENT_BYTES)

    return read if os.path.isfile(argument) or not again else cache(read)


def _normalization(rules: str | None) -> Normalization | None:
    if rules is None:
        return None
    from rea_capture.workflows.compare import read_normalization  # noqa: PLC0415 - heavy

    return read_normalization(input_bytes(rules, max_bytes=MAX_SCENARIO_BYTES))
