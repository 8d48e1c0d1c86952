"""Streams and exit statuses of real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rea_capture.contracts.schemas import SCHEMAS, schema_text
from rea_capture.evidence import evidence_bytes
from rea_capture.version import __version__
from tests import builders
from tests.cli.running import COMMAND, WAIT_S, environment, rea_on_terminal, through_shell, written
from tests.cli.running import rea_afresh as rea
from tests.evidence.sealed import rich_capture, sealed_capture

EVIDENCE = evidence_bytes(sealed_capture())


@pytest.fixture
def evidence(tmp_path: Path) -> str:
    """Path of a capture's Evidence."""
    return written(tmp_path / "evidence.json", EVIDENCE)


@pytest.fixture
def changed_evidence(tmp_path: Path) -> str:
    """Path of a capture that differs in its DOM."""
    changed = evidence_bytes(sealed_capture(rich_capture("<main>Sold out</main>")))
    return written(tmp_path / "changed.json", changed)


def test_the_document_is_alone_on_standard_output(evidence: str) -> None:
    run = rea("verify", evidence)
    assert run.status == 0
    assert run.stderr == b""
    assert run.stdout.count(b"\n") == 1
    [row] = run.document["documents"]
    assert row["status"] == "verified"
    assert row["evidence_id"] == json.loads(EVIDENCE)["evidence_id"]
    assert row["file"] == evidence


def test_standard_input_can_be_verified() -> None:
    run = rea("verify", "-", stdin=EVIDENCE)
    assert run.status == 0
    assert run.document["documents"][0]["file"] == "standard input"


def test_an_invalid_document_among_several_names_itself_and_nothing_is_written(
    evidence: str, tmp_path: Path
) -> None:
    altered = written(tmp_path / "altered.json", EVIDENCE.replace(b"main>Shop", b"main>Chop"))
    absent = str(tmp_path / "absent.json")
    run = rea("verify", evidence, altered, absent)
    assert run.status == 65
    assert run.error["code"] == "invalid_input"
    assert run.error["message"].startswith(f"2 of 3 documents are not valid: {altered}: /normalized_result/")
    files = [detail["file"] for detail in run.error["details"]]
    assert files == [altered] * (len(files) - 1) + [absent]
    assert len(files) >= 2
    assert not any(altered in detail["message"] for detail in run.error["details"])


def test_a_single_invalid_document_is_named_in_each_fault_too(tmp_path: Path) -> None:
    altered = written(tmp_path / "altered.json", EVIDENCE.replace(b"main>Shop", b"main>Chop"))
    assert {detail["file"] for detail in rea("verify", altered).error["details"]} == {altered}


def test_verifying_says_when_and_where_a_capture_was_made(evidence: str, tmp_path: Path) -> None:
    document = json.loads(EVIDENCE)
    result, where = document["normalized_result"], document["environment"]
    bare = written(tmp_path / "bare.json", json.dumps(result).encode())
    comparison = str(tmp_path / "comparison.json")
    rea("compare-web-captures", evidence, evidence, "--output", comparison)
    whole, alone, compared = rea("verify", evidence, bare, comparison).document["documents"]
    assert whole["capture"] == {
        "started_at": result["started_at"],
        "finished_at": result["finished_at"],
        "browser_mode": "launch",
        "browser_product": "Chromium",
        "browser_version": "156.0.1.2",
        "start_url": document["parameters"]["start_url"]["url"],
        "platform": where["platform"],
        "architecture": where["architecture"],
        "isolation": where["isolation"],
        "completeness": "complete",
        "shortfall": None,
    }
    unsaid = {"platform": None, "architecture": None, "isolation": None}
    assert alone["capture"] == {**whole["capture"], **unsaid, "start_url": result["scenario"]["start_origin"]}
    assert compared["capture"] is None


