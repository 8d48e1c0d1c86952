"""The commands of ``docs/tutorial.md`` work as they stand and show what the page says they show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rea_capture.demo.shop import Shop, open_shop
from tests.project.markdown import Block, blocks
from tests.project.tree import ROOT

PAGE = ROOT / "docs" / "tutorial.md"
TUTORIAL_ADDRESS = "http://127.0.0.1:8321"
COMMAND_SECONDS = 240


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who follows the tutorial in ``folder`` while ``shop`` is open."""

    folder: Path
    shop: Shop
    environ: dict[str, str]

    def runs(self, block: Block) -> subprocess.CompletedProcess[str]:
        """Run a block of commands; the status is that of the last one."""
        return subprocess.run(
            ["sh", "-c", block.text],
            cwd=self.folder, env=self.environ, capture_output=True, text=True,
            timeout=COMMAND_SECONDS, check=False,
        )  # fmt: skip


def the_block(check: str) -> Block:
    (block,) = [block for block in blocks(PAGE) if block.check == check]
    return block


@pytest.fixture
def reader(tmp_path: Path, chromium_path: str) -> Iterator[Reader]:
    """The tutorial up to its step 4, with the shop on a free port."""
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
    with open_shop("unused here") as shop:
        scenario = the_block("scenario tutorial").text.replace(TUTORIAL_ADDRESS, shop.origin)
        (tmp_path / "scenario.json").write_text(scenario)
        yield Reader(tmp_path, shop, environ)


def test_the_tutorial_ends_with_the_verdicts_it_promises(reader: Reader) -> None:
    control = reader.runs(the_block("tutorial before"))
    assert control.returncode == 0, control.stdout + control.stderr
    assert '"overall_status":"unchanged"' in control.stdout

    reader.shop.deploy()
    compared = reader.runs(the_block("tutorial after"))
    assert compared.returncode == 1, compared.stdout + compared.stderr

    looked = reader.runs(the_block("tutorial look"))
    assert looked.returncode == 0, looked.stderr
    for artifact in ("screenshot", "dom", "accessibility", "events"):
        assert f"lamp · {artifact} changed" in looked.stdout
    assert (reader.folder / "report.html").stat().st_size > 0
    assert (reader.folder / "report.xml").read_text().count("<failure") == 4

    verified = reader.runs(the_block("tutorial verify"))
    assert verified.returncode == 0, verified.stderr
