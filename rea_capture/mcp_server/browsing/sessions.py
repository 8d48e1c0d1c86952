"""The browser sessions of one server: opened under an opaque id, closed when a client says so, when nobody
has asked them anything for long, and with the server.

Each has a worker of its own, so that what happens to one is no other's affair.

Below: ``session.runtime``. Above: ``tools``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.frames import OpenResult
from rea_capture.contracts.runtime.operations import BrowserOperation, CloseOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import CloseResult, OperationResult
from rea_capture.mcp_server.limits import MAX_BROWSER_SESSIONS, MAX_IDLE_BROWSER_S, MAX_REMEMBERED_SESSIONS
from rea_capture.session.runtime import BrowserRuntime


@dataclass(slots=True)
class _Kept:
    runtime: BrowserRuntime
    calls: int = 0
    timer: asyncio.TimerHandle | None = field(default=None, repr=False)


class BrowserSessions:
    """See the module. ``executable_path`` is the browser of calls that name none.

    ``idle_s`` is how many seconds a session is kept that is asked nothing.
    """

    def __init__(self, executable_path: str | None, idle_s: float = MAX_IDLE_BROWSER_S) -> None:
        self._executable_path: Final = executable_path
        self.idle_s: Final = idle_s
        self._kept: dict[str, _Kept] = {}
        self._opening: set[asyncio.Task[BrowserRuntime]] = set()
        self._closing: set[asyncio.Task[CloseResult]] = set()
        self._expired: deque[str] = deque(maxlen=MAX_REMEMBERED_SESSIONS)
        self._closed: deque[str] = deque(maxlen=MAX_REMEMBERED_SESSIONS)
        self._over = asyncio.Event()

    async def open(self, settings: Mapping[str, Any]) -> OpenResult:
        """A new session with ``settings``, as the wire has them. Raises :class:`BrowserOperationError`."""
        if self._over.is_set():
            raise _error("open", "session_closed", "the server is ending", "Start another server.")
        if len(self._kept) + len(self._opening) >= MAX_BROWSER_SESSIONS:
            raise _error(
                "open",
                "too_many",
                f"{MAX_BROWSER_SESSIONS} sessions are open (MAX_BROWSER_SESSIONS), each a browser of its own",
                "Close one with session_close, then open another.",
            )
        opening = asyncio.ensure_future(BrowserRuntime.open(self._with_executable(settings)))
        self._opening.add(opening)
        try:
            runtime = await opening
        finally:
            self._opening.discard(opening)
        if self._over.is_set():  # it came up in the very turn in which the server began to end
            await finished(runtime.close())
            raise _error("open", "session_closed", "the server is ending", "Start another server.")
        kept = _Kept(runtime)
        self._kept[runtime.session_id] = kept
        self._idle(runtime.session_id, kept)
        return runtime.opened

    async def dispatch(
        self, session_id: str, operation: BrowserOperation, context: OperationContext | None
    ) -> OperationResult:
        """The result of ``operation``. Raises :class:`BrowserOperationError`."""
        if isinstance(operation, CloseOperation) and session_id in self._closed:
            return CloseResult()  # once is as good as twice
        kept = self._find(session_id, operation.op)
        if isinstance(operation, CloseOperation):
            self._closed.append(session_id)
            return await finished(asyncio.shield(self._leave(session_id)))
        kept.calls += 1
        if kept.timer is not None:
            kept.timer.cancel()
        try:
            return await kept.runtime.dispatch(operation, context)
        except BrowserOperationError as error:
            if error.details.code in ("worker_gone", "session_closed") and session_id in self._kept:
                self._closed.append(session_id)
                self._leave(session_id)
            raise
        finally:
            kept.calls -= 1
            if kept.calls == 0 and session_id in self._kept:
                self._idle(session_id, kept)

    async def close(self) -> None:
        """End every session, those that are only being opened too."""
        self._over.set()
        for opening in self._opening:
            opening.cancel()
        for session_id in list(self._kept):
            self._leave(session_id)
        await asyncio.gather(*self._opening, *self._closing, return_exceptions=True)

    def _with_executable(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        browser = settings.get("browser") or {"mode": "launch"}
        said = {"executablePath", "product"} & browser.keys()
        if self._executable_path is None or browser.get("mode") != "launch" or said:
            return settings
        return {**settings, "browser": {**browser, "executablePath": self._executable_path}}

    def _find(self, session_id: str, op: str) -> _Kept:
        kept = self._kept.get(session_id)
        if kept is not None:
            return kept
        again = "Open another with session_open."
        if session_id in self._expired:
            gone = f"the session was closed after {self.idle_s:g} s without a call"
            raise _error(op, "session_expired", gone, again)
        if session_id in self._closed:
            raise _error(op, "session_closed", "the session is closed", again)
        raise _error(op, "unknown_session", "this server has no session of that id", again)

    def _idle(self, session_id: str, kept: _Kept) -> None:
        kept.timer = asyncio.get_running_loop().call_later(self.idle_s, self._expire, session_id)

    def _expire(self, session_id: str) -> None:
        if session_id in self._kept:
            self._expired.append(session_id)
            self._leave(session_id)

    def _leave(self, session_id: str) -> asyncio.Task[CloseResult]:
        kept = self._kept.pop(session_id)
        if kept.timer is not None:
            kept.timer.cancel()
        closing = asyncio.ensure_future(kept.runtime.close())
        self._closing.add(closing)
        forget: Callable[[asyncio.Task[CloseResult]], None] = self._closing.discard
        closing.add_done_callback(forget)
        return closing


def _error(op: str, code: Any, message: str, recovery: str) -> BrowserOperationError:
    return failure(op, "request", code, message, recovery=recovery)
