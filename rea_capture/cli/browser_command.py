"""``rea browser``: a browser that is driven step by step, in several ways.

Below: ``lazy_group``; each of its commands is loaded when it is asked for. Above: ``program``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from rea_capture.cli.lazy_group import CommandEntry, LazyGroup

BROWSER_COMMANDS: Final[Mapping[str, CommandEntry]] = {
    "serve": CommandEntry("browser_serve", "Take operations as JSON Lines, and answer each."),
    "run": CommandEntry("browser_run", "Run a scenario file, and report what came of it."),
    "config": CommandEntry("browser_config_command", "Show the settings of sessions, and change them."),
}


@click.group("browser", cls=LazyGroup, entries=BROWSER_COMMANDS, no_args_is_help=False)
def command() -> None:
    """Drive a browser step by step, for as long as it takes: observe, act, read, assert, navigate.

    No operation takes a script, a selector or a command.
    """
