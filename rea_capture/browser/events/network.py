"""Requests and their outcomes, as the browser context reports them.

The context hears of a popup's first requests before anybody else does, and of each request once.

Below: ``listening``, ``content_reads``, ``preflights``, ``capture.recorder``. Above: ``observer``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from playwright.async_api import BrowserContext, Error, Page, Request, Response

from rea_capture.browser.events.content_reads import ContentReads
from rea_capture.browser.events.listening import Listening
from rea_capture.browser.events.preflights import PreflightWatch
from rea_capture.browser.events.reported import Reported
from rea_capture.browser.events.viewer import VIEWER_LIMITATION, is_of_viewer
from rea_capture.capture.recorder import EventRecorder

MAX_REMEMBERED_URLS: Final = 16_384
"""URLs remembered to tell whether the request of a download was seen."""


class NetworkListener:
    """Records network events and hands completed transactions to the content reads.

    ``belongs`` is asked for the page of each request in a context that is shared with others; None
    means that the whole context is ours.
    """

    def __init__(
        self, recorder: EventRecorder, reads: ContentReads, belongs: Callable[[Page | None], bool] | None
    ) -> None:
        self._network = recorder.network
        self._state = recorder.state
        self._selected = "network" in recorder.families
        self._reads = reads
        self.reported = Reported()
        self._preflights = PreflightWatch(recorder, self.reported)
        self._belongs = belongs
        self._idle = asyncio.Event()
        self._idle.set()
        self._urls: set[str] = set()

    def attach(self, context: BrowserContext, listening: Listening) -> None:
        """Listen, if the family is selected."""
        if self._selected:
            listening.on(context, "request", "a request", self._request)
            listening.on(context, "response", "a response", self._response)
            listening.on(context, "requestfinished", "the end of a request", self._finished)
            listening.on(context, "requestfailed", "the failure of a request", self._failed)

    def was_requested(self, url: str) -> bool:
        """Whether ``url`` was requested, as far as is remembered, or requests are not recorded."""
        return not self._selected or len(self._urls) >= MAX_REMEMBERED_URLS or url in self._urls

    async def settle(self, grace_ms: int) -> None:
        """Wait until no request is under way, but not longer than ``grace_ms``."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), grace_ms / 1000)

    def end(self) -> None:
        """Observation has ended."""
        self._preflights.end()

    async def drain(self) -> None:
        """Wait until what was recorded is judged, which takes a bounded time."""
        await self._preflights.drain()

    def cancel(self) -> None:
        """Judge nothing any more."""
        self._preflights.cancel()

    def _request(self, request: Request) -> None:
        if self._is_foreign(request):
            return
        headers = request.headers
        self._network.request(
            request,
            method=request.method,
            url=request.url,
            resource_type=request.resource_type,
            header_names=headers,
            redirected_from=request.redirected_from,
        )
        self.reported.add(request.method, request.url)
        if len(self._urls) < MAX_REMEMBERED_URLS:
            self._urls.add(request.url)
        self._idle.clear()
        self._reads.request_sent(request)
        self._preflights.sent(request, headers)

    def _response(self, response: Response) -> None:
        request = response.request
        if self._is_known(request):
            self._network.response(request, status=response.status, header_names=response.headers)
            self._reads.response_arrived(request, response)
            self._preflights.came_of(request)

    def _finished(self, request: Request) -> None:
        if self._is_known(request):
            self._network.finished(request)
            self._ended(request, None)

    def _failed(self, request: Request) -> None:
        if self._is_known(request):
            failure = request.failure or "unknown failure"
            self._network.failed(request, failure)
            self._ended(request, failure)

    def _ended(self, request: Request, failure: str | None) -> None:
        if self._network.is_idle():
            self._idle.set()
        self._reads.request_ended(request, failure)
        self._preflights.came_of(request)

    def _is_known(self, request: Request) -> bool:
        """Whether the outcome of ``request`` is to be recorded, though its sending was perhaps not."""
        if self._network.knows(request):
            return True
        if self._is_foreign(request):
            return False
        self._network.adopt(
            request,
            method=request.method,
            url=request.url,
            resource_type=request.resource_type,
            header_names=request.headers,
        )
        self.reported.add(request.method, request.url)
        return True

    def _is_foreign(self, request: Request) -> bool:
        if is_of_viewer(request.url):
            self._state(VIEWER_LIMITATION)
            return True
        if self._belongs is None:
            return False
        try:
            return not self._belongs(request.frame.page)
        except Error:
            return True  # no frame yet: in a shared context it cannot be attributed
