"""``rea report``: comparisons made readable, for a browser, a pull request, a test result, a workflow run.

Below: ``workflows.report``, ``report``, ``inputs``, ``output``. Above: ``program``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Final

import click

from rea_capture.cli.compare_command import VERDICT_STATUSES
from rea_capture.cli.inputs import MAX_DOCUMENT_BYTES, document_bytes, shown
from rea_capture.cli.options import refuse_to_overwrite
from rea_capture.cli.output import STDOUT_NAMES, Output, opened_output
from rea_capture.cli.terminal import printable
from rea_capture.garbage import collector_paused
from rea_capture.wording import counted, figure

if TYPE_CHECKING:
    from rea_capture.contracts.comparison import Status
    from rea_capture.report.view import Report
    from rea_capture.workflows.report import NamedDocument

_MAX_PATH_CHARACTERS: Final = 4_096
"""PATH_MAX of Linux; what is longer is no path, but text that was pasted by mistake."""


@click.command("report")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--html", metavar="FILE", help="Write one file for a browser: self-contained, no network.")
@click.option("--markdown", metavar="FILE", help="Write Markdown that fits a comment on a pull request.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML, a suite a comparison.")
@click.option("--github", is_flag=True, help="Write GitHub annotations to standard output.")
@click.option("--exit-code", is_flag=True, help="End with 0 for unchanged, 1 for changed and 2 for unknown.")
def command(
    files: tuple[str, ...],
    html: str | None,
    markdown: str | None,
    junit: str | None,
    github: bool,
    exit_code: bool,
) -> int:
    """Report comparisons: for a browser, a pull request, a test result, a workflow run.

    FILE is the Evidence of a comparison, or a capture that one of them compared; in any order, - for
    standard input. Captures are found by their digests; without them a report shows what the comparison
    has. At least one of --html, --markdown, --junit and --github says what to write. Their FILE is written
    whole or not at all, readable by its owner only; - is standard output, for one of them.
    """
    outputs = {
        name: path
        for name, path in (("--html", html), ("--markdown", markdown), ("--junit", junit))
        if path is not None
    }
    _check_usage(files, outputs, github=github)
    with collector_paused(), opened_output(as_json=False) as out:
        status = _written(files, outputs, out, github=github)
    return VERDICT_STATUSES[status] if exit_code else 0


def _check_usage(files: tuple[str, ...], outputs: Mapping[str, str], *, github: bool) -> None:
    if not outputs and not github:
        raise click.UsageError("Say what to write: --html, --markdown, --junit or --github.")
    if files.count("-") > 1:
        raise click.UsageError("Standard input can be read once only; - may stand for one document.")
    to_stdout = [name for name, path in outputs.items() if path in STDOUT_NAMES]
    to_stdout += ["--github"] if github else []
    if len(to_stdout) > 1:
        raise click.UsageError(f"Only one thing can go to standard output, not {' and '.join(to_stdout)}.")
    seen: dict[str, str] = {}
    for name, path in outputs.items():
        if path not in STDOUT_NAMES:
            refuse_to_overwrite(path, files, option=name)
            other = seen.setdefault(os.path.realpath(path), name)
            if other != name:
                raise click.UsageError(f"{other} and {name} name the same file.")


def _written(files: tuple[str, ...], outputs: Mapping[str, str], out: Output, *, github: bool) -> Status:
    """Read, render all that is asked for, then write it, and return the worst verdict."""
    from rea_capture.evidence.writing import check_destination, write_document  # noqa: PLC0415 - not for --help
    from rea_capture.workflows.report import read_report  # noqa: PLC0415 - heavy

    to_files = {name: path for name, path in outputs.items() if path not in STDOUT_NAMES}
    for path in to_files.values():
        check_destination(path)
    report = read_report(map(_document, files))
    rendered = {name: _rendered(report, name) for name in outputs}
    for name, path in to_files.items():
        write_document(path, rendered[name])
    for name in outputs.keys() - to_files.keys():
        out.write(rendered[name])
    if github:
        out.write(_rendered(report, "--github"))
    elif len(to_files) == len(outputs):
        out.summary(lambda stream: _summarise(report, to_files.values(), stream))
    return report.status


def _document(file: str) -> NamedDocument:
    from rea_capture.workflows.report import NamedDocument  # noqa: PLC0415 - heavy

    return NamedDocument(_name(file), lambda: document_bytes(file, max_bytes=MAX_DOCUMENT_BYTES))


def _name(file: str) -> str:
    """What ``file`` is called: its whole path, since the end of it is what tells it from the others."""
    if file == "-" or len(file) > _MAX_PATH_CHARACTERS:
        return shown(file)
    return printable(file).replace("\n", "\\n")


def _rendered(report: Report, option: str) -> bytes:
    """``report`` in the form that ``option`` asks for."""
    match option:
        case "--html":
            from rea_capture.report.html.page import html_report  # noqa: PLC0415 - when asked for

            return html_report(report)
        case "--markdown":
            from rea_capture.report.markdown import markdown  # noqa: PLC0415 - when asked for

            text = markdown(report)
        case "--junit":
            from rea_capture.report.junit import junit_xml  # noqa: PLC0415 - when asked for

            text = junit_xml(report)
        case _:
            from rea_capture.report.annotations import workflow_commands  # noqa: PLC0415 - when asked for

            text = workflow_commands(report)
    return text.encode("utf-8")


def _summarise(report: Report, paths: Iterable[str], stream: IO[str]) -> None:
    counts = report.counts
    stream.write(
        f"Verdict: {report.status}. {counted(counts.changed, 'artifact')} changed, "
        f"{figure(counts.unknown)} unknown in {counted(len(report.comparisons), 'comparison')}.\n"
    )
    stream.writelines(f"Report: {printable(path)}\n" for path in paths)
