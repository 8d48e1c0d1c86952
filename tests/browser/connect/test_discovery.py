"""What answers at an endpoint is a browser, or one line says why it is none."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from rea_capture.browser.connect import discovery, plain_http
from rea_capture.browser.connect.discovery import discover
from rea_capture.browser.connect.handshake import open_websocket
from rea_capture.errors import UnavailableError
from tests.browser.connect.fake_endpoint import FakeEndpoint, fake_endpoint, http, page, switching, version

SHORT_MS = 300
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
async def fake() -> AsyncIterator[FakeEndpoint]:
    async with fake_endpoint() as endpoint:
        yield endpoint


async def refusal(address: str) -> str:
    """The one line with which the address is refused."""
    with pytest.raises(UnavailableError) as raised:
        await discover(address)
    message = raised.value.message
    assert message.startswith(f"no browser can be attached to at {address}: ")
    assert "\n" not in message
    assert len(message) < 600
    return message


async def test_a_browser_tells_its_own_id_and_its_targets(fake: FakeEndpoint) -> None:
    found = await discover(fake.address)
    assert (found.product, found.path) == ("Chrome/156.0.1.2", "/devtools/browser/0000-1111")
    assert found.websocket_url == fake.debugger
    assert found.page("A").url == "http://a.test/"


async def test_the_other_loopback_address_is_asked_the_same_way() -> None:
    async with fake_endpoint("::1") as endpoint:
        assert (await discover(endpoint.address)).websocket_url == endpoint.debugger


async def test_answers_in_chunks_or_without_a_length_are_read(fake: FakeEndpoint) -> None:
    body = json.dumps(version(fake.debugger)).encode()
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (
        len(body),
        body,
    )
    fake.replies["/json/version"] = chunked
    fake.replies["/json/list"] = b"HTTP/1.0 200 OK\r\n\r\n[]"
    assert (await discover(fake.address)).targets == ()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (http("bad", status="502 Bad Gateway"), "HTTP status 502"),
        (http("", status="302 Found", headers="Location: http://192.0.2.1/\r\n"), "HTTP status 302"),
        (http("<!doctype html><p>hello"), "with HTML, not with JSON"),
        (http("hello"), "with something else, not with JSON"),
        (http("[" * 100_000), "not with JSON"),
        (http(b"\xff\xfe"), "not with JSON"),
        (http("{}"), "without webSocketDebuggerUrl"),
        (http("[]"), "without webSocketDebuggerUrl"),
        (http('{"webSocketDebuggerUrl": 5}'), "without webSocketDebuggerUrl"),
        (b"", "closed the connection"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "no whole HTTP answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "no whole HTTP answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "not with JSON"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1%s\r\n\r\n{}" % (b"0" * 20), "more than 16777216 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n{}" % (b"1" * 5_000), "more than 16777216 bytes"),
        (CHUNKED + b"%s\r\n{}\r\n0\r\n\r\n" % (b"f" * 21), "no whole HTTP answer"),
        (CHUNKED + b"-5\r\n{}\r\n0\r\n\r\n", "no whole HTTP answer"),
        (b"HTTP/1.1 %s OK\r\nContent-Length: 2\r\n\r\n{}" % (b"2" * 5_000), "no whole HTTP answer"),
    ],
)  # fmt: skip
async def test_what_is_no_answer_of_a_browser_is_one_line(
    fake: FakeEndpoint, reply: bytes, said: str
) -> None:
    fake.replies["/json/version"] = reply
    assert said in await refusal(fake.address)


@pytest.mark.parametrize(
    "debugger",
    [
        "ws://192.0.2.1:{port}/devtools/browser/x",
        "ws://localhost:{port}/devtools/browser/x",
        "ws://127.0.0.1:1/devtools/browser/x",
        "ws://127.0.0.1/devtools/browser/x",
        "ws://[::1]:{port}/devtools/browser/x",
        "wss://127.0.0.1:{port}/devtools/browser/x",
        "http://127.0.0.1:{port}/devtools/browser/x",
        "ws://user@127.0.0.1:{port}/devtools/browser/x",
        "ws://127.0.0.1:{port}@192.0.2.1/devtools/browser/x",
        "ws://127.0.0.1:{port}/devtools/browser/x?to=192.0.2.1",
        "ws://127.0.0.1:{port}/devtools/browser/x#y",
        "ws://127.0.0.1:{port}/",
        "ws://127.0.0.1:{port}/devtools/browser/x\r\nHost: 192.0.2.1",
        "ws://127.0.0.1:99999/devtools/browser/x",
        "ws://[/x",
    ],
)
async def test_a_debugger_at_another_address_is_not_followed(fake: FakeEndpoint, debugger: str) -> None:
    fake.serves(version(debugger.format(port=fake.port)), [])
    said = await refusal(fake.address)
    assert "is not followed" in said or "names no debugger" in said
    assert fake.asked == ["GET /json/version HTTP/1.1"]


async def test_a_list_that_is_none_is_one_line(fake: FakeEndpoint) -> None:
    fake.serves(version(fake.debugger), {"error": "no"})
    assert "no list of targets" in await refusal(fake.address)


async def test_entries_without_an_id_are_left_out_and_odd_ones_read(fake: FakeEndpoint) -> None:
    fake.serves(version(fake.debugger), [5, {}, {"id": ""}, {"id": "B", "title": 5}, page("C")])
    assert [(each.target_id, each.title) for each in (await discover(fake.address)).targets] == [
        ("B", ""),
        ("C", "Title"),
    ]


async def test_nothing_that_listens_is_one_line() -> None:
    async with fake_endpoint() as endpoint:
        address = endpoint.address
    assert "nothing listens there" in await refusal(address)


async def _silent(_: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def _dripping(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("reply", [_silent, _dripping], ids=["silent", "dripping"])
@pytest.mark.parametrize("path", ["/json/version", "/json/list"])
async def test_one_deadline_bounds_both_questions(
    fake: FakeEndpoint, reply: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "DISCOVERY_TIMEOUT_MS", SHORT_MS)
    fake.replies[path] = reply
    started = time.monotonic()
    assert f"did not answer within {SHORT_MS} ms" in await refusal(fake.address)
    assert time.monotonic() - started < 10 * SHORT_MS / 1000


def test_the_deadline_of_discovery_is_fixed() -> None:
    assert discovery.DISCOVERY_TIMEOUT_MS == 5_000


async def test_an_answer_without_end_is_cut_off(fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_http, "MAX_ANSWER_BYTES", 100_000)

    async def flood(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b" " * 65_536)
            await writer.drain()

    fake.replies["/json/version"] = flood
    assert "more than 100000 bytes" in await refusal(fake.address)


async def test_proxies_of_the_environment_are_not_used(
    fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with fake_endpoint() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.address)
        assert (await discover(fake.address)).targets
        assert proxy.asked == []


def _extended(fake: FakeEndpoint) -> Any:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(switching(fake.heads[-1], "Sec-WebSocket-Extensions: permessage-deflate\r\n"))

    return answer


async def test_a_handshake_that_leads_elsewhere_or_nowhere_is_one_line(fake: FakeEndpoint) -> None:
    async with fake_endpoint() as elsewhere:
        found = await discover(fake.address)
        location = f"Location: {elsewhere.debugger}\r\n"
        for reply, said in (
            (http("", "301 Moved Permanently", location), "answered the WebSocket handshake with '301'"),
            (http("", "403 Forbidden"), "answered the WebSocket handshake with '403'"),
            (b"", "closed the connection"),
            (b"\r\n\r\n", "answered the WebSocket handshake with ''"),
            (_silent, f"did not answer within {SHORT_MS} ms"),
            (switching("Sec-WebSocket-Key: another"), "without the key it was given"),
            (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "without the key it was given"),
            (_extended(fake), "with extensions it was not asked for"),
        ):
            fake.replies[found.path] = reply
            with pytest.raises(UnavailableError, match=said) as raised:
                await open_websocket(found, SHORT_MS)
            assert "\n" not in raised.value.message
        assert elsewhere.asked == []
