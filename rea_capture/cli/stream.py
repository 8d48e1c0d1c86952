"""``rea capture-browser-scenario --jsonl``: a capture told line by line, for programs.

The last line is the Evidence, or the error that stands in its place; ``docs/wrappers.md`` has the grammar.

Below: ``line_writer``, ``telling``, ``contracts.stream``, ``workflows.interruptible``. Above:
``capture_command``.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from rea_capture.cli.capture_status import exit_status
from rea_capture.cli.failures import as_rea_error, plain
from rea_capture.cli.inputs import MAX_SCENARIO_BYTES, input_bytes
from rea_capture.cli.line_writer import LineWriter
from rea_capture.cli.options import refuse_to_overwrite
from rea_capture.cli.output import opened_output
from rea_capture.cli.signals import STATUS_OF_SIGNAL, InterruptedBySignal
from rea_capture.cli.telling import Teller, line_of
from rea_capture.errors import CommandLineError, ReaError

if TYPE_CHECKING:
    from rea_capture.contracts.capture_evidence import CaptureEvidence
    from rea_capture.contracts.stream import ErrorCode, SignalName
    from rea_capture.workflows.interruptible import Interruption

_INTERRUPTED_RECOVERY: Final = "Ask again; nothing had begun."
_READER_GONE: Final = "nobody reads the stream"


def capture_as_lines(
    input_json: str,
    executable_path: str | None,
    output: str | None,
    *,
    as_json: bool,
    require_complete: bool,
) -> int:
    """Run the scenario ``input_json`` as the command does, and tell of it line by line. The exit status."""
    with opened_output(as_json=True, path=output) as out:
        lines = LineWriter(out)
        with _error_told(lines):
            if as_json:
                raise CommandLineError("--json and --jsonl cannot both be meant; leave one of them out.")
            refuse_to_overwrite(output, [input_json, executable_path])
            data = input_bytes(input_json, max_bytes=MAX_SCENARIO_BYTES)
            if out.path is not None:
                from rea_capture.evidence.writing import check_destination  # noqa: PLC0415 - only with --output

                check_destination(out.path)
            return _captured(data, executable_path, out.path, lines, require_complete)


def tell_wrong_command_line(error: Exception) -> None:
    """The whole stream of a command line that is not understood: ``error``, its only line."""
    with opened_output(as_json=True) as out, suppress(type(error)), _error_told(LineWriter(out)):
        raise error


def _captured(
    data: bytes, executable_path: str | None, path: str | None, lines: LineWriter, require_complete: bool
) -> int:
    from rea_capture.workflows.interruptible import Interruption, capture_document  # noqa: PLC0415 - heavy

    with Interruption() as interruption, _error_told(lines, interruption.saving):
        lines.start(lambda: interruption.stop(_READER_GONE))
        teller = Teller(lines)
        evidence = capture_document(
            data,
            executable_path=executable_path,
            environ=os.environ,
            progress=teller.tell,
            interruption=interruption,
            scenario_read=teller.scenario_read,
        )
        interruption.saving()
        _tell_evidence(evidence, path, lines, interruption)
        return exit_status(evidence, interruption.first, require_complete=require_complete)


def _tell_evidence(
    evidence: CaptureEvidence, path: str | None, lines: LineWriter, interruption: Interruption
) -> None:
    """Write the document to the file ``path``, if there is one, and end the stream with it or its digest."""
    from rea_capture.canonical import sha256_hex  # noqa: PLC0415 - heavy
    from rea_capture.contracts.stream import EvidenceRecord  # noqa: PLC0415 - heavy
    from rea_capture.evidence.envelope import evidence_bytes  # noqa: PLC0415 - heavy

    document = evidence_bytes(evidence)
    size, sha256 = len(document), sha256_hex(document)
    if path is not None:
        from rea_capture.evidence.writing import write_document  # noqa: PLC0415 - only with --output

        lines.check()
        write_document(path, document)
    del document  # as large as the line that is made of it next

    def last() -> bytes:
        return line_of(
            EvidenceRecord(
                bytes=size,
                completeness=evidence.normalized_result.completeness,
                evidence=evidence if path is None else None,
                evidence_id=evidence.evidence_id,
                interrupted_by=_signal_name(interruption),
                path=path,
                progress_dropped=lines.dropped,
                sha256=sha256,
            )
        )

    lines.end(last)


def _signal_name(interruption: Interruption) -> SignalName | None:
    return None if interruption.first is None else cast("SignalName", interruption.first.name)


@contextmanager
def _error_told(lines: LineWriter, before: Callable[[], None] = lambda: None) -> Iterator[None]:
    """An error inside ends the stream, unless it has ended; and goes on. ``before`` is called first then."""
    try:
        yield
    except BaseException as error:
        if not lines.ended:
            before()
            # What cannot be written either is not the news: the error is, and standard error has it too.
            with suppress(OSError, ReaError):
                lines.end(partial(_error_line, error))
        raise


def _error_line(error: BaseException) -> bytes:
    from rea_capture.contracts.stream import ErrorRecord, FaultRecord  # noqa: PLC0415 - heavy

    if isinstance(error, InterruptedBySignal):
        name = signal.Signals(error.status - STATUS_OF_SIGNAL).name
        return line_of(
            ErrorRecord(
                code="interrupted",
                details=(),
                exit_status=error.status,
                message=f"{name} ended the program before the capture had begun",
                recovery=_INTERRUPTED_RECOVERY,
            )
        )
    known = as_rea_error(error)
    faults = (FaultRecord(message=plain(each.message), pointer=plain(each.pointer)) for each in known.faults)
    return line_of(
        ErrorRecord(
            code=cast("ErrorCode", known.code),
            details=tuple(faults),
            exit_status=known.exit_status,
            message=plain(known.message),
            recovery=known.recovery,
        )
    )
