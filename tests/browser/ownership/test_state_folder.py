"""Processes of one user find the same folder, and nobody else's."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rea_capture.browser.state_folder import (
    existing_folders,
    first_that_works,
    state_folders,
    usable_folder,
)


def test_the_folder_does_not_depend_on_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = {"HOME": str(tmp_path)}
    first = state_folders(environ)[:3]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert state_folders(environ)[:3] == first
    assert first[0] == tmp_path / ".local/state/rea-capture"


def test_the_folder_of_the_desktop_is_used_and_a_relative_one_ignored(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert state_folders({**home, "XDG_STATE_HOME": "/somewhere"})[0] == Path("/somewhere/rea-capture")
    assert state_folders({**home, "XDG_STATE_HOME": "here"})[0] == tmp_path / ".local/state/rea-capture"


def test_what_is_made_is_private(tmp_path: Path) -> None:
    made = usable_folder("launches", {"HOME": str(tmp_path)})
    assert made == tmp_path / ".local/state/rea-capture/launches"
    assert [stat.S_IMODE(each.stat().st_mode) for each in (made, made.parent)] == [0o700] * 2
    assert existing_folders("launches", {"HOME": str(tmp_path)})[0] == made


@pytest.mark.parametrize("spoil", ["link", "file", "open to others"])
def test_a_folder_that_others_could_write_to_is_passed_over(tmp_path: Path, spoil: str) -> None:
    environ = {"HOME": str(tmp_path)}
    folder = tmp_path / ".local/state/rea-capture"
    folder.parent.mkdir(parents=True)
    if spoil == "link":
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    elif spoil == "file":
        folder.write_text("")
    else:
        folder.mkdir()
        folder.chmod(0o777)
    assert usable_folder("launches", environ) in [each / "launches" for each in state_folders(environ)[1:]]
    assert folder / "launches" not in existing_folders("launches", environ)


def test_nothing_is_made_in_the_home_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(PermissionError, match="belongs to somebody else"):
        usable_folder("launches", {"HOME": str(home)})
    assert os.listdir(home) == []
    assert existing_folders("launches", {"HOME": str(home)}) == ()
    for each in state_folders({"HOME": str(home)}):
        if each.is_dir():
            each.rmdir()


def test_a_folder_that_cannot_be_written_after_all_is_passed_over(tmp_path: Path) -> None:
    tried: list[Path] = []

    def use(folder: Path) -> Path:
        tried.append(folder)
        if len(tried) == 1:
            raise OSError(28, "no space left on device")
        return folder

    assert first_that_works(use, "launches", {"HOME": str(tmp_path)}) == tried[1]
    assert tried[0] == tmp_path / ".local/state/rea-capture/launches"
