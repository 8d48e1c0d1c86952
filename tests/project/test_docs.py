"""What the documentation says is what the program does: links, examples, help, names and numbers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from rea_capture import errors, limits, read_scenario
from rea_capture.contracts.capture import OMISSION_REASONS
from rea_capture.contracts.comparison import BUILT_IN_RULES
from rea_capture.contracts.destinations import Destination
from rea_capture.contracts.network import HeadersUnavailableReason
from rea_capture.contracts.normalization import Normalization
from rea_capture.contracts.runtime.scenario_file import ScenarioFile
from rea_capture.contracts.scenario import StorageSeeds
from rea_capture.contracts.schemas import SCHEMAS, schema_text
from rea_capture.evidence.origin import CaptureOrigin
from rea_capture.workflows.verify import Verified
from tests.project.markdown import Block, anchors, blocks, links, pages
from tests.project.tree import ROOT, named

DOCS = ROOT / "docs"
HELP_SECONDS = 60

_MODELS: dict[str, Any] = {
    "destination": Destination,
    "storage": StorageSeeds,
    "normalization": Normalization,
    "scenario-file": ScenarioFile,
}


def json_blocks() -> list[Block]:
    return [block for page in pages() for block in blocks(page) if block.language == "json"]


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in links(page):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        linked = (page.parent / name).resolve() if name else page
        assert linked.exists(), target
        assert linked.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(linked), target


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=named)
def test_every_page_of_the_documentation_is_reached_from_the_readme(page: Path) -> None:
    assert f"docs/{page.name}" in links(ROOT / "README.md")


@pytest.mark.parametrize("block", json_blocks(), ids=lambda block: f"{block.page.name}:{block.check}")
def test_every_json_example_is_valid(block: Block) -> None:
    kind = block.check.split()[0] if block.check else ""
    if kind == "scenario":
        read_scenario(block.text)
    elif kind in _MODELS:
        if kind in {"destination", "storage"}:
            TypeAdapter(_MODELS[kind]).validate_json(block.text)
        else:
            _MODELS[kind].model_validate_json(block.text)
    else:
        assert kind == "json", f"{named(block.page)}: a JSON block that does not say how to check it"
        json.loads(block.text)


def test_the_help_in_the_readme_is_the_help_of_the_program() -> None:
    quoted = [block for block in blocks(ROOT / "README.md") if block.check == "output of rea --help"]
    assert len(quoted) == 1
    said = subprocess.run(
        [sys.executable, "-m", "rea_capture", "--help"],
        cwd=ROOT, capture_output=True, text=True, timeout=HELP_SECONDS, check=True,
        env={"PATH": "", "COLUMNS": "100"},
    )  # fmt: skip
    assert quoted[0].text == said.stdout


def test_the_readme_names_the_two_commands_as_they_are() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    noxfile = (ROOT / "noxfile.py").read_text("utf-8")
    for session in ("demo", "tests"):
        assert f"python3 noxfile.py -s {session}" in text
        assert f"\ndef {session}(session: nox.Session)" in noxfile
    assert "python3 noxfile.py -s tests" in (ROOT / ".ci" / "run").read_text("utf-8")


def names_in(schema: Any) -> set[str]:
    """Every field name and every fixed value of a JSON Schema."""
    found: set[str] = set()
    if isinstance(schema, dict):
        found |= set(schema.get("properties", {}))
        for key in ("const", "enum"):
            values = schema.get(key, [])
            found |= {
                value
                for value in (values if isinstance(values, list) else [values])
                if isinstance(value, str)
            }
        for value in schema.values():
            found |= names_in(value)
    elif isinstance(schema, list):
        for value in schema:
            found |= names_in(value)
    return found


def words_of(*names: str) -> set[str]:
    text = "\n".join((DOCS / name).read_text("utf-8") for name in names)
    words = {"*", *re.findall(r"[A-Za-z0-9_./+-]+", text)}
    return words | {part for word in words for part in word.split(".")}


@pytest.mark.parametrize(
    ("schema", "documents"),
    [
        ("scenario", ("scenario.md",)),
        ("capture-evidence", ("evidence.md", "scenario.md")),
        ("comparison-evidence", ("comparison.md", "explanations.md", "evidence.md")),
        ("normalization", ("comparison.md",)),
        ("capture-stream-record", ("wrappers.md", "exit-statuses.md", "evidence.md", "scenario.md")),
        ("comparison-input", ("comparison.md", "evidence.md", "scenario.md")),
        ("session-settings", ("runtime.md",)),
        ("session-operation", ("runtime.md",)),
        ("session-result", ("runtime.md",)),
        ("session-error", ("runtime.md",)),
        ("session-frame", ("runtime.md",)),
        ("scenario-file", ("scenario-files.md", "runtime.md")),
        ("run-report", ("scenario-files.md", "runtime.md")),
    ],
)
def test_every_field_and_every_fixed_value_is_in_the_documentation(
    schema: str, documents: tuple[str, ...]
) -> None:
    assert schema in SCHEMAS
    names = names_in(json.loads(schema_text(schema)))
    assert len(names) > 3
    assert sorted(names - words_of(*documents)) == []


def test_every_reason_and_every_built_in_rule_is_explained() -> None:
    assert set(OMISSION_REASONS) <= words_of("evidence.md")
    assert set(get_args(HeadersUnavailableReason)) <= words_of("evidence.md")
    assert set(BUILT_IN_RULES) <= words_of("comparison.md")


def test_the_limits_in_the_documentation_are_those_of_the_program() -> None:
    text = (DOCS / "scenario.md").read_text("utf-8")
    defaults = {name: value for name, value in vars(limits).items() if name.startswith("DEFAULT_MAX_")}
    assert len(defaults) == 8
    for name, value in defaults.items():
        field = name.removeprefix("DEFAULT_").lower()
        assert re.search(rf"\| `{field}` \| {value:,}\b", text), field
    for fixed in (
        limits.DEFAULT_COMMAND_TIMEOUT_MS,
        limits.MAX_SIMULTANEOUS_NETWORK_READS,
        limits.NETWORK_READ_TIMEOUT_MS,
        limits.MAX_LISTENER_OWNERS,
        limits.MAX_TIMER_MS,
        limits.MAX_SAFE_INTEGER,
        limits.MAX_JSON_DEPTH,
    ):
        assert f"{fixed:,}" in text


def test_the_fields_of_a_verified_document_are_in_the_documentation() -> None:
    text = (DOCS / "python-api.md").read_text("utf-8")
    [row] = re.findall(r"^\| `Verified` \| (.*) \|$", text, re.MULTILINE)
    named_there = set(re.findall(r"`(\w+)`", row))
    assert named_there == {field.name for kind in (Verified, CaptureOrigin) for field in fields(kind)}


def test_the_exit_statuses_in_the_documentation_are_those_of_the_errors() -> None:
    text = (DOCS / "exit-statuses.md").read_text("utf-8")
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ReaError)
    ]
    assert len(kinds) > 5
    for kind in kinds:
        if kind is not errors.ReaError:
            assert f"| {kind.exit_status} |" in text
            assert f"`{kind.code}`" in text
