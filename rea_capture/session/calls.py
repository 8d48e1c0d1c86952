"""The calls of one session: one at a time, in order, until it is closed.

Closing waits for no call: what is under way is cancelled and ends with ``session_closed``, and so does what
waits for its turn.

Below: ``transport.protocol``. Above: ``runtime``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import TEARDOWN_MS
from rea_capture.contracts.runtime.errors import BrowserOperationError, MutationState
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.operation_table import maybe_changed
from rea_capture.contracts.runtime.operations import BrowserOperation, CloseOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import CloseResult, OperationResult
from rea_capture.session.transport.protocol import BrowserTransport

CLOSE_ANSWER_MS: Final = TEARDOWN_MS + 4_000
"""A session's whole way out, and some time for the worker to say so."""

_OVER: Final = frozenset({"session_closed", "session_expired", "unknown_session"})
"""Errors of closing that say that there is nothing left to close."""


class SessionCalls:
    """Calls to the session ``session_id`` of ``transport``, which is closed with it where it ``is_own``."""

    def __init__(self, transport: BrowserTransport, session_id: str, *, is_own: bool) -> None:
        self.turn: Final = asyncio.Lock()
        self._transport = transport
        self._session_id = session_id
        self._is_own = is_own
        self._under_way: set[asyncio.Task[OperationResult]] = set()
        self._closing: asyncio.Task[CloseResult] | None = None

    @property
    def is_closed(self) -> bool:
        """Whether closing has begun."""
        return self._closing is not None

    def begin(
        self, operation: BrowserOperation, context: OperationContext | None
    ) -> asyncio.Task[OperationResult]:
        """Start ``operation``. Raises with ``session_closed`` when that is too late."""
        if self._closing is not None:
            raise _closed(operation.op, "not_attempted")
        coroutine: Any = self._transport.dispatch(self._session_id, operation, context)
        call: asyncio.Task[OperationResult] = asyncio.ensure_future(coroutine)
        self._under_way.add(call)
        call.add_done_callback(self._over)
        return call

    async def result(self, operation: BrowserOperation, context: OperationContext | None) -> OperationResult:
        """The result of ``operation``. When the caller is cancelled, it is over before this ends."""
        call = self.begin(operation, context)
        try:
            return await call
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._closing is None or (task is not None and task.cancelling()):
                raise
        raise _closed(operation.op, maybe_changed(operation.op))

    async def close(self) -> CloseResult:
        """End the session: all at once, once, and also when the caller is cancelled. Never raises."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        return await finished(asyncio.shield(self._closing))

    def _over(self, call: asyncio.Task[OperationResult]) -> None:
        self._under_way.discard(call)
        if not call.cancelled():
            call.exception()  # looked at, so that one that nobody waits for any more is not reported

    async def _close(self) -> CloseResult:
        await self._cancel_all()
        problems = await self._close_session()
        if self._is_own:
            with suppress(BrowserOperationError):  # it says how the worker ended, which was to end
                await self._transport.close()
        return CloseResult(problems=problems)

    async def _cancel_all(self) -> None:
        calls = tuple(self._under_way)
        for call in calls:
            call.cancel()
        if calls:
            await asyncio.wait(calls, timeout=TEARDOWN_MS / 1000)

    async def _close_session(self) -> tuple[str, ...]:
        operation = CloseOperation(op="close")
        coroutine: Any = self._transport.dispatch(self._session_id, operation)
        call: asyncio.Task[OperationResult] = asyncio.ensure_future(coroutine)
        call.add_done_callback(self._over)
        await asyncio.wait({call}, timeout=CLOSE_ANSWER_MS / 1000)
        if not call.done():
            call.cancel()
            return (f"The worker did not close the session within {CLOSE_ANSWER_MS:,} ms.",)
        error = asyncio.CancelledError() if call.cancelled() else call.exception()
        if error is None:
            result = call.result()
            return result.problems if isinstance(result, CloseResult) else ()
        if isinstance(error, BrowserOperationError):
            return () if error.details.code in _OVER else (error.details.message,)
        return (f"The session could not be closed: {type(error).__name__}.",)


def _closed(op: str, mutation_state: MutationState) -> BrowserOperationError:
    said = "the session is closed" if mutation_state == "not_attempted" else "the session was closed"
    return failure(op, "shutdown", "session_closed", said, mutation_state)
