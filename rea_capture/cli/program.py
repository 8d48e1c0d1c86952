"""The group of commands, each loaded when it is asked for, and the one place where a run ends.

Below: click, ``failures``. Above: ``main``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import click

from rea_capture.cli.failures import status_of_failure
from rea_capture.version import __version__

PROGRAM_NAME: Final = "rea"


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Where a command lives, and the line that ``--help`` shows without loading it."""

    module: str
    help: str


COMMANDS: Final[Mapping[str, CommandEntry]] = {
    "capture-browser-scenario": CommandEntry("capture_command", "Run a scenario and write its Evidence."),
    "compare-web-captures": CommandEntry("compare_command", "Compare two captures: what changed?"),
    "explain": CommandEntry("explain_command", "Show what changed, most telling difference first."),
    "report": CommandEntry("report_command", "Report comparisons: HTML, Markdown, JUnit, annotations."),
    "verify": CommandEntry("verify_command", "Recompute ids, digests and sizes of documents."),
    "schema": CommandEntry("schema_command", "Print a JSON Schema, or the names of all."),
    "list-browser-targets": CommandEntry("targets_command", "List what a running browser has to attach to."),
    "serve-mcp": CommandEntry("serve_command", "Serve all of this to MCP clients."),
    "doctor": CommandEntry("doctor_command", "Say what would stop a capture on this machine."),
    "clean": CommandEntry("clean_command", "Take down what killed captures have left."),
}


class LazyGroup(click.Group):
    """A group that imports a command's module only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the usual work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command ``cmd_name``, or None."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = importlib.import_module(f"rea_capture.cli.{entry.module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; of a name that is none, the nearest is told."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # noqa: PLC0415 - for a mistake only

            begun = [name for name in COMMANDS if name.startswith(args[0])]
            near = begun or get_close_matches(args[0], COMMANDS, n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {' or '.join(near)}?", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
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
