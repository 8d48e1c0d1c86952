"""``rea capture-browser-scenario`` with a real browser and a real server, and what stops it before."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import json_text, rea, rea_on_terminal, written
from tests.loopback import Loopback


def scenario(origin: str, **changes: Any) -> dict[str, Any]:
    """A scenario that names no browser, waits a moment, and keeps DOM and URL."""
    return {
        "browser": {"mode": "launch"},
        "start_url": {"url": f"{origin}/"},
        "actions": [{"step_id": "settle", "action": "wait_for_timeout", "duration_ms": 1}],
        "capture": {"at_end": ["dom", "url"]},
        **changes,
    }


@pytest.fixture
def shop(loopback: Loopback) -> str:
    """Origin of a server with one page."""
    loopback.route("/", "<title>Shop</title><main>Welcome</main>")
    return loopback.origin


def test_the_evidence_is_alone_on_standard_output_and_verifies(shop: str, chromium_path: str) -> None:
    run = rea("capture-browser-scenario", json_text(scenario(shop)), "--executable-path", chromium_path)
    assert (run.status, run.stderr) == (0, b"")
    assert run.document["normalized_result"]["completeness"]["status"] == "complete"
    assert rea("verify", "-", stdin=run.stdout).status == 0


def test_an_output_file_gets_the_evidence_and_the_variable_names_the_browser(
    shop: str, chromium_path: str, tmp_path: Path
) -> None:
    path = tmp_path / "capture.json"
    scenario_path = written(tmp_path / "scenario.json", json_text(scenario(shop)))
    run = rea(
        "capture-browser-scenario",
        scenario_path,
        "--output",
        str(path),
        env={"REA_EXECUTABLE_PATH": chromium_path},
    )
    assert (run.status, run.stdout, run.stderr) == (0, b"", b"")
    assert rea("verify", str(path)).status == 0
    assert rea("compare-web-captures", str(path), str(path), "--exit-code").status == 0


def test_a_terminal_gets_progress_and_a_summary(shop: str, chromium_path: str) -> None:
    text_of_scenario = json.dumps(scenario(shop))
    status, text = rea_on_terminal(
        "capture-browser-scenario", text_of_scenario, "--executable-path", chromium_path
    )
    assert status == 0
    assert text.index("settle") < text.index("Capture")
    assert "wait_for_timeout" in text
    assert '"evidence_id"' not in text


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "no browser is named"),
        ({"browser": {"mode": "launch", "executable_path": "/absent/chromium"}}, "does not exist"),
        ({"browser": {"mode": "launch", "executable_path": "/etc/passwd"}}, "not executable"),
        (
            {
                "browser": {"mode": "launch", "executable_path": "/absent/chromium"},
                "secrets": [{"secret_id": "pin", "environment_variable": "REA_TEST_UNSET"}],
            },
            "REA_TEST_UNSET",
        ),
    ],
)
def test_what_is_not_available_is_status_69_and_one_line(changes: dict[str, Any], sentence: str) -> None:
    run = rea("capture-browser-scenario", json_text(scenario("http://127.0.0.1:9", **changes)))
    assert run.status == 69
    assert run.error["code"] == "unavailable"
    assert sentence in run.error["message"]


DOWN = "http://127.0.0.1:9"
"""An origin where nobody answers: the port of the discard service, which browsers refuse as well."""


@pytest.mark.parametrize(("flags", "status"), [((), 0), (("--require-complete",), 2)])
def test_a_site_that_is_down_is_said_to_be_and_fails_where_completeness_is_required(
    flags: tuple[str, ...], status: int, chromium_path: str, tmp_path: Path
) -> None:
    path = tmp_path / "capture.json"
    run = rea(
        "capture-browser-scenario",
        json_text(scenario(DOWN)),
        *("--executable-path", chromium_path, "--output", str(path)),
        *flags,
    )
    assert run.status == status
    said = "rea: the capture is incomplete: step scenario_start failed: net::ERR_"
    assert run.stderr.decode().startswith(said)
    assert run.stderr.decode().endswith("; 1 later step did not complete either\n")
    assert rea("verify", str(path)).status == 0


def test_a_complete_capture_is_all_that_is_required(shop: str, chromium_path: str) -> None:
    arguments = ("capture-browser-scenario", json_text(scenario(shop)), "--executable-path", chromium_path)
    run = rea(*arguments, "--require-complete")
    assert (run.status, run.stderr) == (0, b"")


def test_lines_of_an_incomplete_capture_end_with_its_evidence_and_the_status(chromium_path: str) -> None:
    arguments = ("capture-browser-scenario", json_text(scenario(DOWN)), "--executable-path", chromium_path)
    run = rea(*arguments, "--jsonl", "--require-complete")
    assert (run.status, run.stderr) == (2, b"")
    assert json.loads(run.stdout.splitlines()[-1])["kind"] == "evidence"


def test_a_terminal_is_told_why_a_capture_is_incomplete(chromium_path: str) -> None:
    _, text = rea_on_terminal(
        "capture-browser-scenario", json.dumps(scenario(DOWN)), "--executable-path", chromium_path
    )
    assert "step scenario_start failed: net::ERR_" in text
    assert "1 later step did not complete either" in text


def test_an_output_that_cannot_be_written_is_found_before_the_browser_starts(tmp_path: Path) -> None:
    named = {"browser": {"mode": "launch", "executable_path": "/absent/chromium"}}
    text_of_scenario = json_text(scenario("http://127.0.0.1:9", **named))
    for output in (str(tmp_path), str(tmp_path / "absent" / "capture.json")):
        assert rea("capture-browser-scenario", text_of_scenario, "--output", output).status == 73
    assert os.listdir(tmp_path) == []


def test_a_full_device_loses_no_more_than_the_document(shop: str, chromium_path: str) -> None:
    arguments = ("capture-browser-scenario", json_text(scenario(shop)), "--executable-path", chromium_path)
    run = rea(*arguments, "--output", "/dev/full")
    assert run.status == 73
    assert "no space left" in run.error["message"]
