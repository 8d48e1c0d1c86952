"""``rea capture-browser-scenario``: a scenario in, Evidence out.

Below: ``workflows.interruptible``, ``inputs``, ``output``, ``stream``, ``capture_status``. Above:
``program``.
"""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, Final

import click

from rea_capture.cli.capture_status import exit_status
from rea_capture.cli.inputs import MAX_SCENARIO_BYTES, input_bytes
from rea_capture.cli.options import json_option, output_option, refuse_to_overwrite
from rea_capture.cli.output import opened_output
from rea_capture.cli.progress import progress_on
from rea_capture.cli.terminal import is_terminal, printable

if TYPE_CHECKING:
    from rea_capture.contracts.capture_evidence import CaptureEvidence


_JSONL: Final = "--jsonl"


class _CaptureCommand(click.Command):
    """A command of which a wrong command line ends the stream, if it asks for one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it."""
        streams = _JSONL in args
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if streams:
                from rea_capture.cli.stream import tell_wrong_command_line  # noqa: PLC0415 - only with --jsonl

                tell_wrong_command_line(error)
            raise


def _tell_what_it_lacks(evidence: CaptureEvidence) -> None:
    """One line on standard error, for a capture that is not complete."""
    from rea_capture.evidence.shortfall import shortfall_of_record  # noqa: PLC0415 - heavy

    if lacks := shortfall_of_record(evidence.normalized_result):
        click.echo(f"rea: the capture is incomplete: {printable(lacks)}", err=True)


@click.command("capture-browser-scenario", cls=_CaptureCommand)
@click.argument("input_json")
@click.option(
    "--executable-path",
    metavar="PATH",
    help="The browser to start, where the scenario names none (else REA_EXECUTABLE_PATH).",
)
@output_option
@json_option
@click.option(
    _JSONL,
    "as_lines",
    is_flag=True,
    help="Write JSON Lines to standard output while the capture runs; the last is the Evidence, or with "
    "--output where it is, or an error.",
)
@click.option(
    "--require-complete",
    is_flag=True,
    help="Exit with 2 when something that was asked for was not seen, such as when the site is down. The "
    "Evidence is written all the same.",
)
def command(
    input_json: str,
    executable_path: str | None,
    output: str | None,
    as_json: bool,
    as_lines: bool,
    require_complete: bool,
) -> int:
    """Run the scenario INPUT_JSON and write its Evidence.

    INPUT_JSON is the path of a file, - for standard input, or the JSON itself. A failed action is part
    of the Evidence, not an error, and so is a site that is down: a line on standard error says so, and
    --require-complete makes it exit with 2. SIGINT, SIGTERM and SIGHUP end the capture early and still
    write what it saw.
    """
    if as_lines:
        from rea_capture.cli.stream import capture_as_lines  # noqa: PLC0415 - only with --jsonl

        return capture_as_lines(
            input_json, executable_path, output, as_json=as_json, require_complete=require_complete
        )
    refuse_to_overwrite(output, [input_json, executable_path])
    with opened_output(as_json=as_json, path=output) as out:
        data = input_bytes(input_json, max_bytes=MAX_SCENARIO_BYTES)
        if out.path is not None:
            from rea_capture.evidence.writing import check_destination  # noqa: PLC0415 - only with --output

            check_destination(out.path)
        from rea_capture.workflows.interruptible import Interruption, capture_document  # noqa: PLC0415 - heavy

        with Interruption() as interruption:
            evidence = capture_document(
                data,
                executable_path=executable_path,
                environ=os.environ,
                progress=progress_on(sys.stderr if is_terminal(sys.stderr) else None),
                interruption=interruption,
            )
            from rea_capture.evidence.envelope import evidence_bytes  # noqa: PLC0415 - heavy

            def summarise(stream: IO[str]) -> None:
                from rea_capture.cli.summary import capture_summary  # noqa: PLC0415 - brings rich

                capture_summary(evidence, stream, out.path)

            document = evidence_bytes(evidence)
            interruption.saving()
            out.document(document, summarise)
            if not is_terminal(sys.stdout):
                _tell_what_it_lacks(evidence)
    return exit_status(evidence, interruption.first, require_complete=require_complete)
