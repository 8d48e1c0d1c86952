"""Options that several commands have.

Below: click. Above: the commands.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

import click

output_option = click.option(
    "--output",
    metavar="FILE",
    help="Write the document to FILE, whole or not at all, readable by its owner only, over what it "
    "was (- is standard output). FILE cannot be one of the inputs.",
)
json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write the JSON document to standard output even if that is a terminal.",
)


def refuse_to_overwrite(
    output: str | None, inputs: Iterable[str | None], *, option: str = "--output"
) -> None:
    """Raise a usage error when ``output``, given with ``option``, is the file that an input is read from.

    ``-`` among the inputs is standard input. Two names of one file are the same, by symbolic or hard link.
    Only regular files count: a terminal may be read from and written to.
    """
    target = None if output in {None, "-"} else _file(output)
    if target is None:
        return
    for name in inputs:
        source = None if name is None else _file(0 if name == "-" else name)
        if source is not None and os.path.samestat(target, source):
            shown = "standard input" if name == "-" else "an input of this command"
            raise click.UsageError(f"{option} names {shown}, which it would overwrite; name another file.")


def _file(name: str | int | None) -> os.stat_result | None:
    """The regular file ``name`` (a path or a descriptor) as it is now, if it is one."""
    try:
        found = os.stat(name) if name is not None else None
    except (OSError, ValueError):  # absent, JSON itself, a name that no file can have
        return None
    return found if found is not None and stat.S_ISREG(found.st_mode) else None
