"""The command line: ``rea``, also installed as ``rea-capture``.

A thin door. Only click is imported until a command runs, so that ``--help`` is instant; each command
imports what it needs. Exit statuses and streams are those of the contract (``docs/``): documents on
standard output, everything else on standard error, never a traceback.

Below: workflows. Above: nobody.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from typing import Final, NoReturn

__all__ = ["INTERRUPTED", "main"]

INTERRUPTED: Final = 130
"""128 + SIGINT, as shells report it."""

OBJECTS_BETWEEN_COLLECTIONS: Final = 50_000
"""The usual 700 has the collector look a hundred times at what imports have made, none of it garbage: a tenth
of their time. A few megabytes of garbage may lie about instead."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line ``arguments`` (the process's own by default) and exit with its status."""
    # No pydantic plugin has a part in this, and looking for one reads every installed distribution.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        from rea_capture.cli.signals import (  # noqa: PLC0415 - first of all
            end_at_once_on_signals,
            end_quietly_on_signals,
        )

        end_quietly_on_signals()
        from rea_capture.cli.program import run  # noqa: PLC0415 - the entry point itself imports nothing

        status = run(arguments)
        end_at_once_on_signals()
    except KeyboardInterrupt:  # while still importing; ``run`` deals with later ones
        status = INTERRUPTED
    gc.freeze()  # what is left goes with the process; looking through it would take as long as an import
    raise SystemExit(status)
