"""What a step set off and what is still under way of it: requests, documents, popups, workers, sockets.

A click sends a request, and the page says something when the answer comes. How long that takes is up to
the network and to how busy the machine is, and were a step to end meanwhile, what the page says would
belong to it, or to the next, by chance. So a step waits, for a bounded time, until what it set off has
been answered. That promises nothing about timers, streams and whatever else a page does later.

Whatever is selected, a step waits for the same: what is looked at must not change what is seen.

Below: playwright, ``events.listening``. Above: ``driver``, ``session``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from playwright.async_api import BrowserContext, Error, Frame, Page, Request, WebSocket, Worker

from rea_capture.browser.events.listening import Listening
from rea_capture.capture.recorder import EventRecorder
from rea_capture.limits import MAX_LISTENER_OWNERS

QUIET_TIMEOUT_MS: Final = 1_000
"""How long a step waits for what it set off. Local answers take milliseconds, and tenths of a second on
a machine with more to do than it can; a stream or long poll costs this once, in the step that opens it."""

MAX_UNDER_WAY: Final = 64
"""Documents, and workers, of one step that are asked whether they are done."""

_ONE_TASK: Final = """() => new Promise(done => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); done(); };
  channel.port2.postMessage(0);
})"""
"""Done when the worker has run what it was running. Not a timer, which a page may have replaced."""


class UnderWay:
    """What the current step set off on a page and its popups."""

    def __init__(self, recorder: EventRecorder) -> None:
        self._listening = Listening(recorder)
        self._unanswered: set[object] = set()
        self._answered = asyncio.Event()
        self._documents: set[Frame] = set()
        self._workers: set[Worker] = set()
        self._silent_workers: set[Worker] = set()
        self._page: Page | None = None
        self.set_off_count = 0
        """How much was set off so far, answered or not; it never goes down."""

    def attach(self, context: BrowserContext, page: Page) -> None:
        """Listen to ``page``, which has not been navigated yet, and to every popup."""
        on = self._listening.on
        on(context, "request", "a request", self._requested)
        on(context, "requestfinished", "the end of a request", self._ended)
        on(context, "requestfailed", "the failure of a request", self._ended)
        on(context, "page", "a popup", self._popup)
        self._page = page
        self._follow(page)

    def begin_step(self) -> None:
        """From now on only what is set off from now on counts: a stream is waited for once."""
        self._unanswered.clear()
        self._documents.clear()
        self._workers.clear()
        self._answered.set()

    def detach(self) -> None:
        """Listen no more."""
        self._listening.stop()

    async def quiet(self, settle: Callable[[], Awaitable[None]], gone: asyncio.Future[Any]) -> None:
        """Wait until nothing is under way, for at most ``QUIET_TIMEOUT_MS``; at once when nothing is.

        ``settle`` brings home what the page does with an answer, and is awaited after each wait;
        ``gone`` is done when the page is lost. Never raises.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + QUIET_TIMEOUT_MS / 1000
        self._ask_workers()
        while self._is_busy() and not gone.done() and (left := end - loop.time()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await asyncio.gather(self._answered.wait(), self._loaded(left), self._idle_workers())
            await settle()

    def _is_busy(self) -> bool:
        return bool(self._unanswered or self._documents or self._workers)

    async def _loaded(self, left_s: float) -> None:
        frames, self._documents = self._documents, set()
        await _all(frame.wait_for_load_state("load", timeout=left_s * 1000) for frame in frames)

    def _ask_workers(self) -> None:
        """The page may have sent any of its workers a message; one that is always busy is asked once."""
        running = () if self._page is None else self._page.workers[:MAX_UNDER_WAY]
        self._workers.update(worker for worker in running if worker not in self._silent_workers)

    async def _idle_workers(self) -> None:
        workers, self._workers = self._workers, set()
        await _all(self._idle(worker) for worker in workers)

    async def _idle(self, worker: Worker) -> None:
        if len(self._silent_workers) < MAX_LISTENER_OWNERS:
            self._silent_workers.add(worker)
        await worker.evaluate(_ONE_TASK)
        self._silent_workers.discard(worker)

    def _follow(self, page: Page) -> None:
        on = self._listening.on
        on(page, "framenavigated", "the navigation of a frame", self._navigated)
        on(page, "load", "the load event of a page", self._arrived)
        on(page, "worker", "a worker", self._started)
        on(page, "websocket", "a WebSocket", self._opened)

    def _requested(self, request: Request) -> None:
        self._wait_for(request)
        if request.is_navigation_request() and _has_no_page_yet(request):
            self._wait_for("popup")

    def _ended(self, request: Request) -> None:
        self._no_longer(request)

    def _popup(self, page: Page) -> None:
        self._no_longer("popup")
        if self._listening.has_room():
            self._follow(page)
            self._listening.on(page, "close", "the end of a popup", self._listening.release)
            self._navigated(page.main_frame)

    def _arrived(self, page: Page) -> None:
        self._documents.discard(page.main_frame)

    def _navigated(self, frame: Frame) -> None:
        self.set_off_count += 1
        if len(self._documents) < MAX_UNDER_WAY:
            self._documents.add(frame)

    def _started(self, worker: Worker) -> None:
        self.set_off_count += 1
        if len(self._workers) < MAX_UNDER_WAY:
            self._workers.add(worker)

    def _opened(self, socket: WebSocket) -> None:
        """A socket is waited for until its server has said something; most greet or answer."""
        if not self._listening.has_room():
            return

        def heard(_: object) -> None:
            self._no_longer(socket)

        def closed(_: object) -> None:
            self._no_longer(socket)
            self._listening.release(socket)

        self._wait_for(socket)
        self._listening.on(socket, "framereceived", "a WebSocket message", heard)
        self._listening.on(socket, "close", "the end of a WebSocket", closed)

    def _wait_for(self, what: object) -> None:
        self.set_off_count += 1
        self._unanswered.add(what)
        self._answered.clear()

    def _no_longer(self, what: object) -> None:
        self._unanswered.discard(what)
        if not self._unanswered:
            self._answered.set()


def _has_no_page_yet(request: Request) -> bool:
    try:
        return request.frame is None
    except Error:  # how the driver says it
        return True


async def _all(waits: Iterable[Awaitable[Any]]) -> None:
    """Every one of ``waits``; a frame or worker that is gone meanwhile is done."""
    await asyncio.gather(*waits, return_exceptions=True)
