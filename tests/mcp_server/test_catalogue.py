"""The list of tools is that of the contracts, and everything a tool can answer is in its schema."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, fields
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types

from rea_capture import limits as shared_limits
from rea_capture.contracts.schemas import schema_text
from rea_capture.errors import Fault, InputError
from rea_capture.evidence import evidence_bytes
from rea_capture.mcp_server import catalogue, limits
from rea_capture.mcp_server.answers import captured, compared, refused
from rea_capture.mcp_server.limits import (
    DEFAULT_INLINE_BYTES,
    MAX_DETAILS,
    MAX_SUMMARY_LIMITATIONS,
    MAX_SUMMARY_STEPS,
)
from rea_capture.mcp_server.messages import (
    CaptureAnswer,
    ComparedArtifactSummary,
    ComparedStepSummary,
    ComparisonSummary,
    RefusalError,
)
from rea_capture.mcp_server.refusals import BusyError, EvidenceGoneError, TooLargeError, UnknownToolError
from rea_capture.mcp_server.store import EvidenceStore
from rea_capture.mcp_server.tools import TOOLS
from rea_capture.workflows.compare import compare
from tests import builders
from tests.evidence.sealed import plain, rich_capture, sealed_capture
from tests.project.tree import ROOT

MAX_INPUT_SCHEMA_BYTES = 32 * 1024
"""Some eight thousand tokens, of every conversation with a model that is given the tools."""

LISTED = {tool["name"]: tool for tool in catalogue.tools()}


def test_the_file_is_what_the_contracts_give() -> None:
    assert catalogue.FILE.read_bytes() == catalogue.written(), "python -m rea_capture.mcp_server.catalogue"


def test_every_tool_is_listed_with_what_a_client_shows_of_it() -> None:
    assert list(LISTED) == list(TOOLS)
    for tool in LISTED.values():
        assert len(tool["description"]) < 500
        assert tool["annotations"]["title"] == tool["title"]
        for name in ("inputSchema", "outputSchema"):
            assert tool[name]["type"] == "object"
            Draft202012Validator.check_schema(tool[name])
    changing = {name for name, tool in LISTED.items() if not tool["annotations"]["readOnlyHint"]}
    acts = {"open", "act", "navigate", "reload", "select_tab", "close_tab", "capture_evidence", "close"}
    assert changing == {"capture_browser_scenario", *(f"session_{name}" for name in acts)}


def test_the_arguments_of_a_capture_are_exactly_the_scenario() -> None:
    assert LISTED["capture_browser_scenario"]["inputSchema"] == json.loads(schema_text("scenario"))


def test_evidence_in_an_answer_is_that_of_the_published_schema() -> None:
    for tool, name, title in (
        ("capture_browser_scenario", "capture-evidence", "CaptureEvidence"),
        ("compare_web_captures", "comparison-evidence", "ComparisonEvidence"),
    ):
        published = json.loads(schema_text(name))
        definitions = LISTED[tool]["outputSchema"]["$defs"]
        assert published["$defs"].items() <= definitions.items()
        assert {key: value for key, value in published.items() if key[0] != "$"} == definitions[title]


def test_a_comparison_takes_captures_results_and_ids() -> None:
    validator = Draft202012Validator(LISTED["compare_web_captures"]["inputSchema"])
    document = plain(sealed_capture())
    sides = [document, document["normalized_result"], {"evidence_id": "ev_" + "0" * 64}]
    for side in sides:
        validator.validate({"before_scenario": side, "after_scenario": side, "normalization": {"rules": []}})
    assert not validator.is_valid({"before_scenario": {"evidence_id": "x"}, "after_scenario": document})
    assert not validator.is_valid({"before_scenario": document})
    wrong = json.loads(json.dumps(document))
    wrong["normalized_result"]["steps"][0]["artifacts"]["dom"]["state"] = "no such state"
    assert not validator.is_valid({"before_scenario": document, "after_scenario": wrong})


def test_the_schema_of_a_comparison_is_the_published_one_in_a_bounded_size() -> None:
    told, published = (
        LISTED["compare_web_captures"]["inputSchema"],
        json.loads(schema_text("comparison-input")),
    )
    assert len(json.dumps(told, separators=(",", ":"))) < MAX_INPUT_SCHEMA_BYTES
    published["properties"]["before_scenario"]["anyOf"].insert(
        0, told["properties"]["before_scenario"]["anyOf"][0]
    )
    published["properties"]["after_scenario"]["anyOf"].insert(
        0, told["properties"]["after_scenario"]["anyOf"][0]
    )
    assert rules_of(told) == rules_of(published)


def rules_of(schema: Any, *, names: bool = False) -> Any:
    """``schema`` without what changes nothing about what it takes."""
    if isinstance(schema, list):
        return [rules_of(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: rules_of(value, names=key in {"properties", "$defs"})
        for key, value in schema.items()
        if names or key not in {"title", "description"}
    }


@pytest.mark.parametrize("inline_bytes", [0, 10_000_000])
def test_every_form_of_an_answer_is_in_the_schema_of_its_tool(inline_bytes: int) -> None:
    store = EvidenceStore()
    try:
        before, after = sealed_capture(), sealed_capture(rich_capture("<main>Other</main>"))
        answers = {
            "capture_browser_scenario": captured(before, store, inline_bytes),
            "compare_web_captures": compared(compare(before, after), store, inline_bytes),
        }
    finally:
        store.close()
    for tool, answer in answers.items():
        content = answer.result("2025-11-25").structured_content
        Draft202012Validator(LISTED[tool]["outputSchema"]).validate(content)
        assert (content["evidence"] is None) is (inline_bytes == 0)
        older = [block.type for block in answer.result("2025-03-26").content]
        assert "resource_link" not in older


def test_a_refusal_is_in_the_schema_of_every_tool_and_bounded() -> None:
    faults = [Fault(f"/{number}", "is wrong \ud800") for number in range(MAX_DETAILS + 7)]
    result = refused(InputError("it is wrong", faults))
    assert result.is_error
    error = result.structured_content["error"]
    assert error["details_omitted"] == 7
    assert "only counted" in error["recovery"]  # and not that all are listed
    for tool in LISTED.values():
        Draft202012Validator(tool["outputSchema"]).validate(result.structured_content)


def test_the_summary_of_the_largest_capture_is_small() -> None:
    steps = [builders.start()]
    failing: dict[str, Any] = {"status": "failed", "error": "e" * 1_000}
    steps += [builders.step(f"s{index}", index, **(failing if index % 3 else {})) for index in range(1, 301)]
    result = builders.capture(steps=tuple(steps), limitations=tuple("l" * 900 + str(n) for n in range(200)))
    store = EvidenceStore()
    try:
        evidence = sealed_capture(result)
        answer = captured(evidence, store, 0)
    finally:
        store.close()
    summary = asdict(answer.record)["summary"]
    assert len(json.dumps(summary)) < DEFAULT_INLINE_BYTES
    assert len(summary["steps"]) == MAX_SUMMARY_STEPS
    assert {step["status"] for step in summary["steps"]} == {"failed"}
    assert summary["steps_omitted"] == 301 - MAX_SUMMARY_STEPS
    assert summary["limitations_omitted"] == 200 - MAX_SUMMARY_LIMITATIONS
    assert len(evidence_bytes(evidence)) > DEFAULT_INLINE_BYTES


def test_the_limits_in_the_documentation_are_those_of_the_program() -> None:
    text = (ROOT / "docs/mcp.md").read_text("utf-8")
    rows = re.findall(r"^\| `(MAX_\w+)` \| ([\d,]+) \|", text, re.MULTILINE)
    assert len(rows) >= 9
    known = {**vars(shared_limits), **vars(limits)}
    assert rows == [(name, f"{known[name]:,}") for name, _ in rows]
    for value in (limits.DEFAULT_INLINE_BYTES, limits.MAX_PICTURE_EDGE_PX, limits.DEFAULT_PAGE_CHARACTERS):
        assert f"{value:,}" in text


def test_every_code_and_every_field_of_an_answer_is_in_the_documentation() -> None:
    text = (ROOT / "docs/mcp.md").read_text("utf-8")
    for kind in (UnknownToolError, TooLargeError, EvidenceGoneError, BusyError):
        assert f"`{kind.code}`" in text
    for record in (
        CaptureAnswer,
        RefusalError,
        ComparisonSummary,
        ComparedStepSummary,
        ComparedArtifactSummary,
    ):
        assert {field.name for field in fields(record)} <= set(re.findall(r"\w+", text))
    assert all(f"`{name}`" in text for name in LISTED)
