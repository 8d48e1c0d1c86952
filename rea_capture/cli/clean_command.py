"""``rea clean``: take down what captures that were killed have left.

Below: ``workflows.clean``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import os
from typing import IO

import click

from rea_capture.cli.options import json_option
from rea_capture.cli.output import opened_output
from rea_capture.cli.terminal import printable
from rea_capture.errors import UnavailableError


@click.command("clean")
@json_option
def command(as_json: bool) -> int:
    """End browsers and delete profiles of captures that were killed.

    Only those whose capture is provably gone by its record; a name or an age proves nothing. What cannot
    be proved stays, and is listed with the reason, here and by rea doctor. The status is 69 when
    something could not be removed. A capture does the same before it launches its browser.
    """
    from rea_capture.workflows.clean import clean, cleaning_bytes, cleaning_lines  # noqa: PLC0415 - not for --help

    with opened_output(as_json=as_json) as out:
        launches = clean(os.environ)

        def summarise(stream: IO[str]) -> None:
            stream.writelines(f"{printable(line)}\n" for line in cleaning_lines(launches))

        out.document(cleaning_bytes(launches), summarise)
    failed = [launch for launch in launches if launch.outcome == "failed"]
    if failed:
        raise UnavailableError(f"not everything could be removed: {failed[0].path}: {failed[0].reason}")
    return 0
