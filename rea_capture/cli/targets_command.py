"""``rea list-browser-targets``: what a running browser has to attach to.

Below: ``workflows.targets``, ``output``. Above: ``program``.
"""

from __future__ import annotations

from typing import IO

import click

from rea_capture.cli.options import json_option
from rea_capture.cli.output import opened_output
from rea_capture.cli.terminal import printable


@click.command("list-browser-targets")
@click.argument("endpoint")
@json_option
def command(endpoint: str, as_json: bool) -> int:
    """List the targets of the running browser at ENDPOINT, such as http://127.0.0.1:9222.

    A scenario with browser.mode "connect" names one of type page by its target_id. The browser is only
    asked; nothing is attached to.
    """
    from rea_capture.workflows.targets import TargetList, list_targets, targets_bytes  # noqa: PLC0415 - heavy

    def summarise(stream: IO[str], found: TargetList) -> None:
        stream.write(f"{printable(found.product)} {printable(found.version)} at {found.cdp_endpoint}\n")
        for each in found.targets:
            title = f"  {printable(_one_line(each.title))}" if each.title else ""
            stream.write(f"{printable(each.target_id)}  {printable(each.type)}{title}\n")
            stream.write(f"    {printable(each.url)}\n")

    with opened_output(as_json=as_json) as out:
        targets = list_targets(endpoint)
        out.document(targets_bytes(targets), lambda stream: summarise(stream, targets))
    return 0


def _one_line(text: str) -> str:
    return " ".join(text.split())
