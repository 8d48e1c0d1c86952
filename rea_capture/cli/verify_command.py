"""``rea verify``: is a document what it says it is?

Below: ``workflows.verify``, ``inputs``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import IO, TYPE_CHECKING

import click

from rea_capture.cli.inputs import MAX_DOCUMENT_BYTES, document_bytes, shown
from rea_capture.cli.options import json_option
from rea_capture.cli.output import opened_output
from rea_capture.errors import Fault, InputError

if TYPE_CHECKING:
    from rea_capture.workflows.verify import Verified


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Recompute the evidence id and every digest and size in each FILE.

    Says of each capture when, with which browser and at which address it was made, as it has it itself, and
    what it lacks if it is not complete. That is no fault: the status is 0.

    FILE is Evidence of a capture or of a comparison, or the normalized_result of one; - is standard
    input. If any is not valid, every fault of every file is reported and the status is 65.
    """
    if files.count("-") > 1:
        raise click.UsageError("Standard input can be read once only; - may stand for one document.")
    with opened_output(as_json=as_json) as out:
        verified = _verified(files)

        def summarise(stream: IO[str]) -> None:
            from rea_capture.cli.summary import verification_summary  # noqa: PLC0415 - brings rich

            verification_summary(verified, stream)

        out.document(_document(verified), summarise)
    return 0


def _verified(files: tuple[str, ...]) -> list[tuple[str, Verified]]:
    from rea_capture.workflows.verify import verify  # noqa: PLC0415 - heavy

    verified: list[tuple[str, Verified]] = []
    faults: list[Fault] = []
    for file in files:
        name = shown(file)
        try:
            verified.append((name, verify(document_bytes(file, max_bytes=MAX_DOCUMENT_BYTES), name)))
        except InputError as error:
            found = error.faults or (Fault("", error.message),)
            faults += (replace(fault, file=name) for fault in found)
            message = error.message
    if not faults:
        return verified
    if len(files) > 1:
        refused = len(files) - len(verified)
        message = f"{refused} of {len(files)} documents are not valid: {faults[0]}"
    raise InputError(message, faults)


def _document(verified: list[tuple[str, Verified]]) -> bytes:
    rows = [{**asdict(result), "file": file, "status": "verified"} for file, result in verified]
    document = {"documents": rows}
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
