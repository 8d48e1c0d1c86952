"""``rea doctor``: what would stop a capture on this machine, and what to do about it.

Below: ``workflows.doctor``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import os
from typing import IO

import click

from rea_capture.cli.options import json_option
from rea_capture.cli.output import opened_output
from rea_capture.errors import UnavailableError


@click.command("doctor")
@json_option
def command(as_json: bool) -> int:
    """List the browsers found and the state of Python, Playwright, the sandbox and /dev/shm.

    The status is 0 when a capture can run and 69 when something would stop it.
    """
    from rea_capture.workflows.doctor import diagnose, diagnosis_bytes  # noqa: PLC0415 - heavy

    with opened_output(as_json=as_json) as out:
        diagnosis = diagnose(os.environ)

        def summarise(stream: IO[str]) -> None:
            from rea_capture.cli.summary import diagnosis_summary  # noqa: PLC0415 - brings rich

            diagnosis_summary(diagnosis, stream)

        out.document(diagnosis_bytes(diagnosis), summarise)
    if diagnosis.ready:
        return 0
    causes = " ".join(f"{problem.what} {problem.remedy}" for problem in diagnosis.problems)
    raise UnavailableError(f"a capture cannot run here: {causes}")
