"""Standard input and output, for a command whose client speaks over both.

Below: ``output``. Above: the commands that serve.
"""

from __future__ import annotations

import os
import sys

from rea_capture.cli.output import Output
from rea_capture.errors import OutputError


def taken_pipes(out: Output) -> tuple[int, int]:
    """Descriptors of the real standard input and of the real standard output, for nobody else.

    From now on whoever reads standard input, a child process for one, finds it empty. Raises
    :class:`OutputError` when either is closed.
    """
    if out.descriptor is None or sys.stdin is None:
        raise OutputError("cannot serve: standard input or standard output is closed")
    stdin = os.dup(sys.stdin.fileno())
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, sys.stdin.fileno())
    os.close(null)
    return stdin, out.descriptor
