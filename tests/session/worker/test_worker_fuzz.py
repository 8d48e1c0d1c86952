"""Whatever a line holds, it has one answer, which is an answer."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.contracts.runtime.frames import AnswerFrame
from rea_capture.contracts.runtime.operations import OPERATIONS
from rea_capture.session.transport.answers import RESULT_OF
from tests.session.worker.asking import PATIENCE_S, Asker

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
frames = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text(max_size=4) | values,
        "op": st.sampled_from(["open", "cancel", *OPERATIONS]) | st.text(max_size=6),
        "sessionId": st.sampled_from(["SESSION", "other"]) | values,
        "request": values | st.dictionaries(
            st.sampled_from(["tab", "step", "url", "wait", "assertion", "settings", "id", "allowedOrigins"]),
            values | st.sampled_from(["*", "t1", "http://a.test", {"kind": "title", "value": "x"}]),
            max_size=3,
        ),
        "context": values | st.just({"allowedOrigins": "*"}),
    },
)  # fmt: skip


async def answer_to(line: bytes) -> None:
    asker = Asker(Path(), {})
    session = await asker.opened()
    answer = asker.worker.take(line.replace(b"SESSION", session.encode()))
    if answer is None:
        assert not line.strip()
    else:
        said = await asyncio.wait_for(answer, PATIENCE_S)
        document: Any = json.loads(said)
        frame = AnswerFrame.model_validate_json(said)
        assert (frame.result is None) != (frame.error is None)
        if frame.result is not None:
            op = json.loads(line)["op"]
            RESULT_OF[op].model_validate_json(json.dumps(document["result"]))
    await asker.worker.close()
    assert all(live.is_closed for live in asker.browsers.sessions)


@given(st.binary(max_size=60))
def test_bytes(line: bytes) -> None:
    asyncio.run(answer_to(line.replace(b"\n", b"")))


@given(frames)
def test_frames_that_are_nearly_right(document: dict[str, Any]) -> None:
    asyncio.run(answer_to(json.dumps(document).encode()))
