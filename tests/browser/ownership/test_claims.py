"""A launch says what is going to be its own before it makes it, and for as long as it lives."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from pathlib import Path

import pytest

from rea_capture.browser.ownership import Ownership, machine, recorded_launches
from rea_capture.browser.ownership.record import LaunchRecord, record_from
from rea_capture.browser.profile import OwnedProfile


def locked(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def test_the_record_is_there_and_locked_before_the_folders_are(tmp_path: Path) -> None:
    folder = tmp_path / "rea-capture-x"
    claim = Ownership.claim((folder,))
    assert not folder.exists()
    assert locked(claim.path)
    record = record_from(claim.path.read_bytes())
    assert [each.path for each in record.folders] == [str(folder)]
    assert record.owner.pid == os.getpid()
    assert record.owner.started == machine.start_ticks(os.getpid())
    assert record.boot_id == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    claim.release()


def test_record_and_folder_are_private(state: Path) -> None:
    claim = Ownership.claim(())
    assert stat.S_IMODE(claim.path.stat().st_mode) == 0o600
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (state, state.parent)] == [0o700, 0o700]
    claim.release()


def test_each_later_version_is_locked_too_and_says_more(state: Path) -> None:
    profile = OwnedProfile.create()
    path = profile.ownership.path
    assert locked(path)
    found = profile.root.stat()
    folder = record_from(path.read_bytes()).folders[0]
    assert (folder.device, folder.inode) == (found.st_dev, found.st_ino)
    profile.ownership.browser_started(1234, 5678)
    assert locked(path)
    browser = record_from(path.read_bytes()).browser
    assert browser is not None
    assert (browser.pid, browser.started) == (1234, 5678)
    assert os.listdir(state) == [path.name]
    assert profile.delete() is None


def test_a_clean_end_removes_folders_and_record(state: Path) -> None:
    profile = OwnedProfile.create()
    assert profile.delete() is None
    assert os.listdir(state) == []
    assert not profile.root.exists()


def test_what_could_not_be_deleted_leaves_its_record(tmp_path: Path) -> None:
    profile = OwnedProfile.create()
    profile.root.rename(tmp_path / "elsewhere")
    profile.root.mkdir()  # another folder, which is not ours to delete
    assert profile.delete() is not None
    assert profile.root.exists()
    assert not locked(profile.ownership.path)
    (state,) = recorded_launches()
    assert (state.standing, state.reason) == ("unproven", f"its process {os.getpid()} still runs")
    profile.ownership.path.unlink()


def test_a_profile_that_cannot_be_made_leaves_no_record(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError):
        OwnedProfile.create()
    assert os.listdir(state) == []


def test_a_record_that_was_written_is_the_record_that_is_read(tmp_path: Path) -> None:
    record = LaunchRecord.of_this_process("0123456789abcdef", (tmp_path / "a", tmp_path / "b"))
    assert record_from(record.to_bytes()) == record


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", 2),
        ("folders", [{"path": "relative", "device": None, "inode": None}]),
        ("folders", [{"path": "/a/../b", "device": None, "inode": None}]),
        ("folders", [{"path": "/a", "device": "1", "inode": None}]),
        ("folders", "/a"),
        ("owner", {"pid": -1, "started": 1}),
        ("owner", {"pid": 0, "started": 1}),
        ("owner", {"pid": True, "started": 1}),
        ("owner", {"pid": 2**31, "started": 1}),
        ("owner", {"pid": 1, "started": -1}),
        ("browser", {"pid": 2**80, "started": 1}),
        ("folders", [{"path": "/a", "device": 2**64, "inode": 1}]),
        ("folders", [{"path": "/a\ud800", "device": 1, "inode": 1}]),
        ("host", "\ud800"),
        ("owner", None),
        ("browser", {"pid": "1", "started": 1}),
        ("boot_id", 7),
        ("host", None),
        ("run_id", None),
    ],
)
def test_what_this_program_would_not_write_is_not_read(name: str, value: object) -> None:
    document = json.loads(LaunchRecord.of_this_process("ab", (Path("/a"),)).to_bytes())
    with pytest.raises(ValueError, match=r"."):
        record_from(json.dumps({**document, name: value}).encode())


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"[]", b"{", b"1", b'"\xff"', b"[" * 100_000])
def test_what_is_no_record_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        record_from(data)
