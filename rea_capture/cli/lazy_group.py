"""Groups of commands, each of which is loaded when it is asked for.

Below: click. Above: ``program``, and the commands that have commands of their own.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Where a command lives, and the line that ``--help`` shows without loading it."""

    module: str
    help: str


class LazyGroup(click.Group):
    """A group that imports a command's module only to run it or to show its own help."""

    def __init__(self, *arguments: Any, entries: Mapping[str, CommandEntry], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the usual work."""
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command ``cmd_name``, or None."""
        entry = self._entries.get(cmd_name)
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

            begun = [name for name in self._entries if name.startswith(args[0])]
            near = begun or get_close_matches(args[0], self._entries, n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {' or '.join(near)}?", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self._entries.items()])
