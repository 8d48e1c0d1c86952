"""Which session leaves when there are as many as may be."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import mcp_types as types

from rea_capture.mcp_server.sessions import Sessions
from tests.mcp_server.serving import request

PATIENCE_S = 30
NAME = b"mcp-session-id"


def message(method: str, request_id: int = 1) -> types.JSONRPCMessage:
    return types.jsonrpc_message_adapter.validate_json(json.dumps(request(method, request_id)))


class Library:
    """Answers at once, but for what is asked to wait; remembers which sessions were ended."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended: list[bytes] = []
        self.going = asyncio.Event()
        self.waiting = asyncio.Semaphore(0)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        answer = []
        if scope["method"] == "DELETE":
            self.ended.append(headers[NAME])
        elif NAME not in headers:
            self.begun += 1
            answer.append((NAME, b"s%d" % self.begun))
        if b"wait" in headers:
            self.waiting.release()
            await self.going.wait()
        status = 404 if headers.get(NAME) in self.ended and scope["method"] != "DELETE" else 200
        await send({"type": "http.response.start", "status": status, "headers": answer})
        await send({"type": "http.response.body", "body": b""})


class Client:
    def __init__(self, most: int) -> None:
        self.library = Library()
        self.told: list[str] = []
        self.sessions = Sessions(self.library, most, self.told.append)
        self.tasks: list[asyncio.Future[Any]] = []

    async def ask(
        self, name: bytes | None, said: str = "ping", *, wait: bool = False, method: str = "POST"
    ) -> Any:
        headers = [(NAME, name)] if name else []
        scope = {"type": "http", "method": method, "headers": [*headers, *([(b"wait", b"")] if wait else [])]}
        statuses = []

        async def send(part: Any) -> None:
            statuses.append(part.get("status"))

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        if method == "GET":
            await self.sessions.passed_on(scope, receive, send)
        else:
            assert await self.sessions.asked(message(said), scope, receive, send) is None
        return statuses[0]

    async def begin(self) -> None:
        assert await self.ask(None, "initialize") == 200

    async def goes_on(self, *arguments: Any, **keywords: Any) -> None:
        self.tasks.append(asyncio.ensure_future(self.ask(*arguments, wait=True, **keywords)))
        await asyncio.wait_for(self.library.waiting.acquire(), PATIENCE_S)

    async def end(self) -> None:
        self.library.going.set()
        await asyncio.wait_for(asyncio.gather(*self.tasks), PATIENCE_S)


async def test_the_one_that_was_used_longest_ago_leaves() -> None:
    client = Client(3)
    for _ in range(3):
        await client.begin()
    await client.ask(b"s1")
    await client.begin()
    await client.begin()
    assert client.library.ended == [b"s2", b"s3"]


async def test_one_with_a_call_stays_and_one_that_listens_leaves_after_those_that_do_not() -> None:
    client = Client(3)
    for _ in range(3):
        await client.begin()
    await client.goes_on(b"s1", "tools/call")
    await client.goes_on(b"s2", method="GET")
    await client.begin()
    assert client.library.ended == [b"s3"]
    await client.goes_on(b"s4", "tools/call")
    await client.begin()
    assert client.library.ended == [b"s3", b"s2"]
    await client.goes_on(b"s5", "tools/call")
    await client.begin()  # the library says what there is to say
    assert client.library.ended == [b"s3", b"s2"]
    await client.end()


async def test_those_that_begin_at_the_same_time_count() -> None:
    client = Client(2)
    await client.begin()
    await client.goes_on(None, "initialize")
    await client.goes_on(None, "initialize")
    assert client.library.ended == [b"s1"]
    await client.end()


async def test_one_that_ended_or_is_gone_makes_room_without_another() -> None:
    client = Client(2)
    await client.begin()
    await client.begin()
    await client.ask(b"s1", method="DELETE")
    await client.begin()
    client.library.ended.append(b"s2")  # the library has let it go
    assert await client.ask(b"s2") == 404
    await client.begin()
    assert client.library.ended == [b"s1", b"s2"]


async def test_what_is_said_of_it_is_bounded() -> None:
    client = Client(1)
    for _ in range(1_000):
        await client.begin()
    assert len(client.library.ended) == 999
    assert [line.rpartition(" ")[2] for line in client.told] == [f"{2**each}" for each in range(10)]
