"""Files are whole or not there, private, and a failure is one sentence."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from rea_capture.errors import OutputError
from rea_capture.evidence import check_destination, write_document
from rea_capture.evidence import writing as room

NOBODY = 65534
WAIT_S = 20


def refusal(path: str | Path, write: Callable[[], None] | None = None) -> OutputError:
    with pytest.raises(OutputError) as caught:
        (write or (lambda: write_document(path, b"{}\n")))()
    assert "\n" not in caught.value.message
    assert caught.value.exit_status == 73
    return caught.value


def as_a_plain_user(work: Callable[[], None]) -> int:
    """Exit status of ``work`` in a child process without root's rights: 0, 73 refused, 1 otherwise."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            work()
            status = 0
        except OutputError as error:
            status = error.exit_status
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_file_gets_the_whole_document_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    write_document(path, b"{}\n")
    assert path.read_bytes() == b"{}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["evidence.json"]


def test_an_existing_file_is_replaced_and_not_written_into(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes(b"something much longer than the new document\n")
    with path.open("rb") as reader:
        write_document(path, b"{}\n")
        assert reader.read().startswith(b"something")
    assert path.read_bytes() == b"{}\n"


def test_a_link_stays_a_link_to_the_file_it_names(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_document(link, b"{}\n")
    assert link.is_symlink()
    assert target.read_bytes() == b"{}\n"


def test_a_name_as_long_as_names_get_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_document(path, b"{}\n")
    assert path.read_bytes() == b"{}\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("", "folder"), ("missing/evidence.json", "no such file"), ("n" * 256, "name too long")],
)
def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    assert reason in refusal(tmp_path / name).message
    assert os.listdir(tmp_path) == []


def test_a_full_device_is_refused() -> None:
    assert "no space left" in refusal("/dev/full").message


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_document("/dev/null", b"{}\n")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_pipe_gets_the_document(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()), daemon=True)
    reader.start()
    write_document(path, b"{}\n")
    reader.join(WAIT_S)
    assert received == [b"{}\n"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_read_only_folder_is_refused_before_and_after_the_work() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.json"
        Path(folder).chmod(0o777)
        assert as_a_plain_user(lambda: check_destination(path)) == 0
        assert as_a_plain_user(lambda: write_document(path, b"{}\n")) == 0
        path.unlink()
        Path(folder).chmod(0o555)
        assert as_a_plain_user(lambda: check_destination(path)) == 73
        assert as_a_plain_user(lambda: write_document(path, b"{}\n")) == 73
        assert os.listdir(folder) == []


def test_a_write_that_fails_half_way_leaves_neither_a_half_nor_a_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes(b"old")

    def fill_up(descriptor: int, data: bytes) -> None:
        os.write(descriptor, data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(room, "write_all", fill_up)
    assert "no space left" in refusal(path).message
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["evidence.json"]


def test_an_interrupt_half_way_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(descriptor: int, data: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(room, "write_all", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_document(tmp_path / "evidence.json", b"{}\n")
    assert os.listdir(tmp_path) == []


def test_a_destination_is_checked_without_being_touched(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    check_destination(path)
    check_destination("/dev/null")
    assert os.listdir(tmp_path) == []
    for wrong in (tmp_path, tmp_path / "missing" / "evidence.json"):
        refusal(wrong, lambda wrong=wrong: check_destination(wrong))  # type: ignore[misc]
