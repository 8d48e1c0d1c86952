"""The whole demo with a real browser: an unchanged control, a deploy that is found, verified documents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rea_capture import CaptureEvidence, ComparisonEvidence, read_evidence, read_scenario
from rea_capture.demo.story import PASSWORD
from tests.demo.running import DemoRun
from tests.project.tree import ROOT

DOCUMENTS = {"before.json", "again.json", "after.json", "control.json", "comparison.json"}


def comparison(folder: Path, name: str) -> ComparisonEvidence:
    evidence = read_evidence((folder / name).read_bytes())
    assert isinstance(evidence, ComparisonEvidence)
    return evidence


def captured(folder: Path, name: str) -> CaptureEvidence:
    evidence = read_evidence((folder / name).read_bytes())
    assert isinstance(evidence, CaptureEvidence)
    return evidence


def changed_artifacts(evidence: ComparisonEvidence) -> dict[str, set[str]]:
    steps = evidence.normalized_result.steps
    return {
        step.step_id: {row.artifact for row in step.artifact_diffs} for step in steps if step.artifact_diffs
    }


def test_the_unchanged_shop_is_unchanged_against_itself(demo_run: DemoRun) -> None:
    result = comparison(demo_run.folder, "control.json").normalized_result
    assert result.overall_status == "unchanged"
    assert result.alignment.status == "aligned"


def test_the_deploy_is_found_in_the_steps_it_touched_and_in_no_other(demo_run: DemoRun) -> None:
    evidence = comparison(demo_run.folder, "comparison.json")
    assert evidence.normalized_result.overall_status == "changed"
    assert changed_artifacts(evidence) == {
        "sign-in": {"events"},
        "lamp": {"events"},
        "cart-ready": {"screenshot", "dom", "accessibility"},
    }


def test_every_capture_of_the_tour_is_complete(demo_run: DemoRun) -> None:
    for name in ("before.json", "again.json", "after.json"):
        result = captured(demo_run.folder, name).normalized_result
        assert [step.error for step in result.steps if step.error] == []
        assert result.completeness.status == "complete"


def test_every_document_is_there_and_named_at_the_end(demo_run: DemoRun) -> None:
    folder, words = demo_run.folder, demo_run.words
    assert {path.name for path in folder.iterdir()} == DOCUMENTS | {"scenario.json", "report.html"}
    for path in folder.iterdir():
        assert str(path) in words
    assert read_scenario((folder / "scenario.json").read_bytes()).actions


def test_the_words_name_what_the_deploy_did(demo_run: DemoRun) -> None:
    words = demo_run.words
    assert "/welcome added (document, status 303)" in words
    assert "/pictures/badge-new.svg added (image, status 404)" in words
    assert "249.00 €" in words
    assert "pixels changed" in words


def test_the_password_that_the_deploy_logs_is_in_no_document_and_no_word(demo_run: DemoRun) -> None:
    folder, words = demo_run.folder, demo_run.words
    assert "signing in [REDACTED:shop_password]" in words
    parts = [part.encode() for part in ("pumpkin", "spice")]
    assert all(part in PASSWORD.encode() for part in parts)
    for text in (words.encode(), *(path.read_bytes() for path in folder.iterdir())):
        assert not any(part in text for part in parts)


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path, chromium_path: str) -> None:
    taken = tmp_path / "a file"
    taken.write_text("")
    command = [
        sys.executable,
        "-m",
        "rea_capture.demo",
        "--executable-path",
        chromium_path,
        "--output",
        str(taken),
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 73
    assert ran.stderr.count("\n") == 1
    assert "cannot make the folder" in ran.stderr


def test_the_shop_can_be_served_for_captures_of_ones_own() -> None:
    command = [sys.executable, "-m", "rea_capture.demo", "--serve", "0"]
    served = subprocess.run(
        command, cwd=ROOT, input="\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert served.returncode == 0
    assert "The shop is open at http://127.0.0.1:" in served.stdout
    assert served.stdout.endswith("Deployed.\n")
