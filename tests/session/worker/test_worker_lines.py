"""A line that is no request is answered with what is wrong with it, and nothing ends."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.limits import MAX_JSON_DEPTH
from rea_capture.session.worker.requests import MAX_REQUEST_VALUES
from tests.session.worker.asking import PATIENCE_S, Asker, answered, to

DEEP = b'{"id":"7","op":"open","request":' + b'{"a":' * 200 + b"1" + b"}" * 201


def line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    ("sent", "frame_id", "pointers"),
    [
        (b"nope", None, [""]),
        (b"[]", None, [""]),
        (b'"open"', None, [""]),
        (b'\xff\xfe{"id":"7"}', None, [""]),
        (b'{"id":"7","op":"open\xc3"}', None, [""]),
        (b'{"id":"7","op":"open"', None, [""]),
        (b'{"id":"7","op":"open","request":NaN}', None, [""]),
        (b'{"id":"7","op":"open","request":{"x":1e999}}', "7", ["/request/x"]),
        (DEEP, None, [""]),
        (None, None, [""]),
        (b'{"id":"7","op":"open","request":{"x":[' + b"0," * MAX_REQUEST_VALUES + b"0]}}", None, [""]),
        (line(op="open"), None, ["/id"]),
        (line(id=7, op="open"), None, ["/id"]),
        (line(id="", op="open"), None, ["/id"]),
        (line(id="7" * 129, op="open"), None, ["/id"]),
        (b'{"id":"\\ud800","op":"open"}', None, [""]),
        (b'{"id":"7","id":"8","op":"open"}', "8", ["/id"]),
        (line(id="7"), "7", ["/op"]),
        (line(id="7", op=7), "7", ["/op"]),
        (line(id="7", op="open", extra=1), "7", ["/extra"]),
        (line(id="7", op="open", request=[]), "7", ["/request"]),
        (line(id="7", op="open", sessionId="s"), "7", ["/sessionId"]),
        (line(id="7", op="open", request={"settings": {"x": 1}}), "7", ["/request/settings/x"]),
        (
            line(id="7", op="open", request={"settings": {"browser": {"mode": "launch", "headless": "yes"}}}),
            "7",
            ["/request/settings/browser/headless"],
        ),
        (line(id="7", op="cancel"), "7", ["/request"]),
        (line(id="7", op="observe"), "7", ["/sessionId"]),
        (line(id="7", op="observe", sessionId="/../"), "7", ["/sessionId"]),
        (line(id="7", op="observe", sessionId="s", context={"allowedOrigins": []}), "7",
         ["/context/allowedOrigins"]),
        (line(id="7", op="navigate", sessionId="s", request={"url": "file:///x"}), "7", ["/request/url"]),
        (line(id="7", op="navigate", sessionId="s", request={"url": "http://a:b@c/"}), "7", ["/request/url"]),
        (line(id="7", op="act", sessionId="s", request={"step": {"action": "eval"}}), "7",
         ["/request/step/action", "/request/step/instruction"]),
        (line(id="7", op="read", sessionId="s", request={"tab": 1, "wait": "ever"}), "7",
         ["/request/tab", "/request/wait"]),
    ],
)  # fmt: skip
async def test_what_is_wrong_is_said_with_pointers_and_the_worker_goes_on(
    asker: Asker, sent: bytes | None, frame_id: str | None, pointers: list[str]
) -> None:
    answer = await answered(asker.raw(sent))
    assert answer["id"] == frame_id
    error = BrowserErrorDetails.model_validate_json(json.dumps(answer["error"]))
    assert (error.code, error.phase, error.retry) == ("invalid_request", "request", "after_change")
    assert error.mutation_state == "not_attempted"
    assert sorted(fault.pointer for fault in error.faults) == pointers
    assert await asker.opened()


async def test_an_unknown_operation_is_told_with_those_there_are(asker: Asker) -> None:
    answer = await asker.ask("evaluate", "s", id="x")
    assert answer["id"] == "x"
    assert answer["error"]["code"] == "unknown_operation"
    assert "captureEvidence" in answer["error"]["message"]


async def test_blank_lines_get_no_answer(asker: Asker) -> None:
    assert [asker.worker.take(blank) for blank in (b"", b"  ", b"\r")] == [None] * 3


async def test_a_faulty_line_shows_nothing_of_a_value_in_it(asker: Asker) -> None:
    credential = {"source": "literal", "value": "hunter2hunter2", "extra": 1}
    answer = await asker.ask("open", request={"settings": {"credentials": {"c": credential}}})
    assert [each["pointer"] for each in answer["error"]["faults"]] == [
        "/request/settings/credentials/c/extra"
    ]
    assert "hunter2" not in json.dumps(answer)


async def test_very_many_faults_are_counted_and_very_long_ones_cut(asker: Asker) -> None:
    many = {"x" * 5_000 + str(number): 1 for number in range(500)}
    answer = await asker.ask("open", request=many)
    assert len(answer["error"]["faults"]) == 51
    assert answer["error"]["faults"][-1]["message"] == "has 450 more faults"
    assert len(json.dumps(answer)) < 120_000


async def test_an_id_that_is_under_way_cannot_be_used_and_can_be_afterwards(asker: Asker) -> None:
    session = await asker.opened()
    first = asker.send("navigate", session, id="same", request=to("waits.test"))
    second = await asker.ask("observe", session, id="same")
    assert second["id"] is None  # else it would be taken for the answer to the first
    assert second["error"]["faults"][0]["pointer"] == "/id"
    assert (await answered(asker.raw(b'{"id":"same"}')))["id"] is None
    asker.live().release.set()
    assert (await answered(first))["id"] == "same"
    assert "result" in await asker.ask("observe", session, id="same")


async def test_the_longest_line_is_read_in_bounded_time(asker: Asker) -> None:
    answer = asker.raw(b'{"id":"' + b"x" * MAX_FRAME_BYTES)
    assert (await asyncio.wait_for(answered(answer), PATIENCE_S))["id"] is None
    assert MAX_JSON_DEPTH < 200
