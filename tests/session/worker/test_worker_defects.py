"""A defect of this program costs one answer, and no session."""

from __future__ import annotations

from typing import NoReturn

import pytest

from rea_capture.session.worker import worker as module
from tests.session.worker.asking import Asker, answered


async def test_a_line_that_cannot_be_read_because_of_a_defect_is_answered(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await asker.opened()

    def broken(_: object) -> NoReturn:
        raise KeyError("what nobody should see")

    with monkeypatch.context() as patch:
        patch.setattr(module, "read_request", broken)
        answer = await answered(asker.raw(b'{"id":"1"}'))
    assert (answer["id"], answer["error"]["code"]) == (None, "defect")
    assert "nobody should see" not in answer["error"]["message"]
    assert "result" in await asker.ask("read", session)


async def test_an_answer_that_cannot_be_written_is_an_error_in_its_place(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await asker.opened()
    monkeypatch.setattr("rea_capture.session.worker.answers.MAX_FRAME_BYTES", 100)
    answer = await asker.ask("read", session, id="it")
    assert (answer["id"], answer["error"]["code"]) == ("it", "artifact_failed")
