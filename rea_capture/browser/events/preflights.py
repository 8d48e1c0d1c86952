"""CORS preflights: the driver reports none, so a capture with a request that one is due to says so.

The browser's network layer sends an ``OPTIONS`` request of its own before some cross-origin requests,
or remembers what the server answered to an earlier one. Which of the two it did shows nowhere, and
must not, by chance, decide whether a capture is complete. So what counts is the request behind it.

    1. A request to which a preflight would be due, were it cross-origin, is remembered (``cors``).
    2. Once something has come of it, its headers as sent tell: a cross-origin request states an
       ``Origin`` that is not the one it goes to.
    3. One that never left the browser, perhaps refused by its preflight, is judged by its document.

Below: playwright, ``cors``, ``capture.recorder``. Above: ``network``, ``observer``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from playwright.async_api import Error, Frame, Request

from rea_capture.browser.events.cors import Preflight, preflight_of
from rea_capture.browser.events.reported import Reported
from rea_capture.capture.recorder import EventRecorder
from rea_capture.limits import MAX_SIMULTANEOUS_NETWORK_READS, NETWORK_READ_TIMEOUT_MS

PREFLIGHT_LIMITATION: Final = (
    "Cross-origin requests were sent for which the browser asks permission first, with a CORS preflight "
    "(an OPTIONS request) unless it remembers an earlier answer; the driver does not report preflights, so "
    "they are not in the events."
)
POSSIBLE_PREFLIGHT_LIMITATION: Final = (
    "Cross-origin XMLHttpRequests sent a body, or fetches a stream: whether the browser asked for permission "
    "first, with a CORS preflight (an OPTIONS request), does not show; if it did, that is not in the events."
)
_SENTENCES: Final = {
    Preflight.ALWAYS: PREFLIGHT_LIMITATION,
    Preflight.POSSIBLE: POSSIBLE_PREFLIGHT_LIMITATION,
}
_WEB: Final = frozenset({"http", "https"})
_SENT_NAMES: Final = frozenset({"host", ":authority"})
"""Headers that only a request on the wire has."""
_REFUSED: Final = "net::ERR_FAILED"
"""How Chromium reports a request that its preflight did not allow, among others."""
_INHERITS: Final = ("about:", "blob:")
"""Addresses of documents whose origin is that of whoever made them."""


class PreflightWatch:
    """Tells the recorder of requests of which a preflight may have been missed."""

    def __init__(self, recorder: EventRecorder, reported: Reported) -> None:
        self._recorder = recorder
        self._reported = reported
        self._open: dict[Request, Preflight] = {}
        self._reading = asyncio.Semaphore(MAX_SIMULTANEOUS_NETWORK_READS)
        self._tasks: set[asyncio.Task[None]] = set()

    def sent(self, request: Request, headers: Mapping[str, str]) -> None:
        """A request was recorded; ``headers`` are those its page made it with."""
        due = preflight_of(request.method, request.resource_type, headers)
        if due is not Preflight.NEVER and _origin(request.url) is not None:
            self._open[request] = due

    def came_of(self, request: Request) -> None:
        """A response to ``request`` was recorded, or its end."""
        due = self._open.pop(request, None)
        if due is not None:
            task = asyncio.get_running_loop().create_task(self._judge(request, due))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        """Observation has ended: judge requests of which nothing has come by their documents."""
        for request, due in self._open.items():
            self._state(request, due, _seems_cross_origin(request))
        self._open.clear()

    async def drain(self) -> None:
        """Wait until every request that something came of is judged; each is bounded in time."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def cancel(self) -> None:
        """Judge nothing any more; what is not known by now stays so."""
        for task in self._tasks:
            task.cancel()

    async def _judge(self, request: Request, due: Preflight) -> None:
        try:
            async with self._reading, asyncio.timeout(NETWORK_READ_TIMEOUT_MS / 1000):
                headers = await request.all_headers()
        except (Error, TimeoutError):
            headers = {}
        try:
            self._state(request, due, _was_cross_origin(request, due, headers))
        except Exception as error:
            self._recorder.fault("a request", error)

    def _state(self, request: Request, due: Preflight, cross_origin: bool) -> None:
        if cross_origin:
            self._recorder.network.miss_beside(request)
            self._recorder.state(_SENTENCES[due])
            self._reported.explains_preflights = True


def _was_cross_origin(request: Request, due: Preflight, headers: Mapping[str, str]) -> bool:
    """Whether ``request``, of which something has come, was one to ask permission for."""
    if not headers.keys() & _SENT_NAMES:
        return _seems_cross_origin(request) or (request.failure or "").startswith(_REFUSED)
    if due is Preflight.POSSIBLE and request.resource_type == "fetch" and "content-length" in headers:
        return False  # the length of a stream is not known
    stated = headers.get("origin")
    return stated is not None and stated != _origin(request.url)


def _seems_cross_origin(request: Request) -> bool:
    """Whether a request goes to another origin than that of its document, or came from one."""
    origin, hop = _origin(request.url), request.redirected_from
    while hop is not None:
        if _origin(hop.url) != origin:
            return True
        hop = hop.redirected_from
    return _origin(_maker(request)) != origin


def _maker(request: Request) -> str:
    """Address of what sent ``request``; of a frame without an address of its own, its parent's."""
    if request.service_worker is not None:
        return request.service_worker.url
    try:
        frame: Frame | None = request.frame
    except Error:  # of a popup that is not known yet
        return ""
    while frame is not None and frame.parent_frame is not None and frame.url.startswith(_INHERITS):
        frame = frame.parent_frame
    return "" if frame is None else frame.url


def _origin(url: str) -> str | None:
    """The origin of an HTTP address as headers state it, or None for any other."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.scheme in _WEB else None
