"""``rea validate``: would this input be taken?

Below: ``workflows.validate``, ``inputs``, ``output``. Above: ``program``.
"""

from __future__ import annotations

from typing import IO

import click

from rea_capture.cli.inputs import MAX_DOCUMENT_BYTES, MAX_SCENARIO_BYTES, input_bytes, refuse_longer
from rea_capture.cli.options import json_option
from rea_capture.cli.output import opened_output
from rea_capture.cli.terminal import printable
from rea_capture.wording import counted, listed


@click.command("validate")
@click.argument("input_json")
@json_option
def command(input_json: str, as_json: bool) -> int:
    """Check INPUT_JSON, a scenario or a comparison input, without running it.

    INPUT_JSON is the path of a file, - for standard input, or the JSON itself; what names before_scenario
    or after_scenario is a comparison input. Nothing is started. The faults and the status, 65, are those
    that a capture or a comparison would end with. Browsers and secrets are not looked at.
    """
    from rea_capture.workflows.validate import (  # noqa: PLC0415 - not for --help
        is_comparison_input,
        validate_input,
        validation_bytes,
    )

    with opened_output(as_json=as_json) as out:
        data = input_bytes(input_json, max_bytes=MAX_DOCUMENT_BYTES)
        if not is_comparison_input(data):
            refuse_longer(input_json, data, max_bytes=MAX_SCENARIO_BYTES)
        valid = validate_input(data)

        def summarise(stream: IO[str]) -> None:
            stream.write(f"valid {valid.kind.replace('_', ' ')}")
            if valid.steps is not None:
                stream.write(f": {counted(valid.steps, 'step')}")
            if valid.environment_variables:
                stream.write(f", secrets from {printable(listed(valid.environment_variables))}")
            stream.write("\n")

        out.document(validation_bytes(valid), summarise)
    return 0
