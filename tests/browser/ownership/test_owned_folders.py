"""A private folder is recorded before it is made, and nothing of it stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rea_capture.browser.ownership import OwnedFolder, recorded_launches


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of this test, and a folder of records beside it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_it_is_for_its_owner_only_and_goes_with_its_record(temporary: Path) -> None:
    made = OwnedFolder.create()
    assert made.path.parent == temporary
    assert made.path.stat().st_mode & 0o777 == 0o700
    assert made.ownership.record.folders[0].inode == made.path.stat().st_ino
    (made.path / "file").write_text("x")
    assert len(recorded_launches()) == 1
    assert made.delete() is False
    assert os.listdir(temporary) == []
    assert not recorded_launches()


def test_what_has_come_to_stand_in_its_place_stays_and_so_does_the_record(temporary: Path) -> None:
    made = OwnedFolder.create()
    made.path.rename(temporary / "elsewhere")
    made.path.mkdir()
    assert made.delete() is True
    assert made.path.exists()
    assert len(recorded_launches()) == 1


@pytest.mark.parametrize("folder", ["missing", "not-utf-8-\udcff"])
def test_where_none_can_be_made_nothing_is_left(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    above = temporary / folder
    if folder != "missing":
        above.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(above))
    with pytest.raises(OSError, match=r"No such file|TMPDIR"):
        OwnedFolder.create()
    assert not recorded_launches()
    assert os.listdir(temporary) == ([] if folder == "missing" else [folder])
