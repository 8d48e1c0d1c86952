"""What a server keeps is private, bounded, and says what has become of what it does not keep any more."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rea_capture.browser.ownership import OwnedFolder, reclaim
from rea_capture.errors import OutputError
from rea_capture.mcp_server import store as store_module
from rea_capture.mcp_server.refusals import EvidenceGoneError
from rea_capture.mcp_server.store import EvidenceStore
from tests.browser.cleanup.command import wait_until

PATIENCE_S = 10


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder of this test, and a folder of records beside it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert os.listdir(folder) == []


def name(number: int) -> str:
    return f"ev_{number:064x}"


def test_nothing_is_made_until_there_is_something_to_keep(temporary: Path) -> None:
    store = EvidenceStore()
    assert os.listdir(temporary) == []
    store.close()


def test_documents_and_their_folder_are_for_their_owner_only(temporary: Path) -> None:
    store = EvidenceStore()
    kept = store.keep(name(1), "capture", b"{}\n")
    assert kept.path.stat().st_mode & 0o777 == 0o600
    assert kept.path.parent.stat().st_mode & 0o777 == 0o700
    assert kept.path.parent.parent == temporary
    assert store.data(name(1)) == b"{}\n"
    store.close()
    assert not kept.path.exists()


@pytest.mark.parametrize("bound", [{"max_documents": 2}, {"max_bytes": 20}])
def test_the_oldest_leaves_first_and_asking_for_it_says_so(temporary: Path, bound: dict[str, int]) -> None:
    store = EvidenceStore(**bound)
    first = store.keep(name(1), "capture", b"1" * 10)
    store.keep(name(2), "capture", b"2" * 10)
    store.keep(name(3), "comparison", b"3" * 10)
    assert [each.evidence_id for each in store.listed()] == [name(2), name(3)]
    assert not first.path.exists()
    with pytest.raises(EvidenceGoneError, match=r"has left the store, which keeps .* the oldest go first"):
        store.data(name(1))
    with pytest.raises(EvidenceGoneError, match="is no result of this server"):
        store.data(name(4))
    store.close()


def test_a_document_that_comes_again_is_the_newest(temporary: Path) -> None:
    store = EvidenceStore(max_documents=2)
    for number in (1, 2, 1, 3):
        store.keep(name(number), "capture", b"{}")
    assert [each.evidence_id for each in store.listed()] == [name(1), name(3)]
    store.close()


def test_a_document_larger_than_the_store_is_refused_and_nothing_leaves_for_it(temporary: Path) -> None:
    store = EvidenceStore(max_bytes=10)
    store.keep(name(1), "capture", b"1")
    with pytest.raises(OutputError, match="11 bytes, and the store of this server 10"):
        store.keep(name(2), "capture", b"2" * 11)
    assert [each.evidence_id for each in store.listed()] == [name(1)]
    store.close()


def test_a_document_that_somebody_has_deleted_has_left(temporary: Path) -> None:
    store = EvidenceStore()
    store.keep(name(1), "capture", b"{}").path.unlink()
    with pytest.raises(EvidenceGoneError, match="has left"):
        store.data(name(1))
    assert store.listed() == ()
    store.close()


def test_what_a_killed_owner_kept_goes_and_what_a_living_one_keeps_stays(temporary: Path) -> None:
    program = (
        "import os, tempfile\n"
        f"tempfile.tempdir = {str(temporary)!r}\n"
        "from rea_capture.mcp_server.store import EvidenceStore\n"
        f"print(EvidenceStore().keep({name(2)!r}, 'capture', b'{{}}').path)\n"
        "os.sys.stdout.flush(); os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    left = Path(done.stdout.strip())
    store = EvidenceStore()
    mine = store.keep(name(1), "capture", b"{}")
    assert left.exists()
    assert {each.outcome for each in reclaim(os.environ)} == {"removed", "in_use"}
    assert not left.parent.exists()
    assert mine.path.exists()
    store.close()


class Held:
    """A function that begins, and goes on when it is let go."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.begun = threading.Event()
        self.release = threading.Event()

    def __call__(self, *arguments: Any) -> Any:
        self.begun.set()
        assert self.release.wait(PATIENCE_S)
        return self._function(*arguments)


@pytest.fixture
def beside() -> Iterator[Callable[..., Future[Any]]]:
    """Runs a function in another thread."""
    with ThreadPoolExecutor() as threads:
        yield threads.submit


