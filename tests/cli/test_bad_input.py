"""Input that is not valid: status 65, nothing on standard output, one JSON error with every fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rea_capture.evidence import evidence_bytes
from tests.cli.running import json_text, rea, written
from tests.evidence.sealed import plain, resealed, sealed_capture, sealed_comparison

EVIDENCE = evidence_bytes(sealed_capture())
SCENARIO: dict[str, Any] = {
    "browser": {"mode": "launch", "executable_path": "/absent/chromium"},
    "start_url": {"url": "http://127.0.0.1:9/"},
    "actions": [{"step_id": "settle", "action": "wait_for_timeout", "duration_ms": 1}],
}


def refused(*arguments: str | bytes, stdin: bytes = b"") -> dict[str, str]:
    """The message of each fault by its pointer, after checking status and streams."""
    run = rea(*arguments, stdin=stdin)
    assert run.status == 65, run.stderr
    assert run.error["code"] == "invalid_input"
    assert run.error["message"]
    return {detail["pointer"]: detail["message"] for detail in run.error["details"]}


def test_a_scenario_reports_every_fault_whether_inline_in_a_file_or_on_standard_input(tmp_path: Path) -> None:
    bad = json_text({**SCENARIO, "start_url": {"url": "ftp://x/"}, "note": 1, "command_timeout_ms": "100"})
    path = written(tmp_path / "scenario.json", bad)
    found = [
        refused("capture-browser-scenario", bad),
        refused("capture-browser-scenario", b" \n\t" + bad),
        refused("capture-browser-scenario", path),
        refused("capture-browser-scenario", "-", stdin=bad),
    ]
    assert set(found[0]) == {"/start_url/url", "/note", "/command_timeout_ms"}
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("command", ["compare-web-captures", "verify"])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b'{"a":NaN}', "NaN"),
        (b"[" * 100_000, "nesting"),
        (b"{", "not JSON"),
        (b"[1]", "object"),
    ],
)
def test_a_file_that_is_no_document_is_refused(
    command: str, content: bytes, sentence: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "input.json", content)
    found = refused(command, path)
    assert any(sentence in message for message in found.values())


@pytest.mark.parametrize("command", ["capture-browser-scenario", "compare-web-captures", "verify"])
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("absent.json", "no such file"),
        (".", "is a directory"),
        ("n" * 5000, "name too long"),
        ("", "no such file"),
        (b"\xff.json", "no such file"),
        ("/proc/self/mem", "cannot read"),
    ],
)
def test_a_path_that_cannot_be_read_is_refused_with_the_reason(
    command: str, path: str | bytes, reason: str
) -> None:
    [message] = refused(command, path).values()
    assert reason in message
    assert len(message) < 300


def test_a_scenario_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "scenario.json", b'{"browser":' + b"[" * 100_000)
    assert "nesting" in refused("capture-browser-scenario", path)[""]


def test_input_without_an_end_is_refused() -> None:
    [message] = refused("capture-browser-scenario", "/dev/zero").values()
    assert "longer than" in message


def test_inline_text_that_is_not_utf8_is_refused() -> None:
    [message] = refused("capture-browser-scenario", b'{"note":"\xff"}').values()
    assert "not UTF-8" in message


def test_deep_inline_nesting_is_refused() -> None:
    [message] = refused("capture-browser-scenario", "[" * 100_000).values()
    assert "nesting" in message


def test_both_sides_of_a_comparison_are_refused_together(tmp_path: Path) -> None:
    before = written(tmp_path / "before.json", EVIDENCE.replace(b"theme", b"thema"))
    after = plain(sealed_capture())
    after["normalized_result"]["duration_ms"] = "1"
    after_path = written(tmp_path / "after.json", resealed(after))
    found = refused("compare-web-captures", before, after_path)
    assert set(found) == {"/before_scenario/evidence_id", "/after_scenario/normalized_result/duration_ms"}


def test_an_absent_side_does_not_hide_the_faults_of_the_other(tmp_path: Path) -> None:
    before = written(tmp_path / "before.json", b"{}")
    found = refused("compare-web-captures", before, "absent.json")
    assert set(found) == {"/before_scenario", "/after_scenario"}


def test_a_comparison_as_a_side_is_refused_clearly(tmp_path: Path) -> None:
    comparison = written(tmp_path / "comparison.json", evidence_bytes(sealed_comparison()))
    capture = written(tmp_path / "capture.json", EVIDENCE)
    found = refused("compare-web-captures", capture, comparison)
    assert list(found) == ["/after_scenario"]
    assert "is a comparison" in found["/after_scenario"]


def test_every_fault_of_a_comparison_input_is_reported() -> None:
    altered = json.loads(EVIDENCE.replace(b"theme", b"thema"))
    rules = [
        {"rule_id": "a", "artifacts": [], "match": "", "replacement": "x"},
        {"rule_id": "a", "artifacts": ["screenshot"], "match": "x", "replacement": 1},
    ]
    found = refused(
        "compare-web-captures",
        "-",
        stdin=json_text({"before_scenario": altered, "normalization": {"rules": rules, "x": 1}, "y/z": 2}),
    )
    assert set(found) == {
        "/before_scenario/evidence_id",
        "/after_scenario",
        "/normalization/rules/0/artifacts",
        "/normalization/rules/0/match",
        "/normalization/rules/1/rule_id",
        "/normalization/rules/1/artifacts/0",
        "/normalization/rules/1/replacement",
        "/normalization/x",
        "/y~1z",
    }


def test_a_duplicate_key_in_a_comparison_input_is_refused() -> None:
    capture = EVIDENCE.decode().strip()
    text = f'{{"before_scenario":{capture},"before_scenario":{capture},"after_scenario":{capture}}}'
    assert list(refused("compare-web-captures", "-", stdin=text.encode())) == ["/before_scenario"]


def test_bad_rules_are_refused_beside_two_captures(tmp_path: Path) -> None:
    capture = written(tmp_path / "capture.json", EVIDENCE)
    rules = written(tmp_path / "rules.json", b'{"rules":[{"rule_id":"a"}]}')
    found = refused("compare-web-captures", capture, capture, "--rules", rules)
    assert set(found) == {f"/rules/0/{name}" for name in ("artifacts", "match", "replacement")}


def test_no_error_repeats_the_environment_or_the_values_it_refuses() -> None:
    secret = "correct-horse-battery"
    bad = {**SCENARIO, "actions": [{"step_id": "a", "action": "fill", "value": {"source": secret}}]}
    run = rea("capture-browser-scenario", json_text(bad), env={"SHOP_PASSWORD": "staple-in-the-environment"})
    assert run.status == 65
    assert b"staple-in-the-environment" not in run.stderr
    assert secret.encode() not in run.stderr


def test_a_command_that_is_none_is_told_the_nearest() -> None:
    run = rea("compare", "a.json", "b.json")
    assert run.status == 64
    assert "Did you mean compare-web-captures?" in run.error["message"]
    assert "Did you mean" not in rea("zzzz").error["message"]


def test_one_capture_alone_is_no_comparison_input(tmp_path: Path) -> None:
    path = written(tmp_path / "before.json", evidence_bytes(sealed_capture()))
    run = rea("compare-web-captures", path)
    assert run.status == 65
    assert run.pointers == [""]
    assert "a comparison needs two" in run.error["message"]


@pytest.mark.parametrize("content", [b"{", b"{}", b'{"a": 1, "a": 1}', b"\xff", b""])
@pytest.mark.parametrize("command", ["verify", "explain"])
def test_a_file_is_called_by_its_name_alone(command: str, content: bytes, tmp_path: Path) -> None:
    path = written(tmp_path / "bad.json", content)
    assert rea(command, path).error["message"].startswith(f"{path} is not valid: ")
    assert rea(command, "-", stdin=content).error["message"].startswith("standard input is not valid: ")


def test_what_is_no_file_is_called_by_what_it_is(tmp_path: Path) -> None:
    rules = written(tmp_path / "rules.json", b"{")
    assert rea("explain", "{}").error["message"].startswith("the comparison is not valid: ")
    assert rea("capture-browser-scenario", "{}").error["message"].startswith("the scenario is not valid: ")
    compared = rea("compare-web-captures", rules, rules, "--rules", rules)
    assert compared.error["message"].startswith("the rule set is not valid: ")
