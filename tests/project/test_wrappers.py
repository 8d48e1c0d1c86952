"""The wrappers and the configurations of ``docs/wrappers.md`` work as they stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rea_capture.cli.line_writer import MAX_PENDING_NOTICES
from rea_capture.cli.telling import HEARTBEAT_INTERVAL_S
from rea_capture.contracts.stream import STREAM_VERSION
from rea_capture.evidence import parse
from tests.browser.capture.conftest import css, pause, scenario_document
from tests.loopback import Loopback
from tests.project.markdown import Block, blocks
from tests.project.tree import ROOT

PAGE = ROOT / "docs" / "wrappers.md"
COMMAND_SECONDS = 120


def the_block(check: str) -> Block:
    (block,) = [block for block in blocks(PAGE) if block.check == check]
    return block


@pytest.fixture(autouse=True)
def rea_on_path(tmp_path: Path, chromium_path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which ``rea`` is installed and the browser is named."""
    commands = tmp_path / "commands"
    commands.mkdir()
    program = commands / "rea"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rea_capture "$@"\n')
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("REA_EXECUTABLE_PATH", chromium_path)


@pytest.fixture
def wrapper() -> dict[str, Any]:
    """What the wrapper in Python defines."""
    module: dict[str, Any] = {}
    exec(compile(the_block("wrapper python").text, str(PAGE), "exec"), module)
    return module


def test_the_wrapper_in_python_gives_records_and_evidence(
    wrapper: dict[str, Any], loopback: Loopback
) -> None:
    seen: list[dict[str, Any]] = []
    document = scenario_document(loopback.route("/", "<p>x"), [pause("settle", 1)])
    last = wrapper["capture"](document, on_record=seen.append)
    parse(json.dumps(last["evidence"]).encode(), "the document")
    assert [step["step_id"] for step in seen if step["kind"] == "step"] == ["scenario_start", "settle"]
    assert seen[-1] is last


def test_the_wrapper_in_python_raises_with_the_reason(wrapper: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(wrapper["CaptureError"], match="start_url") as raised:
        wrapper["capture"]({"browser": {"mode": "launch"}, "actions": []})
    assert {"pointer": "/start_url", "message": "this field is required"} in raised.value.record["details"]

    (tmp_path / "commands" / "rea").write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(wrapper["CaptureError"], match="status 3 and said nothing") as raised:
        wrapper["capture"]({"padding": "x" * 2**20})
    assert raised.value.record is None


def test_a_caller_that_raises_in_the_wrapper_ends_the_capture(
    wrapper: dict[str, Any], loopback: Loopback
) -> None:
    def stop(record: dict[str, Any]) -> None:
        if record["kind"] == "step":
            raise KeyError("enough")

    document = scenario_document(loopback.route("/", "<p>x"), [pause("long", 600_000)])
    began = time.monotonic()
    with pytest.raises(KeyError, match="enough"):
        wrapper["capture"](document, on_record=stop)
    assert time.monotonic() - began < COMMAND_SECONDS


def test_the_wrapper_in_python_ends_a_capture_that_falls_silent_and_gets_what_it_saw(
    wrapper: dict[str, Any], loopback: Loopback
) -> None:
    wrapper["SILENCE_S"] = HEARTBEAT_INTERVAL_S - 1  # as if a heartbeat did not come
    document = scenario_document(loopback.route("/", "<p>x"), [pause("long", 600_000)])
    last = wrapper["capture"](document)
    assert (last["kind"], last["interrupted_by"]) == ("evidence", "SIGTERM")


def test_the_wrapper_in_a_shell_says_what_happens_and_keeps_the_status(
    loopback: Loopback, tmp_path: Path
) -> None:
    script = tmp_path / "capture.sh"
    script.write_text(the_block("wrapper shell").text)
    scenario, evidence = tmp_path / "scenario.json", tmp_path / "evidence.json"

    def shell() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(script), str(scenario), str(evidence)],
            capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False,
        )  # fmt: skip

    buy = {"step_id": "buy", "action": "click", "locator": css("#absent"), "timeout_ms": 100}
    document = scenario_document(loopback.route("/", "<p>x"), [pause("settle", 1), buy])
    scenario.write_text(json.dumps(document))
    done = shell()
    assert (done.returncode, done.stderr) == (0, "")
    evidence_id = parse(evidence.read_bytes(), "the document").evidence_id
    assert done.stdout.splitlines() == [
        "scenario_start: completed",
        "settle: completed",
        "buy: failed",
        f"{evidence_id} is in {evidence}",
    ]
    scenario.write_text("{}")
    refused = shell()
    assert (refused.returncode, refused.stdout) == (65, "no capture: invalid_input\n")
    scenario.unlink()
    missing = shell()
    assert (missing.returncode, missing.stderr) == (65, f"capture.sh: cannot read {scenario}\n")
    short = subprocess.run(
        ["sh", str(script), str(scenario)],
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    assert (short.returncode, short.stderr) == (64, "usage: capture.sh SCENARIO EVIDENCE\n")


def test_every_configuration_starts_the_server() -> None:
    found = [block for block in blocks(PAGE) if block.check in {"json mcp", "toml mcp"}]
    assert len(found) == 6
    for block in found:
        document = json.loads(block.text) if block.language == "json" else tomllib.loads(block.text)
        (servers,) = [document[key] for key in ("mcpServers", "servers", "mcp_servers") if key in document]
        assert (servers["rea"]["command"], servers["rea"]["args"]) == ("rea", ["serve-mcp"])


def test_the_numbers_of_the_stream_are_those_of_the_program() -> None:
    text = PAGE.read_text("utf-8")
    assert f"| `heartbeat_interval_ms` | {HEARTBEAT_INTERVAL_S * 1000:.0f}:" in text
    assert f"`stream_version` is {STREAM_VERSION} in all" in text
    assert f"`progress` at most {MAX_PENDING_NOTICES}," in text
