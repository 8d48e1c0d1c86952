"""The reads themselves, on stand-ins that answer when a test says so: how many, how long, and cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Error

from rea_capture.browser.events.bodies import declares_body, empty_though_declared
from rea_capture.browser.events.content_reads import ContentReads
from rea_capture.capture.content import HeadersNotRead
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.capture_selection import NetworkContentSelection
from rea_capture.limits import MAX_SIMULTANEOUS_NETWORK_READS
from tests.capture.recording.support import items, recorder_for

WAIT_SECONDS = 10.0
RESPONSE_BODIES = NetworkContentSelection(response_body=True)
EVERYTHING = NetworkContentSelection(request_body=True, response_body=True, header_values=True)

Answering = Callable[[], Awaitable[bytes]]


class _Browser:
    """Counts the reads under way and holds each until ``release`` is set."""

    def __init__(self) -> None:
        self.release = asyncio.Event()
        self.under_way = 0
        self.most = 0
        self.begun = 0

    async def body(self) -> bytes:
        self.begun += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.release.wait()
        finally:
            self.under_way -= 1
        return b"body"


class _Request:
    method = "GET"
    url = "http://site.test/"
    resource_type = "fetch"
    post_data_buffer = None

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}

    async def headers_array(self) -> list[dict[str, str]]:
        return [{"name": "a", "value": "b"}]


class _Response:
    status = 200

    def __init__(self, body: Answering) -> None:
        self.body = body
        self.headers = {"content-type": "text/plain"}

    async def headers_array(self) -> list[dict[str, str]]:
        return [{"name": "c", "value": "d"}]


def _complete(recorder: EventRecorder, reads: ContentReads, body: Answering) -> None:
    """One whole transaction, as the network listener reports it."""
    request: Any = _Request()
    response: Any = _Response(body)
    recorder.network.request(
        request,
        method=request.method,
        url=request.url,
        resource_type=request.resource_type,
        header_names=request.headers,
        redirected_from=None,
    )
    reads.request_sent(request)
    recorder.network.response(request, status=200, header_names=response.headers)
    reads.response_arrived(request, response)
    recorder.network.finished(request)
    reads.request_ended(request, failure=None)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            await asyncio.wait({asyncio.ensure_future(_nothing())})  # lets the others have their turn


async def _nothing() -> None:
    return


def _reasons(recorder: EventRecorder) -> list[str]:
    return [content.body.reason for content in items(recorder, "network-content")]


async def test_sixteen_reads_run_at_once_and_the_others_wait_their_turn() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    for _ in range(50):
        _complete(recorder, reads, driver.body)
    await _until(lambda: driver.begun == MAX_SIMULTANEOUS_NETWORK_READS)
    driver.release.set()
    await asyncio.wait_for(reads.drain(), WAIT_SECONDS)
    assert driver.most == MAX_SIMULTANEOUS_NETWORK_READS == 16
    assert len(items(recorder, "network-content")) == 50


async def test_a_read_admitted_as_the_last_reader_ends_finds_a_reader() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    driver.release.set()
    for number in range(1, 101):
        _complete(recorder, reads, driver.body)
        await _until(lambda number=number: len(items(recorder, "network-content")) == number)  # type: ignore[misc]  # the default binds


async def test_a_read_that_takes_too_long_is_given_up_and_said_to_be() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder, read_timeout_ms=20), _Browser()
    _complete(recorder, reads, driver.body)
    await asyncio.wait_for(reads.drain(), WAIT_SECONDS)
    assert _reasons(recorder) == ["body-read-timeout"]
    assert "within 20 ms" in items(recorder, "network-content")[0].body.message
    assert recorder.step_sections(0)[0] == {"events"}
    driver.release.set()
    await _until(lambda: driver.under_way == 0)
    assert len(items(recorder, "network-content")) == 1, "a late answer changes nothing"


async def test_a_read_that_fails_keeps_the_reason_in_one_line() -> None:
    async def failing() -> bytes:
        raise Error("Response.body: \x1b[31mNo data found\x1b[0m\nCall log:\n  - waiting")

    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads = ContentReads(recorder)
    _complete(recorder, reads, failing)
    await asyncio.wait_for(reads.drain(), WAIT_SECONDS)
    assert items(recorder, "network-content")[0].body.message == "No data found"


async def test_a_defect_in_a_read_is_a_fault_and_the_reads_go_on() -> None:
    async def broken() -> bytes:
        raise ZeroDivisionError

    recorder, limitations = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    driver.release.set()
    _complete(recorder, reads, broken)
    _complete(recorder, reads, driver.body)
    await asyncio.wait_for(reads.drain(), WAIT_SECONDS)
    assert "Network content could not be recorded (ZeroDivisionError)." in limitations.sentences()
    assert [content.body.state for content in items(recorder, "network-content")] == ["captured"]


async def test_cancelling_ends_active_and_queued_reads_without_asking_the_browser_again() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    for _ in range(30):
        _complete(recorder, reads, driver.body)
    await _until(lambda: driver.begun == MAX_SIMULTANEOUS_NETWORK_READS)
    recorder.end_observation()
    reads.end()
    await asyncio.wait_for(reads.cancel(), WAIT_SECONDS)
    assert _reasons(recorder) == ["cancelled"] * 30
    assert driver.begun == MAX_SIMULTANEOUS_NETWORK_READS
    assert recorder.step_sections(0)[0] == {"events"}
    driver.release.set()


async def test_cancelled_reads_of_headers_and_bodies_are_each_said_to_be() -> None:
    recorder, _ = recorder_for(["network"], EVERYTHING)
    reads, driver = ContentReads(recorder), _Browser()
    for _ in range(20):
        _complete(recorder, reads, driver.body)
    async with asyncio.timeout(WAIT_SECONDS):
        await reads.cancel()
    contents = items(recorder, "network-content")
    assert {content.headers.reason for content in contents} == {"cancelled"}
    assert {content.body.state for content in contents if content.phase == "request"} == {"not_exposed"}
    assert {content.body.reason for content in contents if content.phase == "response"} == {"cancelled"}
    assert len(contents) == 40


async def test_cancelling_before_any_reader_began_still_records_every_read() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    for _ in range(20):
        _complete(recorder, reads, driver.body)
    async with asyncio.timeout(WAIT_SECONDS):
        await reads.cancel()
    assert _reasons(recorder) == ["cancelled"] * 20
    assert driver.begun == 0


async def test_draining_and_cancelling_at_once_both_end() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    for _ in range(20):
        _complete(recorder, reads, driver.body)
    draining = asyncio.ensure_future(reads.drain())
    await _until(lambda: driver.begun == 16)
    await asyncio.wait_for(reads.cancel(), WAIT_SECONDS)
    await asyncio.wait_for(draining, WAIT_SECONDS)
    assert _reasons(recorder) == ["cancelled"] * 20


async def test_a_drain_that_is_cancelled_leaves_the_reads_running() -> None:
    recorder, _ = recorder_for(["network"], RESPONSE_BODIES)
    reads, driver = ContentReads(recorder), _Browser()
    _complete(recorder, reads, driver.body)
    draining = asyncio.ensure_future(reads.drain())
    await _until(lambda: driver.begun == 1)
    draining.cancel()
    await asyncio.gather(draining, return_exceptions=True)
    driver.release.set()
    await asyncio.wait_for(reads.drain(), WAIT_SECONDS)
    assert items(recorder, "network-content")[0].body.state == "captured"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, False),
        ({"content-length": "0"}, False),
        ({"content-length": "00, 0"}, False),
        ({"content-length": "5"}, True),
        ({"content-length": "0, 5"}, True),
        ({"content-length": "many"}, True),
        ({"content-length": ""}, True),
        ({"content-range": "bytes 0-4/10"}, True),
        ({"content-encoding": "gzip", "transfer-encoding": "chunked"}, False),
    ],
)
def test_which_responses_cannot_have_been_empty(headers: dict[str, str], expected: bool) -> None:
    assert empty_though_declared(headers) is expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([("Content-Length", "0")], False),
        ([("Accept", "*/*")], False),
        ([("Content-Length", "10")], True),
        ([("Transfer-Encoding", "chunked")], True),
        (HeadersNotRead("headers-read-failed", ""), True),
        (None, True),
    ],
)
def test_which_requests_may_have_a_body(headers: Any, expected: bool) -> None:
    assert declares_body(headers) is expected
