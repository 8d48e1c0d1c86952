"""Artifacts are private and whole, wherever something stands in the way."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rea_capture.contracts.runtime.budgets import MAX_DIAGNOSTICS_BYTES, MAX_SCREENSHOT_BYTES
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.results import ArtifactKind, ArtifactOwner, ArtifactPayload, ContentType
from rea_capture.session.store import PrivateArtifactStore, default_root

OWNER = ArtifactOwner(session_id="s-1", run_id="run.1", operation="observe")


def payload(
    data: bytes,
    kind: ArtifactKind = "diagnostics",
    content_type: ContentType = "application/json",
    **changed: object,
) -> ArtifactPayload:
    made = ArtifactPayload(
        kind=kind,
        content_type=content_type,
        data_base64=base64.b64encode(data).decode(),
        byte_length=len(data),
    )
    return made.model_copy(update=changed)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def files_below(root: Path) -> list[str]:
    return sorted(str(each.relative_to(root)) for each in root.rglob("*") if not each.is_dir())


def refused(store: PrivateArtifactStore, what: ArtifactPayload, owner: ArtifactOwner = OWNER) -> str:
    with pytest.raises(BrowserOperationError) as caught:
        store.keep(owner, what)
    assert caught.value.details.code == "artifact_failed"
    assert caught.value.details.mutation_state == "not_attempted"
    return caught.value.details.message


@pytest.fixture(params=[0o022, 0o000, 0o777])
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("any_umask")
def test_an_artifact_is_kept_for_its_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    root = tmp_path / "artifacts"
    kept = PrivateArtifactStore(root).keep(OWNER, payload(b'{"a": 1}', truncated=True))
    path = Path(kept.path)
    assert path.parent == root / "s-1" / "run.1"
    assert path.name == f"{kept.artifact_id}.json"
    assert path.read_bytes() == b'{"a": 1}'
    assert [mode_of(each) for each in (root, path.parent.parent, path.parent)] == [0o700] * 3
    assert mode_of(path) == 0o600


def test_what_is_told_of_an_artifact_is_true(tmp_path: Path) -> None:
    kept = PrivateArtifactStore(tmp_path).keep(OWNER, payload(b"picture", "screenshot", "image/png"))
    assert kept.path.endswith(".png")
    assert kept.owner == OWNER
    assert kept.byte_length == 7
    assert kept.sha256 == hashlib.sha256(b"picture").hexdigest()
    assert (kept.local_only, kept.model_forwarded, kept.truncated) == (True, False, False)


def test_artifacts_of_one_owner_stand_beside_each_other(tmp_path: Path) -> None:
    store = PrivateArtifactStore(tmp_path)
    kept = [store.keep(OWNER, payload(b"same")) for _ in range(20)]
    assert len({each.path for each in kept}) == 20


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (payload(b"12345", byte_length=4), "5"),
        (payload(b"12345", byte_length=6), "declared"),
        (payload(b"", data_base64="not base64!"), "base64"),
        (payload(b"", data_base64="QUJD\n", byte_length=3), "base64"),
        (payload(b"x", "screenshot", "application/json"), "image/png"),
        (payload(b"x" * (MAX_DIAGNOSTICS_BYTES + 1)), f"{MAX_DIAGNOSTICS_BYTES:,}"),
        (payload(bytes(MAX_SCREENSHOT_BYTES + 1), "screenshot", "image/png"), f"{MAX_SCREENSHOT_BYTES:,}"),
    ],
)
def test_what_is_not_as_declared_or_too_large_is_refused_and_leaves_nothing(
    tmp_path: Path, what: ArtifactPayload, said: str
) -> None:
    assert said in refused(PrivateArtifactStore(tmp_path), what)
    assert not files_below(tmp_path)


def test_the_bound_of_a_kind_is_kept_exactly(tmp_path: Path) -> None:
    kept = PrivateArtifactStore(tmp_path).keep(OWNER, payload(b"x" * MAX_DIAGNOSTICS_BYTES))
    assert kept.byte_length == MAX_DIAGNOSTICS_BYTES


@pytest.mark.parametrize("where", ["", "s-1", "s-1/run.1"])
def test_a_symbolic_link_in_the_way_is_refused(tmp_path: Path, where: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    link = tmp_path / "root" / where if where else tmp_path / "root"
    link.parent.mkdir(parents=True, exist_ok=True)
    for each in link.parents:
        if each.is_relative_to(tmp_path):
            os.chmod(each, 0o700)
    link.symlink_to(elsewhere)
    refused(PrivateArtifactStore(tmp_path / "root"), payload(b"x"))
    assert not files_below(elsewhere)


@pytest.mark.parametrize("where", ["", "s-1", "s-1/run.1"])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "root" / where
    folder.mkdir(parents=True)
    for each in (folder, *folder.parents):
        if each.is_relative_to(tmp_path):
            os.chmod(each, 0o700)
    os.chmod(folder, 0o770)
    assert "others can write to it" in refused(PrivateArtifactStore(tmp_path / "root"), payload(b"x"))


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkdir(tmp_path / "root", 0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    assert "belongs to somebody else" in refused(PrivateArtifactStore(tmp_path / "root"), payload(b"x"))


def test_a_file_in_the_place_of_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "s-1").write_text("")
    assert "not a directory" in refused(PrivateArtifactStore(tmp_path), payload(b"x"))


def test_what_has_the_name_of_an_artifact_already_is_not_replaced(tmp_path: Path) -> None:
    store = PrivateArtifactStore(tmp_path)
    artifact = store.open(OWNER, "diagnostics")
    artifact.write(b"x")
    (temporary,) = (tmp_path / "s-1" / "run.1").iterdir()
    squatter = temporary.with_name(temporary.stem.lstrip(".") + ".json")
    squatter.symlink_to(tmp_path / "target")
    with pytest.raises(BrowserOperationError, match="something else has its name"):
        artifact.commit(byte_length=1)
    assert squatter.is_symlink()
    assert not (tmp_path / "target").exists()
    assert not temporary.exists()


def test_closing_keeps_what_was_committed_and_removes_the_rest(tmp_path: Path) -> None:
    store = PrivateArtifactStore(tmp_path)
    kept = store.keep(OWNER, payload(b"kept"))
    open_one = store.open(OWNER, "diagnostics")
    open_one.write(b"half of it")
    assert len(files_below(tmp_path)) == 2
    store.close()
    store.close()
    assert [tmp_path / each for each in files_below(tmp_path)] == [Path(kept.path)]
    for write in (lambda: open_one.write(b"rest"), lambda: store.keep(OWNER, payload(b"late"))):
        with pytest.raises(BrowserOperationError, match="closed"):
            write()
    assert len(files_below(tmp_path)) == 1


def test_an_artifact_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    store = PrivateArtifactStore(tmp_path)

    def interrupted() -> None:
        with store.open(OWNER, "diagnostics") as artifact:
            artifact.write(b"half of it")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not files_below(tmp_path)


def test_nothing_can_be_read_under_its_name_before_it_is_whole(tmp_path: Path) -> None:
    with PrivateArtifactStore(tmp_path).open(OWNER, "screenshot") as artifact:
        artifact.write(b"half of it")
        assert not list((tmp_path / "s-1" / "run.1").glob("*.png"))
        assert Path(artifact.commit(byte_length=10).path).exists()


def test_several_threads_can_keep_at_once_and_no_descriptor_stays_open(tmp_path: Path) -> None:
    store = PrivateArtifactStore(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    threads = [
        threading.Thread(target=lambda: [store.keep(OWNER, payload(b"x" * 1_000)) for _ in range(10)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(files_below(tmp_path)) == 40
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_a_root_artifacts_are_in_the_state_folder_of_the_user(tmp_path: Path) -> None:
    root = default_root({"XDG_STATE_HOME": str(tmp_path)})
    assert root == tmp_path / "rea-capture" / "artifacts"
    assert mode_of(root) == 0o700
