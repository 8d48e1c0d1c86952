"""``--output`` never overwrites what the command reads."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from rea_capture.evidence import evidence_bytes
from tests.cli.running import COMMAND, WAIT_S, environment, rea, written
from tests.evidence.sealed import sealed_capture

EVIDENCE = evidence_bytes(sealed_capture())


@pytest.fixture
def evidence(tmp_path: Path) -> str:
    return written(tmp_path / "evidence.json", EVIDENCE)


@pytest.mark.parametrize("name", ["evidence.json", "./evidence.json", "symbolic.json", "hard.json"])
def test_an_output_that_is_an_input_by_any_name_is_refused_before_anything_runs(
    name: str, evidence: str, tmp_path: Path
) -> None:
    (tmp_path / "symbolic.json").symlink_to("evidence.json")
    os.link(evidence, tmp_path / "hard.json")
    for arguments in (
        ("compare-web-captures", evidence, "{}"),
        ("compare-web-captures", "{}", evidence),
        ("compare-web-captures", evidence),
        ("compare-web-captures", "{}", "{}", "--rules", evidence),
        ("capture-browser-scenario", evidence),
        ("capture-browser-scenario", "{}", "--executable-path", evidence),
    ):
        run = rea(*arguments, "--output", str(tmp_path / name))
        assert run.status == 64
        assert run.error["code"] == "command_line"
        assert "--output names an input" in run.error["message"]
    assert Path(evidence).read_bytes() == EVIDENCE


def test_the_file_behind_standard_input_is_an_input_too(evidence: str) -> None:
    with open(evidence, "rb") as stdin:
        done = subprocess.run(
            [*COMMAND, "compare-web-captures", "-", "--output", evidence],
            stdin=stdin,
            capture_output=True,
            timeout=WAIT_S,
            env=environment(),
            check=False,
        )
    assert done.returncode == 64
    assert "standard input" in json.loads(done.stderr)["error"]["message"]
    assert Path(evidence).read_bytes() == EVIDENCE


def test_another_file_is_overwritten(evidence: str, tmp_path: Path) -> None:
    other = written(tmp_path / "other.json", EVIDENCE)
    assert rea("compare-web-captures", evidence, evidence, "--output", other).status == 0
    assert json.loads(Path(other).read_bytes())["operation"] == "compare_web_captures"
