"""Whatever listens on a debugging port is understood, or refused in one line, and never leads elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.browser.connect.discovery import RunningBrowser, discover
from rea_capture.errors import UnavailableError
from tests.fuzz.examples import altered, check_refusal, examples, json_values

VERSION: Final = "/json/version"
LIST: Final = "/json/list"
PATIENCE_S: Final = 20.0
GOOD: Final[dict[str, Any]] = {
    VERSION: {"Browser": "Chrome/156.0.1.2", "webSocketDebuggerUrl": "ws://127.0.0.1:PORT/devtools/browser/1-2"},
    LIST: [
        {"id": "A1", "type": "page", "title": "Shop", "url": "http://shop.test/"},
        {"id": "B2", "type": "iframe", "title": "", "url": "about:blank"},
    ],
}  # fmt: skip
ELSEWHERE: Final = (
    "ws://10.0.0.1:PORT/devtools/browser/1", "ws://127.0.0.1:1/devtools/browser/1", "wss://127.0.0.1:PORT/x",
    "ws://127.0.0.1:PORT@evil.test/x", "ws://evil.test:PORT/x", "ws://localhost:PORT/x", "ws://127.0.0.1:PORT",
    "ws://127.0.0.1:PORT/\r\nx", "ws://127.0.0.1:PORT/x?y", "http://127.0.0.1:PORT/x", "ws://[::1]:PORT/x",
)  # fmt: skip
values = st.one_of(json_values(), st.sampled_from(ELSEWHERE))
heads = st.sampled_from(
    (
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 502 No\r\n\r\n",
        b"HTTP/1.0 200\r\nContent-Length: 9\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 302 F\r\nLocation: http://evil.test/\r\n\r\n",
    )
)


async def asked(replies: Mapping[str, bytes]) -> RunningBrowser | str:
    """What becomes of an endpoint that answers with ``replies``: the browser, or the sentence."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        while (await reader.readline()).strip():
            pass
        port = str(writer.get_extra_info("sockname")[1]).encode()
        writer.write(replies[line.split()[1].decode()].replace(b"PORT", port))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    endpoint = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, asyncio.timeout(PATIENCE_S):
        try:
            found = await discover(endpoint)
        except UnavailableError as error:
            check_refusal(error)
            return error.message
    assert urlsplit(found.websocket_url).netloc == urlsplit(endpoint).netloc
    assert found.websocket_url.startswith("ws://127.0.0.1:")
    assert all(isinstance(target.target_id, str) and target.target_id for target in found.targets)
    return found


def as_open_reply(document: Any) -> bytes:
    """Without a length, since filling in the port changes it."""
    return b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(document).encode("utf-8", "surrogatepass")


def test_the_replies_that_the_others_are_made_from_are_those_of_a_browser() -> None:
    found = asyncio.run(asked({path: as_open_reply(value) for path, value in GOOD.items()}))
    assert isinstance(found, RunningBrowser)
    assert [target.target_id for target in found.targets] == ["A1", "B2"]


@examples(60)
@given(altered(GOOD, values))
def test_replies_with_one_thing_altered_are_understood_or_refused_in_one_line(document: Any) -> None:
    replies = {path: as_open_reply(document.get(path)) for path in GOOD}
    asyncio.run(asked(replies))


@examples(30)
@given(st.sampled_from(ELSEWHERE))
def test_an_address_that_is_not_the_one_asked_is_never_followed(url: str) -> None:
    version = {**GOOD[VERSION], "webSocketDebuggerUrl": url}
    said = asyncio.run(asked({VERSION: as_open_reply(version), LIST: as_open_reply(GOOD[LIST])}))
    assert isinstance(said, str)


@examples(60)
@given(heads, st.binary(max_size=80), st.sampled_from((VERSION, LIST)))
def test_bytes_of_any_kind_are_refused_in_one_line(head: bytes, data: bytes, where: str) -> None:
    replies = {path: as_open_reply(value) for path, value in GOOD.items()}
    assert isinstance(asyncio.run(asked({**replies, where: data})), str)
    asyncio.run(asked({**replies, where: head + data}))
