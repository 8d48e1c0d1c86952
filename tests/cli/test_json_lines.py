"""``rea capture-browser-scenario --jsonl``: what is told, in which order, and how it ends."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from rea_capture.evidence import parse
from rea_capture.version import __version__
from tests.browser.capture.conftest import css, pause, scenario_document, secret
from tests.cli.json_lines import of_kind, records_of
from tests.cli.running import COMMAND, WAIT_S, Run, environment, json_text, rea, through_shell
from tests.loopback import Loopback

CAPTURE = "capture-browser-scenario"
SECRET = "correct-horse-battery"
ECHOING = """<title>Shop</title><input id="pin"><button>Pay</button><p id="said">\u2028\u0085</p><script>
pin.oninput = () => {
  said.textContent = pin.value; localStorage.pin = pin.value; history.replaceState(0, '', '#' + pin.value);
}
</script>"""


def stream(*arguments: str | bytes, **options: Any) -> tuple[Run, list[dict[str, Any]]]:
    """A run that streams, and its records."""
    run = rea(CAPTURE, *arguments, "--jsonl", **options)
    return run, records_of(run.stdout)


def digests_in(step: dict[str, Any]) -> dict[str, Any]:
    """The artifacts of a step of Evidence as its record has them, computed the long way round."""
    found = {}
    for name, state in step["artifacts"].items():
        value = state.get("value")
        if value is None:
            found[name] = state
            continue
        data = None if "sha256" in value else rfc8785.dumps(value)
        size = value["bytes"] if data is None else len(data)
        sha256 = value["sha256"] if data is None else hashlib.sha256(data).hexdigest()
        found[name] = {"state": "captured", "bytes": size, "sha256": sha256}
    return found


def test_every_step_is_told_as_it_ends_without_bytes_or_secrets_and_then_the_evidence(
    loopback: Loopback, chromium_path: str
) -> None:
    everything = ["screenshot", "dom", "accessibility", "url", "history", "storage"]
    document = scenario_document(
        loopback.route("/", ECHOING),
        [
            {"step_id": "pin", "action": "fill", "locator": css("#pin"), "value": secret("pin")},
            {"step_id": "pay", "action": "click", "locator": css("#absent"), "timeout_ms": 200},
            pause("never"),
        ],
        secrets=[{"secret_id": "pin", "environment_variable": "REA_TEST_PIN"}],
        capture={"after_each_step": everything, "at_end": everything},
    )
    run, records = stream(
        "-", "--executable-path", chromium_path, stdin=json_text(document), env={"REA_TEST_PIN": SECRET}
    )
    assert (run.status, run.stderr) == (0, b"")
    assert SECRET.encode() not in run.stdout

    started, *between, last = records
    declared = [
        ("goto_start", "scenario_start"),
        ("fill", "pin"),
        ("click", "pay"),
        ("wait_for_timeout", "never"),
    ]
    assert [(step["action"], step["step_id"]) for step in started["steps"]] == declared
    assert (started["rea_version"], started["browser_mode"]) == (__version__, "launch")

    data = rfc8785.dumps(last["evidence"]) + b"\n"
    assert (last["bytes"], last["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert rfc8785.dumps(last["evidence"]) in run.stdout
    parse(data, "the document in the stream")
    result = last["evidence"]["normalized_result"]
    assert last["completeness"] == result["completeness"]
    assert (last["evidence_id"], last["interrupted_by"], last["path"]) == (
        last["evidence"]["evidence_id"],
        None,
        None,
    )

    steps = of_kind(between, "step")
    assert [step["status"] for step in steps] == ["completed", "completed", "failed"]
    for told, kept in zip(steps, result["steps"], strict=False):
        assert told["artifacts"] == digests_in(kept)
        same = ("action", "completeness", "elapsed_ms", "error", "status", "step_id", "step_index")
        assert {name: told[name] for name in same} == {name: kept[name] for name in same}
    assert "absent" in steps[2]["error"]

    begun = [record for record in between if record.get("activity") == "step" and record["activity_ms"] == 0]
    order = [(record["kind"], record["step_id"]) for record in between if record in begun or record in steps]
    assert order == [(kind, step["step_id"]) for step in steps for kind in ("progress", "step")]


def test_an_output_file_gets_the_evidence_and_the_stream_its_digest(
    loopback: Loopback, chromium_path: str, tmp_path: Path
) -> None:
    path = tmp_path / "capture.json"
    document = json_text(scenario_document(loopback.route("/", "<p>x"), [pause("settle", 1)]))
    run, records = stream(document, "--executable-path", chromium_path, "--output", str(path))
    assert (run.status, run.stderr) == (0, b"")
    data = path.read_bytes()
    last = records[-1]
    assert (last["evidence"], last["path"]) == (None, str(path))
    assert (last["bytes"], last["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert last["evidence_id"] == json.loads(data)["evidence_id"]
    assert len(run.stdout) < 8_000


@pytest.mark.parametrize(
    ("arguments", "status", "code", "sentence"),
    [
        (("{}", "--json"), 64, "command_line", "--json and --jsonl"),
        (("{}", "--no-such-option"), 64, "command_line", "No such option"),
        ((), 64, "command_line", "Missing argument"),
        (('{"actions": []}',), 65, "invalid_input", "is not valid"),
        (("absent.json",), 65, "invalid_input", "cannot read absent.json"),
        (("{}", "--output", "absent/capture.json"), 73, "output_failed", "absent/capture.json"),
    ],
)
def test_what_is_refused_is_a_stream_of_one_error(
    arguments: tuple[str, ...], status: int, code: str, sentence: str
) -> None:
    run, records = stream(*arguments)
    [error] = records
    assert run.status == status
    assert (error["exit_status"], error["code"]) == (status, code)
    assert sentence in error["message"]
    assert error["recovery"]
    said = json.loads(run.stderr)["error"]
    assert said == {name: error[name] for name in ("code", "message", "details", "recovery")}


def test_every_fault_of_a_scenario_is_in_the_error_with_its_pointer() -> None:
    document = scenario_document("http://127.0.0.1:9/", [pause("a", 1), {**pause("b", -1), "extra": 1}])
    _, [error] = stream(json_text(document))
    assert {detail["pointer"] for detail in error["details"]} >= {
        "/actions/1/duration_ms",
        "/actions/1/extra",
    }


@pytest.mark.parametrize(
    ("browser", "sentence"),
    [("/etc/passwd", "not executable"), ("/absent/chromium", "does not exist")],
)
def test_what_is_not_available_is_the_last_line_after_the_start(browser: str, sentence: str) -> None:
    document = scenario_document("http://127.0.0.1:9/", [pause()])
    run, records = stream(json_text(document), "--executable-path", browser)
    assert run.status == 69
    assert (records[0]["kind"], of_kind(records, "step")) == ("started", [])
    assert (records[-1]["code"], records[-1]["exit_status"]) == ("unavailable", 69)
    assert sentence in records[-1]["message"]


def test_a_secret_that_is_not_set_is_named_and_none_is_told(chromium_path: str) -> None:
    names = [("pin", "REA_TEST_UNSET"), ("word", "REA_TEST_PIN")]
    document = scenario_document(
        "http://127.0.0.1:9/",
        [pause()],
        secrets=[{"secret_id": name, "environment_variable": variable} for name, variable in names],
    )
    run, records = stream(
        json_text(document), "--executable-path", chromium_path, env={"REA_TEST_PIN": SECRET}
    )
    assert "REA_TEST_UNSET" in records[-1]["message"]
    assert SECRET.encode() not in run.stdout + run.stderr


def test_a_signal_while_the_scenario_is_still_read_is_an_error_that_says_so() -> None:
    process = subprocess.Popen(
        [*COMMAND, CAPTURE, "-", "--jsonl"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    )  # fmt: skip
    assert process.stdin is not None
    # More than a pipe holds: when it has been taken, the program is reading.
    feeding = threading.Thread(target=process.stdin.write, args=(b" " * 2**20,))
    feeding.start()
    feeding.join(WAIT_S)
    process.send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate(timeout=WAIT_S)
    [error] = records_of(stdout)
    assert (process.returncode, stderr) == (143, b"")
    assert (error["code"], error["exit_status"]) == ("interrupted", 143)


def test_a_closed_standard_output_is_found_before_the_browser_starts(tmp_path: Path) -> None:
    document = json.dumps(scenario_document("http://127.0.0.1:9/", [pause()]))
    run = through_shell('rea capture-browser-scenario "$1" --jsonl >&-', document)
    assert (run.status, run.error["code"]) == (73, "output_failed")


def test_help_is_help() -> None:
    run = rea(CAPTURE, "--jsonl", "--help")
    assert (run.status, run.stderr) == (0, b"")
    assert b"--jsonl" in run.stdout
    assert os.linesep.encode() in run.stdout