def test_verifying_says_what_an_incomplete_capture_lacks(tmp_path: Path) -> None:
    steps = (builders.start(), builders.step("buy", 1, status="failed", error="Timeout 300ms exceeded"))
    lacking = evidence_bytes(sealed_capture(builders.capture(steps=steps)))
    run = rea("verify", written(tmp_path / "lacking.json", lacking))
    assert run.status == 0
    capture = run.document["documents"][0]["capture"]
    assert capture["completeness"] == "incomplete"
    assert capture["shortfall"] == "step buy failed: Timeout 300ms exceeded"
    _, text = rea_on_terminal("verify", str(tmp_path / "lacking.json"))
    assert "the capture is incomplete: step buy failed: Timeout 300ms exceeded" in text


@pytest.mark.parametrize(
    ("pair", "statuses"),
    [(("evidence", "evidence"), (0, 0)), (("evidence", "changed_evidence"), (1, 0))],
)
def test_exit_code_tells_the_verdict_only_when_asked(
    pair: tuple[str, str], statuses: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    before, after = (request.getfixturevalue(name) for name in pair)
    asked = rea("compare-web-captures", before, after, "--exit-code")
    assert (asked.status, rea("compare-web-captures", before, after).status) == statuses
    assert asked.document["normalized_result"]["overall_status"] == ("unchanged", "changed")[statuses[0]]


def test_exit_code_is_two_for_unknown(evidence: str, tmp_path: Path) -> None:
    bare = json.loads(EVIDENCE)["normalized_result"]
    bare["browser"]["version"] = "1.2.3"
    other = written(tmp_path / "other.json", json.dumps(bare).encode())
    run = rea("compare-web-captures", evidence, other, "--exit-code")
    assert run.status == 2
    assert run.document["normalized_result"]["overall_status"] == "unknown"


def test_an_output_file_gets_the_document_and_standard_output_nothing(evidence: str, tmp_path: Path) -> None:
    path = tmp_path / "comparison.json"
    run = rea("compare-web-captures", evidence, evidence, "--output", str(path))
    assert (run.status, run.stdout, run.stderr) == (0, b"", b"")
    assert rea("verify", str(path)).document["documents"][0]["kind"] == "comparison"


def test_an_output_file_and_json_give_the_document_twice(evidence: str, tmp_path: Path) -> None:
    path = tmp_path / "comparison.json"
    run = rea("compare-web-captures", evidence, evidence, "--output", str(path), "--json")
    assert run.status == 0
    assert run.stdout == path.read_bytes()


def test_the_same_comparison_gives_the_same_bytes_from_every_kind_of_input(evidence: str) -> None:
    whole = json.loads(EVIDENCE)
    both = json.dumps({"before_scenario": whole, "after_scenario": whole})
    runs = [
        rea("compare-web-captures", evidence, evidence),
        rea("compare-web-captures", evidence, "-", stdin=EVIDENCE),
        rea("compare-web-captures", both),
        rea("compare-web-captures", " \n" + both),
        rea("compare-web-captures", "-", stdin=both.encode()),
    ]
    assert {run.status for run in runs} == {0}
    assert len({run.stdout for run in runs}) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("no-such-command",),
        ("--no-such-option",),
        ("verify",),
        ("verify", "--no-such-option", "x"),
        ("verify", "-", "-"),
        ("capture-browser-scenario",),
        ("capture-browser-scenario", "{}", "{}"),
        ("capture-browser-scenario", "{}", "--output"),
        ("compare-web-captures",),
        ("compare-web-captures", "a", "b", "c"),
        ("compare-web-captures", "-", "-"),
        ("compare-web-captures", "{}", "--rules", "rules.json"),
        ("schema", "no-such-schema"),
        ("doctor", "now"),
    ],
)
def test_a_wrong_command_line_is_status_64(arguments: tuple[str, ...]) -> None:
    run = rea(*arguments)
    assert run.status == 64
    assert run.error["code"] == "command_line"
    assert run.error["message"]


