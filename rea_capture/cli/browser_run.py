"""``rea browser run``: a scenario file in, a report out.

Below: ``session.scenario``, imported when a file is run, ``inputs``, ``output``. Above: ``browser_command``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rea_capture.cli.inputs import input_bytes
from rea_capture.cli.options import json_option, refuse_to_overwrite
from rea_capture.cli.output import STDOUT_NAMES, Output, opened_output
from rea_capture.cli.signals import STATUS_OF_SIGNAL, leave_threads_behind

if TYPE_CHECKING:
    from rea_capture.contracts.runtime.run_report import RunReport

MAX_FILE_BYTES: Final = 4 * 1024 * 1024
"""A scenario file has 200 operations at most, each with a few texts of a few thousand characters."""

OPERATION_FAILED: Final = 1
NOTHING_TO_OPERATE_ON: Final = 69
_BEFORE_OPERATIONS: Final = frozenset({"setup", "server", "reset", "session"})


@click.command("run")
@click.argument("file")
@click.option(
    "--report",
    metavar="FILE",
    help="Write the report to FILE, whole or not at all, readable by its owner only, over what it was "
    "(- is standard output).",
)
@click.option("--junit", metavar="FILE", help="Write JUnit XML: a case for each part and each operation.")
@click.option("--executable-path", metavar="PATH", help="The browser to start, over whatever the file names.")
@click.option(
    "--readiness-url",
    metavar="URL",
    help="Wait until a GET of URL is answered, where FILE has a fixture and names no server for it.",
)
@json_option
def command(
    file: str,
    report: str | None,
    junit: str | None,
    executable_path: str | None,
    readiness_url: str | None,
    as_json: bool,
) -> int:
    """Run the scenario FILE: its hooks, its server, a browser, its operations, and the way back.

    FILE is a path, - for standard input, or the JSON itself; its relative paths begin at its folder. What
    came of it is told on standard error.

    The status is 0 when everything passed; 1 when an operation failed, or what comes after them; 69 when
    what operations need could not be had: a hook before them, the server, the browser, a variable; 65 when
    FILE is not valid. SIGINT, SIGTERM and SIGHUP end the run early: everything is taken down, and the report
    is written.
    """
    _check_usage(file, report, junit, executable_path, as_json=as_json)
    with opened_output(as_json=as_json, path=report) as out:
        status = _run(file, junit, executable_path, readiness_url, out)
    leave_threads_behind(status)
    return status


def _check_usage(
    file: str, report: str | None, junit: str | None, executable_path: str | None, *, as_json: bool
) -> None:
    for option, path in (("--report", report), ("--junit", junit)):
        if path not in STDOUT_NAMES:
            refuse_to_overwrite(path, [file, executable_path], option=option)
    if junit in STDOUT_NAMES and (as_json or report is None or report in STDOUT_NAMES):
        raise click.UsageError(
            "Only one thing can go to standard output: give the report a FILE, or --junit."
        )
    if report is not None and junit is not None and os.path.realpath(report) == os.path.realpath(junit):
        raise click.UsageError("--report and --junit name the same file.")


def _run(
    file: str, junit: str | None, executable_path: str | None, readiness_url: str | None, out: Output
) -> int:
    data = input_bytes(file, max_bytes=MAX_FILE_BYTES)
    from rea_capture.evidence.writing import check_destination  # noqa: PLC0415 - not for --help
    from rea_capture.session.scenario.file_run import run_file  # noqa: PLC0415 - heavy
    from rea_capture.workflows.interruptible import Interruption  # noqa: PLC0415 - heavy

    for path in {out.path, junit} - STDOUT_NAMES - {None}:
        check_destination(str(path))
    with Interruption() as interruption:
        report = run_file(
            data,
            folder=_folder_of(file),
            environ=os.environ,
            executable_path=executable_path,
            interruption=interruption,
            readiness_url=readiness_url,
        )
        interruption.saving()
        _write(report, junit, out)
    return _status(report) if interruption.first is None else STATUS_OF_SIGNAL + interruption.first


def _folder_of(file: str) -> Path:
    """Where relative paths begin: at the working folder, for what is no file."""
    path = Path(file)
    try:
        return path.resolve().parent if path.is_file() else Path.cwd()
    except (OSError, ValueError):  # the JSON itself, or a name that no file can have
        return Path.cwd()


def _write(report: RunReport, junit: str | None, out: Output) -> None:
    from rea_capture.session.scenario.junit import run_junit_xml  # noqa: PLC0415 - with what it reports
    from rea_capture.session.scenario.report_bytes import report_bytes  # noqa: PLC0415 - as above
    from rea_capture.session.scenario.telling import told  # noqa: PLC0415 - as above

    if junit is not None:
        text = run_junit_xml(report).encode()
        if junit in STDOUT_NAMES:
            out.write(text)
        else:
            from rea_capture.evidence.writing import write_document  # noqa: PLC0415 - when asked for

            write_document(junit, text)
    out.document(report_bytes(report), lambda _: None)
    with suppress(OSError, ValueError):  # nobody listens there; what was asked for is written
        for line in told(report):
            click.echo(line, err=True)


def _status(report: RunReport) -> int:
    if report.status == "passed":
        return 0
    failed = {each.phase for each in report.phases if each.status == "failed"}
    began = any(each.status != "not_run" for each in report.operations)
    return OPERATION_FAILED if began or not failed & _BEFORE_OPERATIONS else NOTHING_TO_OPERATE_ON
