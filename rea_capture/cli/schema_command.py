"""``rea schema``: print a JSON Schema.

Below: ``workflows.schema``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import json
from typing import IO

import click

from rea_capture.cli.options import output_option
from rea_capture.cli.output import opened_output


@click.command("schema")
@click.argument("name", required=False)
@output_option
def command(name: str | None, output: str | None) -> int:
    """Print the JSON Schema NAME; without a name, the names there are."""
    from rea_capture.workflows.schema import schema, schema_names  # noqa: PLC0415 - heavy

    with opened_output(as_json=name is not None and output is None, path=output) as out:
        if name is None:
            names = schema_names()
            document = json.dumps({"schemas": names}).encode() + b"\n"
            out.document(document, lambda stream: _print_names(names, stream))
        else:
            out.document(schema(name), lambda stream: None)
    return 0


def _print_names(names: tuple[str, ...], stream: IO[str]) -> None:
    stream.writelines(f"{name}\n" for name in names)
