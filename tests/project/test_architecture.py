"""The rooms keep to their arrows, and every file keeps the habits of the house."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.tree import ROOT, named, package_files, tracked_files

MAX_LINES = 450
LONG_FILES = {"tests/builders.py": "one small builder for each record of the contracts; nothing to split by"}
"""Files that may be longer, each with the reason."""

WITHOUT_NEIGHBOURS = {"version.py": "one line that the build reads"}
"""Files of which there is nothing to say, each with the reason."""

MACHINE_PATHS = tuple("/" + folder + "/" for folder in ("work", "root", "home", "Users"))
TEXT_SUFFIXES = {".py", ".md", ".toml", ".json", ".svg", ".html", ".css", ".js", ".txt", ".yml", ""}


def imported_modules(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    )
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip


def test_no_import_arrow_between_rooms_points_the_wrong_way() -> None:
    linted = lint_imports(ROOT)
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert "0 broken" in linted.stdout


@pytest.mark.parametrize(
    ("room", "imported"),
    [
        ("canonical", "rea_capture.contracts.base"),
        ("compare", "rea_capture.evidence.identity"),
        ("capture", "rea_capture.browser.launch"),
        ("workflows", "playwright.async_api"),
        ("workflows", "click"),
    ],
)
def test_an_arrow_that_turned_round_would_be_found(tmp_path: Path, room: str, imported: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    without_caches = shutil.ignore_patterns("__pycache__", "site")
    shutil.copytree(ROOT / "rea_capture", tmp_path / "rea_capture", ignore=without_caches)
    (tmp_path / "rea_capture" / room / "turned.py").write_text(f"import {imported}\n")
    assert lint_imports(tmp_path).returncode == 1


def test_only_the_canonical_room_hashes() -> None:
    hashing = {named(path) for path in package_files() if imported_modules(path) & {"hashlib", "hmac"}}
    assert hashing == {"rea_capture/canonical/digest.py"}


@pytest.mark.parametrize("path", package_files(), ids=named)
def test_every_file_of_the_package_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert docstring, f"{named(path)} has no module docstring"


def test_every_file_says_what_is_below_it_and_then_what_is_above() -> None:
    unclear = set()
    for path in package_files():
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        below, above = docstring.find("Below:"), docstring.find("Above:")
        if not 0 <= below < above:
            unclear.add(named(path).removeprefix("rea_capture/"))
    assert unclear <= set(WITHOUT_NEIGHBOURS)


def constants(path: Path) -> Iterator[tuple[str, str]]:
    """Name and annotation of each constant of the module at ``path``."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, annotation = node.targets[0].id, ""
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name, annotation = node.target.id, ast.unparse(node.annotation)
        else:
            continue
        if re.fullmatch("_?[A-Z][A-Z0-9_]+", name):
            yield name, annotation


def test_every_constant_is_final() -> None:
    found = {
        (named(path).removeprefix("rea_capture/"), name, annotation)
        for path in package_files()
        for name, annotation in constants(path)
    }
    assert len(found) > 200
    changeable = {file for file, _, annotation in found if not annotation.startswith("Final")}
    assert not changeable


def test_every_long_file_has_a_stated_reason() -> None:
    python = [path for path in tracked_files() if path.suffix == ".py"]
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in python}
    assert {name for name, count in lengths.items() if count > MAX_LINES} <= set(LONG_FILES)
    assert set(LONG_FILES) <= set(lengths)


def test_no_file_names_a_path_of_one_machine() -> None:
    hits = [
        f"{named(path)}:{number}"
        for path in tracked_files()
        if path.suffix in TEXT_SUFFIXES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if any(machine in line for machine in MACHINE_PATHS)
    ]
    assert hits == []