def test_help_and_version_are_on_standard_output() -> None:
    assert rea("--version").stdout.decode() == f"rea {__version__}\n"
    for arguments in (("--help",), ("-h",), ("verify", "--help"), ("capture-browser-scenario", "-h")):
        run = rea(*arguments)
        assert run.status == 0
        assert run.stdout.startswith(b"Usage: rea")
        assert run.stderr == b""


def test_every_schema_is_printed_and_listed() -> None:
    assert rea("schema").document == {"schemas": list(SCHEMAS)}
    run = rea("schema", "scenario")
    assert (run.status, run.stdout) == (0, schema_text("scenario"))


@pytest.mark.parametrize("stream", ["verify", "schema", "--help", "--version", "doctor"])
def test_a_full_device_as_standard_output_is_status_73(stream: str, evidence: str) -> None:
    arguments = {"verify": ("verify", evidence), "schema": ("schema", "scenario")}.get(stream, (stream,))
    with Path("/dev/full").open("wb") as full:
        run = rea(*arguments, stdout=full)
    assert run.status == 73
    assert "no space left" in run.error["message"]


@pytest.mark.parametrize("path", ["/dev/full", "absent/comparison.json", "."])
def test_an_output_that_cannot_be_written_is_status_73_and_leaves_nothing(
    path: str, evidence: str, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    run = rea("compare-web-captures", evidence, evidence, "--output", path, cwd=folder)
    assert run.status == 73
    assert run.error["code"] == "output_failed"
    assert os.listdir(folder) == []


@pytest.mark.parametrize("arguments", [("verify",), ("--help",), ("schema", "capture-evidence")])
def test_a_reader_that_has_gone_is_met_with_silence(arguments: tuple[str, ...], evidence: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        run = rea(*arguments, *((evidence,) if arguments == ("verify",) else ()), stdout=closed)
    assert (run.status, run.stderr) == (73, b"")


def test_closed_streams_give_a_status_and_no_traceback(evidence: str) -> None:
    assert through_shell('rea verify "$1" >&-', evidence).status == 73
    assert through_shell('rea verify "$1" 2>&-', evidence).status == 0
    assert through_shell('rea verify "$1" <&-', evidence).status == 0
    assert through_shell("rea verify - <&-").status == 65
    assert through_shell("rea verify absent 2>&-").status == 65
    assert through_shell("rea verify absent >&- 2>&-").status == 65
    assert through_shell('rea verify "$1" >&- 2>&- <&-', evidence).status == 73


def test_an_error_for_a_closed_standard_error_gets_nowhere_else(evidence: str) -> None:
    run = through_shell("rea verify absent 2>&-")
    assert (run.stdout, run.stderr) == (b"", b"")


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_standard_output_named_as_a_file_gets_the_document_once(
    name: str, evidence: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    script = 'echo first > "$2"; rea compare-web-captures "$1" "$1" --output "$3" >> "$2"'
    run = through_shell(script, evidence, str(log), name)
    assert (run.status, run.stderr) == (0, b"")
    first, second = log.read_bytes().splitlines()
    assert first == b"first"
    assert json.loads(second)["operation"] == "compare_web_captures"


def test_both_names_of_the_program_are_the_same() -> None:
    script = "from rea_capture.cli import main; main(['--version'])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(), timeout=WAIT_S, check=False
    )
    assert done.stdout == rea("--version").stdout


def _heed_interrupts() -> None:
    # A suite started in the background has interrupts ignored, and so would its children.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


INTERRUPTED_IMPORT = """
import sys
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "rea_capture.cli.program":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from rea_capture.cli import main
main(["--help"])
"""


def test_an_interrupt_while_the_program_is_still_importing_is_status_130_and_quiet() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT],
        capture_output=True,
        env=environment(),
        timeout=WAIT_S,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_an_interrupt_is_status_130_and_quiet(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*COMMAND, "verify", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 - this process has no other thread
    )
    with pipe.open("wb"):  # opens when the command is waiting to read
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130
    assert (stdout, stderr.strip()) == (b"", b"")
