"""The group of commands, each loaded when it is asked for, and the one place where a run ends.

Below: click, ``lazy_group``, ``failures``. Above: ``main``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import click

from rea_capture.cli.failures import status_of_failure
from rea_capture.cli.lazy_group import CommandEntry, LazyGroup
from rea_capture.version import __version__

PROGRAM_NAME: Final = "rea"


COMMANDS: Final[Mapping[str, CommandEntry]] = {
    "capture-browser-scenario": CommandEntry("capture_command", "Run a scenario and write its Evidence."),
    "compare-web-captures": CommandEntry("compare_command", "Compare two captures: what changed?"),
    "explain": CommandEntry("explain_command", "Show what changed, most telling difference first."),
    "report": CommandEntry("report_command", "Report comparisons: HTML, Markdown, JUnit, annotations."),
    "verify": CommandEntry("verify_command", "Recompute ids, digests and sizes of documents."),
    "validate": CommandEntry("validate_command", "Check a scenario or a comparison input; run nothing."),
    "schema": CommandEntry("schema_command", "Print a JSON Schema, or the names of all."),
    "list-browser-targets": CommandEntry("targets_command", "List what a running browser has to attach to."),
    "browser": CommandEntry("browser_command", "Drive a browser step by step."),
    "serve-mcp": CommandEntry("serve_command", "Serve all of this to MCP clients."),
    "doctor": CommandEntry("doctor_command", "Say what would stop a capture on this machine."),
    "clean": CommandEntry("clean_command", "Take down what killed captures have left."),
}


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    name=PROGRAM_NAME,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`rea COMMAND --help` tells more. Exit statuses: 0 done, 64 command line, 65 input, "
    "69 unavailable, 70 defect, 73 output.",
)
@click.version_option(__version__, prog_name=PROGRAM_NAME, message="%(prog)s %(version)s")
def program() -> None:
    """Run a declarative browser scenario before and after a deploy, keep evidence that verifies itself,
    and be told what changed.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments``; the exit status. Never raises for what a user can cause."""
    try:
        status = program.main(
            args=None if arguments is None else list(arguments),
            prog_name=PROGRAM_NAME,
            standalone_mode=False,
        )
    except BaseException as error:  # the one place where everything ends
        return status_of_failure(error)
    return status if isinstance(status, int) else 0