@pytest.mark.parametrize("slow", ["hash", "folder", "write"])
def test_a_document_that_takes_long_to_keep_holds_nobody_up(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, beside: Callable[..., Future[Any]], slow: str
) -> None:
    store = EvidenceStore()
    if slow != "folder":
        store.keep(name(1), "capture", b"1")
    holder, attribute = {
        "hash": (store_module, "sha256_hex"),
        "folder": (OwnedFolder, "create"),
        "write": (store_module, "_write"),
    }[slow]
    held = Held(getattr(holder, attribute))
    monkeypatch.setattr(holder, attribute, held)
    keeping = beside(store.keep, name(2), "capture", b"2")
    try:
        assert held.begun.wait(PATIENCE_S)
        before = beside(store.listed).result(PATIENCE_S)
        if slow != "folder":
            assert beside(store.data, name(1)).result(PATIENCE_S) == b"1"
    finally:
        held.release.set()
    assert [each.evidence_id for each in before] == [name(1)] * (slow != "folder")
    keeping.result(PATIENCE_S)
    assert store.data(name(2)) == b"2"
    store.close()


def test_a_document_that_takes_long_to_read_holds_nobody_up(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, beside: Callable[..., Future[Any]]
) -> None:
    store = EvidenceStore(max_documents=1)
    store.keep(name(1), "capture", b"1")
    held = Held(Path.read_bytes)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", lambda path: held(path))  # noqa: PLW0108 - a method
        reading = beside(store.data, name(1))
        try:
            assert held.begun.wait(PATIENCE_S)
            assert len(beside(store.listed).result(PATIENCE_S)) == 1
            beside(store.keep, name(2), "capture", b"2").result(PATIENCE_S)
        finally:
            held.release.set()
        with pytest.raises(EvidenceGoneError, match="has left"):  # while it was being read
            reading.result(PATIENCE_S)
    assert store.data(name(2)) == b"2"
    store.close()


def test_documents_that_are_kept_at_the_same_time_stay_within_bounds(
    temporary: Path, beside: Callable[..., Future[Any]]
) -> None:
    store = EvidenceStore(max_bytes=35)
    keeping = [beside(store.keep, name(number), "capture", b"x" * 10) for number in range(20)]
    for each in keeping:
        each.result(PATIENCE_S)
    kept = store.listed()
    assert len(kept) == 3
    assert sorted(os.listdir(kept[0].path.parent)) == sorted(each.path.name for each in kept)
    store.close()


def test_a_store_that_is_closed_keeps_nothing_any_more(temporary: Path) -> None:
    for used in (False, True):
        store = EvidenceStore()
        if used:
            store.keep(name(1), "capture", b"1")
        store.close()
        with pytest.raises(OutputError, match="this server ends"):
            store.keep(name(2), "capture", b"2")
        assert os.listdir(temporary) == []
        assert store.listed() == ()
        store.close()


@pytest.mark.parametrize("moment", ["folder", "write"])
def test_a_document_that_is_being_kept_when_the_store_is_closed_leaves_nothing(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, beside: Callable[..., Future[Any]], moment: str
) -> None:
    holder, attribute = {"folder": (OwnedFolder, "create"), "write": (store_module, "_write")}[moment]
    held = Held(getattr(holder, attribute))
    monkeypatch.setattr(holder, attribute, held)
    store = EvidenceStore()
    keeping = beside(store.keep, name(1), "capture", b"1")
    try:
        assert held.begun.wait(PATIENCE_S)
        beside(store.close).result(PATIENCE_S)
    finally:
        held.release.set()
    with pytest.raises(OutputError):
        keeping.result(PATIENCE_S)
    assert store.listed() == ()
    assert os.listdir(temporary) == []


def test_a_document_that_comes_again_is_never_half_there(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, beside: Callable[..., Future[Any]]
) -> None:
    store = EvidenceStore()
    store.keep(name(1), "capture", b"1")
    held = Held(os.write)
    with monkeypatch.context() as patched:
        patched.setattr("rea_capture.mcp_server.store.os.write", held)
        keeping = beside(store.keep, name(1), "capture", b"2")
        try:
            assert held.begun.wait(PATIENCE_S)
            assert beside(store.data, name(1)).result(PATIENCE_S) == b"1"
        finally:
            held.release.set()
        keeping.result(PATIENCE_S)
    assert store.data(name(1)) == b"2"
    assert len(os.listdir(store.listed()[0].path.parent)) == 1
    store.close()


def test_the_end_waits_a_moment_for_whoever_makes_the_folder(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, beside: Callable[..., Future[Any]]
) -> None:
    monkeypatch.setattr(store_module, "_MAX_CLOSING_S", PATIENCE_S)
    held = Held(OwnedFolder.create)
    monkeypatch.setattr(OwnedFolder, "create", held)
    store = EvidenceStore()
    keeping = beside(store.keep, name(1), "capture", b"1")
    assert held.begun.wait(PATIENCE_S)
    closing = beside(store.close)
    try:
        wait_until(lambda: store._closed, "the end has begun")
        with pytest.raises(TimeoutError):  # it waits
            closing.result(0.2)
    finally:
        held.release.set()
    closing.result(PATIENCE_S)
    assert os.listdir(temporary) == []  # whether or not the process goes on
    with pytest.raises(OutputError):
        keeping.result(PATIENCE_S)
