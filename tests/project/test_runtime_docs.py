"""The pages of the runtime say what it does: numbers, names, and a program that works."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime import budgets
from rea_capture.session.configuration.environment import VARIABLES
from tests.loopback import Loopback
from tests.project.markdown import blocks
from tests.project.tree import ROOT

DOCS = ROOT / "docs"
RUNTIME = (DOCS / "runtime.md").read_text("utf-8")
LOGIN = """<title>Log in</title><label>Name <input id=name></label><button onclick="
  document.body.append('Welcome ' + document.getElementById('name').value)">Log in</button>"""


@pytest.mark.parametrize("name", budgets.BUDGETS)
def test_every_budget_is_in_the_table_as_it_is(name: str) -> None:
    [row] = [line for line in RUNTIME.splitlines() if line.startswith(f"| `{name}`")]
    budget = budgets.BUDGETS[name]
    assert row.endswith(f"| {budget.default_ms:,} | {budget.ceiling_ms:,} |")


@pytest.mark.parametrize("name", [name for name in vars(budgets) if name.startswith("MAX_")])
def test_every_bound_is_in_the_table_as_it_is(name: str) -> None:
    [row] = [line for line in RUNTIME.splitlines() if line.startswith(f"| `{name}`")]
    assert row.endswith(f"| {getattr(budgets, name):,} |")


def test_every_variable_of_the_configuration_is_told_with_its_key() -> None:
    page = (DOCS / "configuration.md").read_text("utf-8")
    for variable, key in VARIABLES.items():
        assert f"| `{variable}` | `{key}`" in page


def test_the_program_in_python_works_as_it_stands(
    loopback: Loopback, chromium_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REA_EXECUTABLE_PATH", chromium_path)
    monkeypatch.setenv("REA_BROWSER_ARTIFACT_FOLDER", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    [block] = [block for block in blocks(DOCS / "runtime.md") if block.check == "runtime python"]
    program: dict[str, Any] = {}
    exec(compile(block.text, "runtime.md", "exec"), program)
    kept = Path(asyncio.run(program["main"](loopback.route("/", LOGIN))))
    assert kept.read_bytes().startswith(b"\x89PNG")
    assert kept.is_relative_to(tmp_path / "kept")
