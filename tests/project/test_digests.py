"""The lines in ``docs/digests.md`` recompute every digest of the demo's documents."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.demo.running import DemoRun
from tests.project.markdown import blocks
from tests.project.tree import ROOT

PAGE = ROOT / "docs" / "digests.md"
RUN_SECONDS = 120


def documented_program(executable_path: str) -> str:
    shown = [block.text for block in blocks(PAGE) if block.language == "python"]
    assert len(shown) == len([block for block in blocks(PAGE) if block.check.startswith("run")])
    return "\n".join([f"EXECUTABLE_PATH = {executable_path!r}", *shown])


def test_the_documented_lines_agree_with_every_digest(demo_run: DemoRun) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", documented_program(demo_run.executable_path)],
        cwd=demo_run.folder, capture_output=True, text=True, timeout=RUN_SECONDS, check=False,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


def test_the_documented_lines_notice_a_change(demo_run: DemoRun) -> None:
    text = (demo_run.folder / "before.json").read_text("utf-8")
    program = documented_program(demo_run.executable_path).replace(
        'load("before.json")', f"json.loads({text.replace('Desk lamp', 'Desk camp', 1)!r})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=demo_run.folder, capture_output=True, text=True, timeout=RUN_SECONDS, check=False,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.returncode == 1
    assert "AssertionError" in ran.stderr


def test_the_documented_shell_line_gives_the_evidence_id(demo_run: DemoRun) -> None:
    (line,) = [block.text for block in blocks(PAGE) if block.check == "shell"]
    ran = subprocess.run(
        ["sh", "-c", line],
        cwd=demo_run.folder,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=True,
    )
    evidence_id = json.loads((demo_run.folder / "before.json").read_bytes())["evidence_id"]
    assert "ev_" + ran.stdout.split()[0] == evidence_id
