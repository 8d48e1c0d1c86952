"""``rea browser serve``: sessions with browsers for a program that speaks JSON Lines.

Below: ``session.worker``, imported when it serves. Above: ``browser_command``.
"""

from __future__ import annotations

import os

import click

from rea_capture.cli.output import opened_output
from rea_capture.cli.pipes import taken_pipes
from rea_capture.cli.signals import STATUS_OF_SIGNAL, leave_threads_behind


@click.command("serve")
def command() -> int:
    """Take operations on standard input, one JSON object a line, and answer each on standard output.

    The first line out says hello; then each line in gets one answer with its id. Sessions are opened and
    closed by such lines too. The end of the input, a signal or a reader that has gone closes every session.
    Credentials and adapters that a session names are looked for where this command runs.
    """
    with opened_output(as_json=True) as out:
        from rea_capture.session.worker.serving import serve  # noqa: PLC0415 - heavy
        from rea_capture.workflows.interruptible import Interruption  # noqa: PLC0415 - heavy

        stdin, stdout = taken_pipes(out)
        with Interruption() as interruption:
            serve(stdin, stdout, interruption, os.environ)
    status = 0 if interruption.first is None else STATUS_OF_SIGNAL + interruption.first
    leave_threads_behind(status)
    return status
