"""The commands of ``docs/two-addresses.md`` work as they stand and come to what the page says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from rea_capture.demo.shop import Shop, open_shop
from tests.project.markdown import blocks
from tests.project.tree import ROOT

PAGE = ROOT / "docs" / "two-addresses.md"
TUTORIAL = ROOT / "docs" / "tutorial.md"
PRODUCTION, STAGING = "127.0.0.1:8321", "127.0.0.1:8322"
"""The addresses on the page."""
COMMAND_SECONDS = 240


class Reader:
    """Somebody who follows the page in ``folder`` while both shops are open."""

    def __init__(self, folder: Path, environ: dict[str, str], production: Shop, staging: Shop) -> None:
        self.folder = folder
        self.environ = environ
        self.production = production
        self.staging = staging

    def text_of(self, page: Path, check: str) -> str:
        """The block of ``page`` with the addresses of the shops that are open."""
        (text,) = [block.text for block in blocks(page) if block.check == check]
        for named, shop in ((PRODUCTION, self.production), (STAGING, self.staging)):
            text = text.replace(named, urlsplit(shop.origin).netloc)
        return text

    def runs(self, check: str) -> subprocess.CompletedProcess[str]:
        """Run a block of commands; it ends at the first that fails."""
        return subprocess.run(
            ["sh", "-e", "-c", self.text_of(PAGE, check)],
            cwd=self.folder, env=self.environ, capture_output=True, text=True,
            timeout=COMMAND_SECONDS, check=False,
        )  # fmt: skip

    def comparison(self) -> dict[str, object]:
        """What the comparison came to."""
        result: dict[str, object] = json.loads((self.folder / "comparison.json").read_text())[
            "normalized_result"
        ]
        return result


@pytest.fixture
def reader(tmp_path: Path, chromium_path: str) -> Iterator[Reader]:
    """The page up to its commands, with two shops that are alike."""
    commands = tmp_path / "commands"
    commands.mkdir()
    for name, arguments in (("rea", "-m rea_capture "), ("python", "")):
        program = commands / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        program.chmod(0o700)
    environ = {
        **os.environ,
        "PATH": f"{commands}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "REA_EXECUTABLE_PATH": chromium_path,
    }
    with ExitStack() as stack:
        production, staging = (stack.enter_context(open_shop("unused here")) for _ in range(2))
        reader = Reader(tmp_path, environ, production, staging)
        (tmp_path / "scenario.json").write_text(reader.text_of(TUTORIAL, "scenario tutorial"))
        (tmp_path / "addresses.json").write_text(reader.text_of(PAGE, "normalization addresses"))
        yield reader


def test_two_addresses_of_one_version_differ_in_nothing_but_the_address(reader: Reader) -> None:
    compared = reader.runs("addresses capture")
    assert compared.returncode == 0, compared.stdout + compared.stderr
    result = reader.comparison()
    assert result["overall_status"] == "unknown"
    assert result["artifact_diffs"] == {"total": 0}
    decided = reader.runs("addresses decide")
    assert (decided.returncode, decided.stdout) == (0, "no difference but the address\n"), decided.stderr


def test_what_another_version_changes_is_found_at_another_address(reader: Reader) -> None:
    reader.staging.deploy()
    compared = reader.runs("addresses capture")
    assert compared.returncode == 0, compared.stdout + compared.stderr
    assert reader.comparison()["overall_status"] == "changed"
    assert "24.90" in compared.stdout
    assert reader.runs("addresses decide").returncode == 1
