"""Reading header values and bodies: after the fact, a few at a time, each read bounded.

A request's own content is read once something has come of it (a response or its end), for only
then does the browser know which headers it sent. A response is read when it is complete. When
observation ends, no body of an unfinished response is read, nor anything of an unanswered request.

Below: playwright, ``capture.recorder``. Above: ``network``, ``observer``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

from playwright.async_api import Error, Request, Response

from rea_capture.browser.events.bodies import declares_body, empty_though_declared
from rea_capture.browser.failures import reason_of
from rea_capture.capture.content import (
    BodyNotExposed,
    BodyNotRead,
    BodyRead,
    BodyReading,
    HeadersFailure,
    HeadersNotRead,
    HeadersReading,
)
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.network import UnavailableReason
from rea_capture.limits import MAX_SIMULTANEOUS_NETWORK_READS, NETWORK_READ_TIMEOUT_MS

_T = TypeVar("_T")
_Job: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
_Why: TypeAlias = Literal["failed", "timeout", "cancelled"]

_HEADERS_REASONS: Final[dict[_Why, HeadersFailure]] = {
    "failed": "headers-read-failed",
    "timeout": "headers-read-timeout",
    "cancelled": "cancelled",
}
_BODY_REASONS: Final[dict[_Why, UnavailableReason]] = {
    "failed": "body-read-failed",
    "timeout": "body-read-timeout",
    "cancelled": "cancelled",
}
_BODILESS_METHODS: Final = frozenset({"GET", "HEAD"})
"""Methods whose requests a page cannot give a body (Fetch standard, section 5.4, step 35)."""
_PREFETCH_TYPES: Final = frozenset({"other", "prefetch"})
"""What the driver calls prefetches, and little else."""
_NO_CONTENT: Final = 204
"""The status whose responses have no content, whatever their headers say (RFC 9110 section 15.3.5)."""
CANCEL_TIMEOUT_SECONDS: Final = 2.0
"""How long cancelled reads may take to end; each only has to record that it was cancelled."""


@dataclass(frozen=True, slots=True)
class _NotRead:
    why: _Why
    message: str


_WAS_CANCELLED: Final = _NotRead("cancelled", "The capture was cancelled before this was read.")

_UNANSWERED: Final = HeadersNotRead(
    "capture-ended",
    "The browser states which headers a request was sent with once something has come of it, "
    "and the capture ended before that.",
)


class ContentReads:
    """The content reads of one capture: at most ``MAX_SIMULTANEOUS_NETWORK_READS`` under way."""

    def __init__(self, recorder: EventRecorder, read_timeout_ms: int = NETWORK_READ_TIMEOUT_MS) -> None:
        self._recorder = recorder
        self._network = recorder.network
        self._wanted = recorder.network.wanted
        self._timeout_ms = read_timeout_ms
        self._unread_requests: dict[Request, None] = {}
        self._open_responses: dict[Request, Response] = {}
        self._queue: deque[_Job] = deque()
        self._readers: set[asyncio.Task[None]] = set()
        self._reading = 0
        self._cancelled = asyncio.Event()

    # What the network listener reports.

    def request_sent(self, request: Request) -> None:
        """A request was recorded: read its content now when that takes no waiting, else later."""
        if not self._network.wants_content(request, "request"):
            return
        if self._wanted.header_values or self._may_hide_body(request):
            self._unread_requests[request] = None
        else:
            self._network.content(request, "request", headers=None, body=_request_body(request, None))

    def response_arrived(self, request: Request, response: Response) -> None:
        """A response was recorded."""
        self._read_request(request)
        if self._network.wants_content(request, "response"):
            self._open_responses[request] = response

    def request_ended(self, request: Request, failure: str | None) -> None:
        """A request finished or, with a ``failure``, failed."""
        self._read_request(request)
        response = self._open_responses.pop(request, None)
        if response is None:
            return
        failed = None if failure is None else BodyNotRead("request-failed", f"The request failed: {failure}")
        self._admit(partial(self._response_job, request, response, failed))

    # What the observer asks.

    def end(self) -> None:
        """Observation has ended: admit what is left to read of requests and responses under way."""
        for request in self._unread_requests:
            self._record_request(request, _UNANSWERED)
        self._unread_requests.clear()
        unfinished = BodyNotRead(
            "response-unfinished", "The response was not complete when the capture ended."
        )
        for request, response in self._open_responses.items():
            self._admit(partial(self._response_job, request, response, unfinished))
        self._open_responses.clear()

    async def drain(self) -> None:
        """Wait until everything admitted is read."""
        while self._readers:
            await asyncio.wait(self._readers)

    async def cancel(self) -> None:
        """End active and queued reads; each is recorded as cancelled."""
        self._cancelled.set()
        for reader in self._readers:
            reader.cancel()
        if self._readers:
            await asyncio.wait(self._readers, timeout=CANCEL_TIMEOUT_SECONDS)
        await self._work_off()  # what readers left that were cancelled before they began

    # Jobs.

    def _read_request(self, request: Request) -> None:
        if request in self._unread_requests:
            del self._unread_requests[request]
            self._admit(partial(self._request_job, request))

    def _admit(self, job: _Job) -> None:
        self._queue.append(job)
        if self._reading < MAX_SIMULTANEOUS_NETWORK_READS:
            self._reading += 1
            reader = asyncio.get_running_loop().create_task(self._reader())
            self._readers.add(reader)
            reader.add_done_callback(self._readers.discard)

    async def _reader(self) -> None:
        try:
            await self._work_off()
        finally:
            # Here and not when the task is found done: a job admitted in between needs a reader.
            self._reading -= 1

    async def _work_off(self) -> None:
        while self._queue:
            job = self._queue.popleft()
            try:
                await job()
            except Exception as error:
                self._recorder.fault("network content", error)

    async def _request_job(self, request: Request) -> None:
        self._record_request(request, await self._headers(request.headers_array))

    def _record_request(self, request: Request, headers: HeadersReading) -> None:
        body = _request_body(request, headers) if self._wanted.request_body else None
        kept = headers if self._wanted.header_values else None
        self._network.content(request, "request", headers=kept, body=body)

    async def _response_job(self, request: Request, response: Response, failed: BodyNotRead | None) -> None:
        headers = await self._headers(response.headers_array) if self._wanted.header_values else None
        body: BodyReading = None
        if self._wanted.response_body:
            body = failed or await self._response_body(response)
            await self._tell_of_second_load(request, response, body)
        self._network.content(request, "response", headers=headers, body=body)

    def _may_hide_body(self, request: Request) -> bool:
        return (
            self._wanted.request_body
            and request.method.upper() not in _BODILESS_METHODS
            and request.post_data_buffer is None
        )

    # Reads.

    async def _headers(self, read: Callable[[], Awaitable[list[Any]]]) -> HeadersReading:
        items = await self._attempt(read, "header values")
        if isinstance(items, _NotRead):
            return HeadersNotRead(_HEADERS_REASONS[items.why], items.message)
        return [(item["name"], item["value"]) for item in items]

    async def _response_body(self, response: Response) -> BodyReading:
        status = response.status
        if 300 <= status <= 399:
            # The driver refuses these in any case.
            return BodyNotRead("body-read-failed", f"The browser exposes no body of a response {status}.")
        data = await self._attempt(response.body, "body")
        if isinstance(data, _NotRead) and data.why == "failed" and status == _NO_CONTENT:
            data = b""  # there is none to be found, unless the page itself looked for it
        if isinstance(data, _NotRead):
            return BodyNotRead(_BODY_REASONS[data.why], data.message)
        headers = response.headers
        if not data and empty_though_declared(headers):
            return BodyNotRead(
                "body-read-failed", "The browser gave an empty body for a response that declares a length."
            )
        return BodyRead(data, headers.get("content-type"))

    async def _tell_of_second_load(self, request: Request, response: Response, body: BodyReading) -> None:
        """The browser keeps no body of a prefetch, so that one which was read was loaded to be read."""
        if not isinstance(body, BodyRead) or not body.data or request.resource_type not in _PREFETCH_TYPES:
            return
        headers = await self._attempt(request.all_headers, "header values")
        if not isinstance(headers, _NotRead) and headers.get("sec-purpose", "").startswith("prefetch"):
            self._recorder.state(
                "The browser keeps no body of a prefetch, so the capture had it loaded once more, with "
                f"credentials, and holds the body of that second answer: {response.url}"
            )

    async def _attempt(self, read: Callable[[], Awaitable[_T]], what: str) -> _T | _NotRead:
        """One read from the browser, within its time and unless the capture is cancelled."""
        if self._cancelled.is_set():
            return _WAS_CANCELLED
        task = asyncio.ensure_future(read())
        try:
            done, _ = await asyncio.wait({task}, timeout=self._timeout_ms / 1000)
        except asyncio.CancelledError:
            _abandon(task)
            if not self._cancelled.is_set():
                raise
            return _WAS_CANCELLED
        if not done:
            _abandon(task)
            return _NotRead("timeout", f"The browser did not give the {what} within {self._timeout_ms} ms.")
        try:
            return task.result()
        except Error as error:
            return _NotRead("failed", reason_of(error))


def _abandon(task: asyncio.Future[Any]) -> None:
    """Let a read go on unheard. Cancelled, it would leave the driver's part of it to complain later."""
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())


def _request_body(request: Request, headers: HeadersReading) -> BodyReading:
    """What the browser exposes of a request's body; ``headers`` as sent, if they were read."""
    data = request.post_data_buffer
    if data is not None:
        return BodyRead(data, request.headers.get("content-type"))
    if request.method.upper() in _BODILESS_METHODS:
        return BodyNotExposed(declared=False)
    return BodyNotExposed(declared=declares_body(headers))
