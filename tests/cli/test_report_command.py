"""``rea report`` as a process: what goes where, what is refused, and how it ends."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from junitparser import JUnitXml

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.evidence import evidence_bytes
from rea_capture.workflows.compare import compare
from tests import builders
from tests.cli.running import rea, rea_on_terminal, written
from tests.evidence.sealed import rich_capture, sealed_capture

BEFORE = sealed_capture()
AFTER = sealed_capture(rich_capture("<main>Sold out</main>"))
CHANGED = compare(BEFORE, AFTER)
INCOMPLETE = sealed_capture(builders.capture(steps=(builders.start(), builders.step(dom=builders.missing()))))
UNKNOWN = compare(INCOMPLETE, INCOMPLETE)
UNCHANGED = compare(BEFORE, BEFORE)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    documents: dict[str, CaptureEvidence | ComparisonEvidence] = {
        "before": BEFORE,
        "after": AFTER,
        "changed": CHANGED,
        "unknown": UNKNOWN,
        "unchanged": UNCHANGED,
    }
    return {
        name: written(tmp_path / f"{name}.json", evidence_bytes(evidence))
        for name, evidence in documents.items()
    }


@pytest.mark.parametrize("captures", [(), ("before",), ("after", "before")])
def test_one_run_writes_every_form_that_is_asked_for(
    files: dict[str, str], tmp_path: Path, captures: tuple[str, ...]
) -> None:
    paths = {name: tmp_path / f"report.{name}" for name in ("html", "markdown", "junit")}
    run = rea(
        "report",
        *(files[name] for name in captures),
        files["changed"],
        *(argument for name, path in paths.items() for argument in (f"--{name}", str(path))),
        "--github",
    )
    assert run.status == 0, run.stderr
    assert run.stderr == b""
    assert paths["html"].read_bytes().lower().startswith(b"<!doctype html>")
    assert paths["markdown"].read_text().startswith("## Verdict: changed\n")
    assert [suite.name for suite in JUnitXml.fromstring(paths["junit"].read_bytes())] == ["changed.json"]
    assert run.stdout.splitlines()[0].startswith(b"::error title=open dom changed::")
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths.values()} == {0o600}
    assert not list(tmp_path.glob("*.tmp"))


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (("unchanged",), 0),
        (("unchanged", "changed"), 1),
        (("unknown", "unchanged"), 2),
        (("unknown", "changed", "unchanged"), 1),
    ],
)
def test_the_worst_verdict_is_the_exit_status_where_that_is_asked_for(
    files: dict[str, str], names: tuple[str, ...], status: int
) -> None:
    given = [files[name] for name in names]
    assert rea("report", *given, "--github", "--exit-code").status == status
    assert rea("report", *given, "--github").status == 0


@pytest.mark.parametrize("form", ["markdown", "junit", "html"])
def test_a_form_can_go_to_standard_output_and_is_the_same_each_time(files: dict[str, str], form: str) -> None:
    given = (files["changed"], files["before"], files["after"])
    once, again = (rea("report", *given, f"--{form}", "-") for _ in range(2))
    assert once.status == 0, once.stderr
    assert once.stdout == again.stdout != b""
    assert rea("report", *reversed(given), f"--{form}", "-").stdout == once.stdout


def test_a_document_can_come_from_standard_input(files: dict[str, str]) -> None:
    run = rea("report", "-", files["before"], "--markdown", "-", stdin=evidence_bytes(CHANGED))
    assert run.status == 0
    assert b"`standard input`" in run.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Say what to write"),
        (("--exit-code",), "Say what to write"),
        (("--markdown", "-", "--junit", "-"), "Only one thing can go to standard output"),
        (("--markdown", "/dev/stdout", "--github"), "Only one thing can go to standard output"),
    ],
)
def test_a_wrong_command_line_is_refused(
    files: dict[str, str], options: tuple[str, ...], message: str
) -> None:
    run = rea("report", files["changed"], *options)
    assert run.status == 64
    assert message in run.error["message"]


def test_standard_input_stands_for_one_document_only() -> None:
    assert rea("report", "-", "-", "--github").status == 64


def test_an_output_that_is_an_input_is_refused(files: dict[str, str], tmp_path: Path) -> None:
    was = Path(files["changed"]).read_bytes()
    os.link(files["changed"], tmp_path / "hard.json")
    for option in ("--html", "--markdown", "--junit"):
        for name in (files["changed"], str(tmp_path / "hard.json")):
            run = rea("report", files["changed"], option, name)
            assert run.status == 64
            assert f"{option} names an input" in run.error["message"]
    assert Path(files["changed"]).read_bytes() == was


def test_two_outputs_in_one_file_are_refused(files: dict[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.symlink_to(tmp_path / "same")
    run = rea("report", files["changed"], "--html", str(tmp_path / "same"), "--junit", str(other))
    assert run.status == 64
    assert "--html and --junit name the same file" in run.error["message"]
    assert not (tmp_path / "same").exists()


def test_an_altered_document_writes_nothing_and_is_named(files: dict[str, str], tmp_path: Path) -> None:
    altered = written(tmp_path / "altered.json", evidence_bytes(BEFORE).replace(b"Shop", b"Shap"))
    out = tmp_path / "report.md"
    run = rea("report", files["changed"], altered, "--markdown", str(out))
    assert run.status == 65
    assert {detail["file"] for detail in run.error["details"]} == {altered}
    assert not out.exists()


def test_a_capture_of_no_comparison_is_refused_by_name(files: dict[str, str], tmp_path: Path) -> None:
    stray = written(tmp_path / "stray.json", evidence_bytes(INCOMPLETE))
    run = rea("report", files["changed"], stray, "--github")
    assert run.status == 65
    assert [detail["file"] for detail in run.error["details"]] == [stray]


def test_no_comparison_is_refused(files: dict[str, str]) -> None:
    run = rea("report", files["before"], "--github")
    assert run.status == 65
    assert "none of the documents is a comparison" in run.error["message"]


def test_a_file_that_is_not_there_is_named(files: dict[str, str], tmp_path: Path) -> None:
    run = rea("report", files["changed"], str(tmp_path / "none.json"), "--github")
    assert run.status == 65
    assert "none.json" in run.error["details"][0]["file"]


def test_a_place_that_cannot_be_written_is_told_before_reading(tmp_path: Path) -> None:
    run = rea("report", str(tmp_path / "none.json"), "--junit", str(tmp_path / "no" / "x.xml"))
    assert run.status == 73


def test_a_terminal_is_told_the_verdict_and_where_the_report_is(
    files: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "report.md"
    status, text = rea_on_terminal("report", files["changed"], "--markdown", str(out))
    assert status == 0
    assert text == f"Verdict: changed. 1 artifact changed, 0 unknown in 1 comparison.\r\nReport: {out}\r\n"


def test_no_terminal_gets_nothing_where_all_goes_to_files(files: dict[str, str], tmp_path: Path) -> None:
    run = rea("report", files["changed"], "--junit", str(tmp_path / "x.xml"))
    assert (run.status, run.stdout, run.stderr) == (0, b"", b"")


def test_hostile_pages_write_no_command_of_their_own(tmp_path: Path) -> None:
    hostile = sealed_capture(rich_capture("<main>\n::error::injected\n##[error]x\n</main>"))
    file = written(tmp_path / "hostile.json", evidence_bytes(compare(BEFORE, hostile)))
    run = rea("report", file, "--github")
    lines = run.stdout.decode().splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::error title=")
    assert lines[1].startswith("::notice title=")


def test_a_long_path_is_called_by_its_end(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 40) / ("er" * 40)
    folder.mkdir(parents=True)
    one = written(folder / "one\n.json", evidence_bytes(CHANGED))
    other = written(folder / "other.json", evidence_bytes(UNCHANGED))
    run = rea("report", one, other, "--junit", "-")
    assert [suite.name for suite in JUnitXml.fromstring(run.stdout)] == ["one\\n.json", "other.json"]
    wrong = written(folder / "wrong.json", b"{}")
    assert rea("report", one, wrong, "--github").error["details"][0]["file"] == wrong


def test_text_that_is_no_path_is_not_repeated_whole(tmp_path: Path) -> None:
    run = rea("report", "x" * 5_000, "--github", cwd=tmp_path)
    assert run.status == 65
    assert len(run.stderr) < 1_000


def test_the_error_of_a_wrong_file_is_one_json_object(tmp_path: Path) -> None:
    file = written(tmp_path / "x.json", b"{}")
    run = rea("report", file, "--github")
    assert run.status == 65
    assert json.loads(run.stderr)["error"]["code"] == "invalid_input"
