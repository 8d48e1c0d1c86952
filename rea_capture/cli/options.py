"""Options that several commands have.

Below: click. Above: the commands.
"""

from __future__ import annotations

import click

output_option = click.option(
    "--output",
    metavar="FILE",
    help="Write the document to FILE, whole or not at all, readable by its owner only "
    "(- is standard output).",
)
json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write the JSON document to standard output even if that is a terminal.",
)
