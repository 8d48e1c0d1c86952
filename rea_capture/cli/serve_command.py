"""``rea serve-mcp``: the tools of this package for clients of the Model Context Protocol.

Below: ``mcp_server``, imported when it serves. Above: ``program``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click

from rea_capture.cli.output import opened_output
from rea_capture.cli.pipes import taken_pipes
from rea_capture.cli.signals import STATUS_OF_SIGNAL, leave_threads_behind
from rea_capture.errors import UnavailableError

DEFAULT_INLINE_BYTES: Final = 48 * 1024
DEFAULT_MAX_CAPTURES: Final = 2
"""As ``mcp_server.limits`` has them, which --help does not import."""

OLDEST_LIBRARY: Final = 2
"""Version of the package mcp that first had the server this is built on."""


@click.command("serve-mcp")
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    help="Serve streamable HTTP on http://127.0.0.1:PORT/mcp in place of the pipes; 0 takes a free port.",
)
@click.option(
    "--inline-bytes",
    type=click.IntRange(0),
    default=DEFAULT_INLINE_BYTES,
    show_default=True,
    metavar="BYTES",
    help="Answer with whole Evidence up to this size, and with a summary above it.",
)
@click.option(
    "--max-captures",
    type=click.IntRange(1, 64),
    default=DEFAULT_MAX_CAPTURES,
    show_default=True,
    metavar="COUNT",
    help="Captures that run at one time; the others wait for their turn.",
)
@click.option(
    "--executable-path",
    metavar="PATH",
    help="The browser to start, where a scenario names none (else REA_EXECUTABLE_PATH).",
)
@click.option(
    "--no-sessions",
    is_flag=True,
    help="Leave out the tools of browser sessions; they start programs and read files that a call names.",
)
def command(
    port: int | None, inline_bytes: int, max_captures: int, executable_path: str | None, no_sessions: bool
) -> int:
    """Serve captures and comparisons to a client of the Model Context Protocol.

    Over standard input and output, until the client closes one of them; or over HTTP on a loopback port.
    Secrets that a scenario names are taken from the environment of this command. Needs the package mcp:
    install rea-capture[mcp].
    """
    with opened_output(as_json=True) as out:
        _check_library()
        from rea_capture.mcp_server.server import Settings  # noqa: PLC0415 - brings mcp
        from rea_capture.workflows.interruptible import Interruption  # noqa: PLC0415 - heavy

        settings = Settings(
            os.environ, executable_path, inline_bytes, max_captures, has_sessions=not no_sessions
        )
        with Interruption() as interruption:
            if port is None:
                from rea_capture.mcp_server.serve import serve_over_pipes  # noqa: PLC0415 - brings mcp

                serve_over_pipes(settings, *taken_pipes(out), interruption)
            else:
                from rea_capture.mcp_server.serve import serve_over_http  # noqa: PLC0415 - brings mcp

                serve_over_http(settings, port, _tell, interruption)
    status = 0 if interruption.first is None else STATUS_OF_SIGNAL + interruption.first
    leave_threads_behind(status)
    return status


def _check_library() -> None:
    """Raise :class:`UnavailableError` where the package mcp is missing or too old."""
    try:
        found = version("mcp")
    except PackageNotFoundError:
        found = ""
    if not found.partition(".")[0].isdigit() or int(found.partition(".")[0]) < OLDEST_LIBRARY:
        what = f"mcp {found} is installed" if found else "the package mcp is not installed"
        raise UnavailableError(
            f"{what}, and serve-mcp needs version {OLDEST_LIBRARY} or newer: install rea-capture[mcp], as in "
            "`pip install 'rea-capture[mcp]'`"
        )


def _tell(sentence: str) -> None:
    with suppress(OSError):  # nobody listens any more
        click.echo(f"rea: {sentence}", err=True)
