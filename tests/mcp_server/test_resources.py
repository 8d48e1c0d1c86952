"""Resources are bounded in bytes and in how many are read at one time, and refused by their address."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from rea_capture.errors import InputError
from rea_capture.mcp_server import resources
from rea_capture.mcp_server.limits import MAX_WORKERS
from rea_capture.mcp_server.refusals import EvidenceGoneError
from rea_capture.mcp_server.server import Door, Settings
from rea_capture.mcp_server.store import EvidenceStore
from tests.mcp_server.working import PATIENCE_S, Work, begun

NAME = "ev_" + "0" * 64
URI = f"rea://evidence/{NAME}"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EvidenceStore]:
    """A store with one document, of 9 characters and 10 bytes."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = EvidenceStore()
    made.keep(NAME, "capture", '{"a":"é"}'.encode())
    yield made
    made.close()


def text(store: EvidenceStore, uri: str) -> str:
    """What is read at ``uri``."""
    [contents] = resources.read(store, uri).contents
    assert isinstance(contents, types.TextResourceContents)
    return contents.text


@pytest.mark.parametrize("pointer", ["", "/"])
def test_a_document_is_byte_for_byte_the_one_that_was_kept(store: EvidenceStore, pointer: str) -> None:
    assert text(store, URI + pointer).encode() == store.data(NAME)


def test_the_bound_is_of_bytes_and_not_of_characters(
    store: EvidenceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for uri, size in ((URI, 10), (f"{URI}/a", 4)):
        monkeypatch.setattr(resources, "MAX_RESOURCE_BYTES", size)
        assert len(text(store, uri).encode()) == size
        monkeypatch.setattr(resources, "MAX_RESOURCE_BYTES", size - 1)
        with pytest.raises(InputError, match=r"larger than .* bytes \(MAX_RESOURCE_BYTES\)"):
            resources.read(store, uri)


@pytest.mark.parametrize(
    ("uri", "kind", "sentence"),
    [
        ("file:///etc/passwd", InputError, "there are only resources rea://evidence/"),
        ("rea://evidence/ev_1", EvidenceGoneError, "ev_1 is no result of this server"),
        (f"{URI}/b", InputError, "its pointer names 'b' at the top, which is not there: it has a"),
        (f"{URI}/a/{'9' * 5_000}", InputError, "which is not there: it is a string"),
    ],
)
def test_what_cannot_be_read_is_a_fault_of_the_address(
    store: EvidenceStore, uri: str, kind: type[InputError], sentence: str
) -> None:
    with pytest.raises(kind) as refused:
        resources.read(store, uri)
    [fault] = refused.value.faults
    assert fault.pointer == "/uri"
    assert sentence in fault.message
    assert "call" not in refused.value.message


async def test_so_many_are_read_at_one_time_and_the_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work()

    def reading(_: Any, __: str) -> types.ReadResourceResult:
        work()
        return types.ReadResourceResult(contents=[])

    monkeypatch.setattr(resources, "read", reading)
    door = Door(Settings(environ={}, executable_path=None, inline_bytes=0, max_captures=1))
    context: Any = None
    wanted = [
        asyncio.ensure_future(door._read_resource(context, types.ReadResourceRequestParams(uri=URI)))
        for _ in range(5 * MAX_WORKERS)
    ]
    try:
        await begun(work, MAX_WORKERS)
        for _ in range(50):
            await asyncio.sleep(0)  # whoever could begin has begun
    finally:
        work.release.set()
    await asyncio.wait_for(asyncio.gather(*wanted), PATIENCE_S)
    door.close()
    assert (work.most, work.done) == (MAX_WORKERS, 5 * MAX_WORKERS)
