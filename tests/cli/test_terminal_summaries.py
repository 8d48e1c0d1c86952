"""On a terminal a person reads a summary, and nothing a page said can steer the terminal."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from rea_capture.cli.terminal import printable
from rea_capture.contracts.schemas import SCHEMAS
from rea_capture.evidence import evidence_bytes
from tests import builders
from tests.cli.running import lines_of, rea, rea_on_terminal, written
from tests.evidence.sealed import rich_capture, sealed_capture

STYLES = re.compile(r"\x1b\[[0-9;]*m")


def plain_text(terminal: str) -> str:
    """What a person sees: without colours and line ends, runs of blanks as one."""
    return " ".join(STYLES.sub("", terminal).split())


@pytest.fixture
def before(tmp_path: Path) -> str:
    return written(tmp_path / "before.json", evidence_bytes(sealed_capture()))


@pytest.fixture
def after(tmp_path: Path) -> str:
    changed = sealed_capture(rich_capture("<main>Sold out</main>"))
    return written(tmp_path / "after.json", evidence_bytes(changed))


def test_a_comparison_shows_the_verdict_the_artifacts_and_where_to_look(before: str, after: str) -> None:
    status, text = rea_on_terminal("compare-web-captures", before, after, "--exit-code")
    seen = plain_text(text)
    assert status == 1
    assert seen.startswith("Verdict: changed")
    assert "open changed dom" in seen
    assert "Limitations" in seen
    assert "--output FILE or --json" in seen
    assert '{"' not in seen


def test_an_unknown_artifact_comes_with_what_to_do(before: str, tmp_path: Path) -> None:
    partial = builders.capture(steps=(builders.start(), builders.step(dom=builders.missing())))
    other = written(tmp_path / "other.json", evidence_bytes(sealed_capture(partial)))
    status, text = rea_on_terminal("compare-web-captures", before, other, "--exit-code")
    assert status == 2
    assert "What to do" in plain_text(text)


def test_json_on_a_terminal_is_the_document(before: str) -> None:
    status, text = rea_on_terminal("compare-web-captures", before, before, "--json")
    assert status == 0
    assert json.loads(text)["operation"] == "compare_web_captures"


def test_an_output_file_on_a_terminal_leaves_the_summary(before: str, tmp_path: Path) -> None:
    path = tmp_path / "comparison.json"
    status, text = rea_on_terminal("compare-web-captures", before, before, "--output", str(path))
    assert status == 0
    assert "Verdict: unchanged" in plain_text(text)
    assert str(path) in plain_text(text)
    assert json.loads(path.read_bytes())["operation"] == "compare_web_captures"


def test_verify_shows_each_document_and_when_and_where_it_was_made(before: str, after: str) -> None:
    status, text = rea_on_terminal("verify", before, after)
    assert status == 0
    lines = [plain_text(line) for line in text.splitlines()]
    assert [line.split(":")[0] for line in lines[::2]] == [f"verified {before}", f"verified {after}"]
    for line in lines[1::2]:
        assert line.startswith(
            "captured 2026-01-02T03:04:06.000Z to 2026-01-02T03:04:06.345Z with Chromium 156.0.1.2 (launch"
        )
        assert line.endswith("starting at http://shop.test/")


def test_what_a_capture_says_of_its_browser_cannot_steer_the_terminal(tmp_path: Path) -> None:
    hostile = sealed_capture(builders.capture(product="\x1b[2J[bold]Chromium", version="\u202e1"))
    path = written(tmp_path / "hostile.json", evidence_bytes(hostile))
    status, text = rea_on_terminal("verify", path)
    assert status == 0
    assert "\\x1b[2J[bold]Chromium \\u202e1" in plain_text(text)
    assert "\x1b" not in STYLES.sub("", text)


def test_an_error_on_a_terminal_is_sentences(before: str, tmp_path: Path) -> None:
    status, text = rea_on_terminal("verify", str(tmp_path / "absent.json"))
    assert status == 65
    assert plain_text(text).startswith("rea: cannot read")
    assert text.count("\n") == 1
    status, text = rea_on_terminal("compare-web-captures", before, "{}", "--output", str(tmp_path))
    assert status == 65
    assert "{" not in text


def test_several_faults_on_a_terminal_are_a_list(tmp_path: Path) -> None:
    path = written(tmp_path / "input.json", b'{"before_scenario":1,"after_scenario":2,"x":3}')
    status, text = rea_on_terminal("compare-web-captures", path)
    assert status == 65
    lines = text.splitlines()
    assert lines[0].startswith("rea: ")
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["/x", "/before_scenario", "/after_scenario"]


def test_the_names_of_schemas_are_a_list() -> None:
    assert rea_on_terminal("schema") == (0, lines_of(list(SCHEMAS)))


def test_a_schema_on_a_terminal_is_json() -> None:
    status, text = rea_on_terminal("schema", "normalization")
    assert status == 0
    assert json.loads(text)["title"] == "Normalization"


def test_doctor_shows_what_it_found_and_what_to_do(tmp_path: Path) -> None:
    status, text = rea_on_terminal("doctor", env={"PATH": str(tmp_path), "HOME": str(tmp_path)})
    seen = plain_text(text)
    assert status == 69
    assert seen.startswith("A capture cannot run here.")
    assert "playwright" in seen
    assert "Install Chromium" in seen


def test_doctor_marks_the_browser_that_captures_use(tmp_path: Path) -> None:
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\necho Chromium 156.0.1.2\n")
    browser.chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    mark = f"{browser} (Chromium 156.0.1.2), used by captures"
    assert mark not in plain_text(rea_on_terminal("doctor", env=env)[1])
    named = {**env, "REA_EXECUTABLE_PATH": str(browser)}
    assert mark in plain_text(rea_on_terminal("doctor", env=named)[1])


def test_a_page_cannot_steer_the_terminal(tmp_path: Path) -> None:
    trap = "\x1b]0;owned\x07\x1b[2J [bold]markup[/bold] :smile: \u202egnp.exe"
    step = builders.step(
        "trap", dom=builders.missing(trap), status="failed", error=trap, url=builders.location()
    )
    steps = (builders.start(), step)
    hostile = sealed_capture(builders.capture(steps=steps, limitations=[trap]))
    path = written(tmp_path / "hostile.json", evidence_bytes(hostile))
    status, text = rea_on_terminal("compare-web-captures", path, path)
    assert status == 0
    unstyled = STYLES.sub("", text)
    assert "\x1b" not in unstyled
    assert "\x07" not in unstyled
    assert "\u202e" not in unstyled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢字 text\n\tindented", "plain é 漢字 text\n\tindented"),
        ("\x1b[2J\x07\r\x00", "\\x1b[2J\\x07\\r\\x00"),
        ("\u202e\u2066\u200f\ud800\x9b", "\\u202e\\u2066\\u200f\\ud800\\x9b"),
    ],
)
def test_controls_are_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_pipe_gets_no_colours_and_no_summary(before: str) -> None:
    run = rea("compare-web-captures", before, before, env={"FORCE_COLOR": "1"})
    assert b"\x1b" not in run.stdout
    assert run.document["operation"] == "compare_web_captures"
