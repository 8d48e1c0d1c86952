"""The scripts that run in a page are made of the files of ``js/``: each of them, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rea_capture.browser.artifacts import scripts
from tests.project.tree import ROOT

PIECES = sorted((ROOT / "rea_capture" / "browser" / "artifacts" / "js").glob("*.js"))
SCRIPTS = [value for name, value in vars(scripts).items() if name.isupper() and not name.startswith("_")]


def test_there_are_pieces_and_scripts() -> None:
    assert len(PIECES) > 6
    assert len(SCRIPTS) == 6


@pytest.mark.parametrize("piece", PIECES, ids=lambda path: path.stem)
def test_every_piece_is_a_part_of_a_script(piece: Path) -> None:
    text = piece.read_text("utf-8")
    assert any(text in script for script in SCRIPTS)
