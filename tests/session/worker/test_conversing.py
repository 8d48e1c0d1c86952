"""Over pipes whose other ends are slow or stuck, a worker neither grows nor stays."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rea_capture.session.pipes import reader as reader_module
from rea_capture.session.worker import serving
from tests.session.worker.asking import PATIENCE_S, Asker, to


class Pipe:
    def __init__(self) -> None:
        self.reads, self.writes = os.pipe()
        self.open = {self.reads, self.writes}

    def close(self, *ends: int) -> None:
        for end in ends or tuple(self.open):
            if end in self.open:
                self.open.discard(end)
                os.close(end)


@pytest.fixture
def pipes() -> Iterator[tuple[Pipe, Pipe]]:
    made = Pipe(), Pipe()
    yield made
    for each in made:
        each.close()


def frame(number: int, op: str, session: str | None = None, **more: object) -> bytes:
    return json.dumps({"id": str(number), "op": op, "sessionId": session, **more}).encode() + b"\n"


async def test_a_client_that_does_not_read_is_not_read_from(
    asker: Asker, pipes: tuple[Pipe, Pipe], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_SENDING_S", 0.05)
    given, out = pipes
    taken = 0
    take = asker.worker.take

    def counted(line: bytes | None) -> asyncio.Future[bytes] | None:
        nonlocal taken
        taken += 1
        return take(line)

    monkeypatch.setattr(asker.worker, "take", counted)
    ending = asyncio.Event()
    talking = asyncio.ensure_future(serving.converse(given.reads, out.writes, asker.worker, ending))
    os.set_blocking(given.writes, False)
    line = b'"' + b"x" * 500 + b'"\n'
    idle_rounds = 0
    while idle_rounds < 20:  # until nothing more is taken
        try:
            os.write(given.writes, line)
            idle_rounds = 0
        except BlockingIOError:
            idle_rounds += 1
        await asyncio.sleep(0.005)
    in_pipe = 65_536 // 300  # answers that the pipe itself holds
    assert serving.MAX_LINES_IN_HAND <= taken <= serving.MAX_LINES_IN_HAND + in_pipe
    ending.set()
    await asyncio.wait_for(talking, PATIENCE_S)


async def test_a_client_that_hangs_up_without_having_read_is_not_waited_for(
    asker: Asker, pipes: tuple[Pipe, Pipe], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_SENDING_S", 0.05)
    monkeypatch.setattr(serving, "END_OF_INPUT_S", 0.05)
    monkeypatch.setattr(reader_module, "_HANG_UP_POLL_S", 0.02)
    given, out = pipes
    ending = asyncio.Event()
    talking = asyncio.ensure_future(serving.converse(given.reads, out.writes, asker.worker, ending))
    os.set_blocking(given.writes, False)
    blocked = 0
    while blocked < 20:
        try:
            os.write(given.writes, b'"' + b"x" * 500 + b'"\n')
            blocked = 0
        except BlockingIOError:
            blocked += 1
        await asyncio.sleep(0.005)
    given.close(given.writes)
    await asyncio.wait_for(talking, PATIENCE_S)
    assert ending.is_set()


async def test_what_does_not_end_after_the_input_has_is_cancelled_in_the_end(
    asker: Asker, pipes: tuple[Pipe, Pipe], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "END_OF_INPUT_S", 0.05)
    given, out = pipes
    session = await asker.opened()
    asked = frame(1, "navigate", session, request=to("hang.test")) + frame(2, "read", session)
    os.write(given.writes, asked)
    given.close(given.writes)
    talking = serving.converse(given.reads, out.writes, asker.worker, asyncio.Event())
    await asyncio.wait_for(talking, PATIENCE_S)
    out.close(out.writes)
    hello, *answers = map(json.loads, os.read(out.reads, 65_536).splitlines())
    assert hello["hello"] == "rea-browser"
    assert {each["id"]: each["error"]["code"] for each in answers} == {"1": "cancelled", "2": "cancelled"}
    assert asker.live().is_closed


async def test_the_same_worker_serves_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("of-this-folder")
    asker = Asker(tmp_path)
    session = await asker.opened(credentials={"p": {"source": "file", "path": "password"}})
    fill = {"instruction": "Fill", "action": "fill", "ref": "e2", "value": {"credential": "p"}}
    assert "result" in await asker.ask("act", session, request={"step": fill})
    assert asker.live().values == ["of-this-folder"]
    await asker.worker.close()
