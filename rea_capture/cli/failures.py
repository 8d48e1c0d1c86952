"""Errors become an exit status and one message on standard error.

The message is a JSON object, ``{error:{code, message, details, recovery}}``, and plain sentences when
standard error is a terminal. A defect of this program says where it happened and nothing of the data it
happened on, which may hold what nobody should read.

Below: click, ``errors``, ``workflows.unforeseen``, ``terminal``. Above: ``program``.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Final

import click

from rea_capture.cli import INTERRUPTED
from rea_capture.cli.signals import InterruptedBySignal
from rea_capture.cli.terminal import is_terminal, printable
from rea_capture.errors import CommandLineError, Fault, OutputError, ReaError
from rea_capture.workflows.unforeseen import foreseen

_MAX_FAULTS_FOR_PEOPLE: Final = 20
"""More would scroll the first, which is usually the cause of the rest, out of sight."""


def status_of_failure(error: BaseException) -> int:
    """The exit status for ``error``, after reporting it unless it is to be quiet."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, InterruptedBySignal):
        return error.status
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return INTERRUPTED
    if isinstance(error, SystemExit | BrokenPipeError):  # click makes the first of the second
        abandon_stdout()
        return OutputError.exit_status  # quiet: whoever read has gone
    known = as_rea_error(error)
    report(known)
    return known.exit_status


def as_rea_error(error: BaseException) -> ReaError:
    """``error`` as one of ours: click's are about the command line, unknown ones are defects."""
    if isinstance(error, ReaError):
        return error
    if isinstance(error, click.ClickException):
        return CommandLineError(_with_hint(error))
    if isinstance(error, OSError) and _about_stdout(error):
        abandon_stdout()
        return OutputError(f"cannot write to standard output: {(error.strerror or 'unknown reason').lower()}")
    return foreseen(error, "please report it with the command and its input")


def report(error: ReaError) -> None:
    """Say ``error`` on standard error; if that is gone too, say nothing."""
    text = _for_people(error) if is_terminal(sys.stderr) else _for_programs(error)
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


def abandon_stdout() -> None:
    """Point standard output at nothing, so that the interpreter's last flush cannot complain."""
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def plain(text: str) -> str:
    """``text`` without lone surrogates, such as undecodable bytes of a file name leave."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _for_programs(error: ReaError) -> str:
    details = [_detail(fault) for fault in error.faults]
    body = {
        "code": error.code,
        "message": plain(error.message),
        "details": details,
        "recovery": error.recovery,
    }
    return json.dumps({"error": body}) + "\n"


def _detail(fault: Fault) -> dict[str, str]:
    file = {} if fault.file is None else {"file": plain(fault.file)}
    return {**file, "pointer": plain(fault.pointer), "message": plain(fault.message)}


def _for_people(error: ReaError) -> str:
    if len(error.faults) < 2:
        return f"rea: {printable(error.message)}\n"
    shown: Sequence[Fault] = error.faults[:_MAX_FAULTS_FOR_PEOPLE]
    lines = [f"rea: {printable(error.message)}", *(f"  {printable(str(fault))}" for fault in shown)]
    if len(shown) < len(error.faults):
        lines.append(f"  ... and {len(error.faults) - len(shown)} more")
    return "\n".join(lines) + "\n"


def _with_hint(error: click.ClickException) -> str:
    message = error.format_message().strip()
    context = error.ctx if isinstance(error, click.UsageError) else None
    return message if context is None else f"{message} See `{context.command_path} --help`."


def _about_stdout(error: OSError) -> bool:
    """Whether ``error`` comes from click writing help or a version, the only writes not of our own."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and PurePath(frames[-1].filename).parts[-2:] == ("click", "utils.py")
