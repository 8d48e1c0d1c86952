"""What every way to a worker has in common: ids, lines, deadlines, cancellation, the words of failures.

A way sends lines and hands in those that come back. Calls of one session wait here for each other, so that
the time of a call begins when the worker has it; the worker keeps the same order for those who speak to it
themselves.

Below: ``answers``, ``worker.deadlines``. Above: ``memory``, ``process``.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, NoReturn, cast

import orjson

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserOperationError, MutationState
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.frames import OpenRequest, OpenResult
from rea_capture.contracts.runtime.operation_table import maybe_changed
from rea_capture.contracts.runtime.operations import BrowserOperation, CloseOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import OperationResult
from rea_capture.session.transport.answers import BadAnswerError, answered_id, result_in
from rea_capture.session.worker.deadlines import CLOSE_MS, OPEN_MS, whole_ms

TRANSPORT_GRACE_MS: Final = 5_000
"""On top of what the worker may take, for the way there and back on a busy machine."""

CANCEL_MS: Final = 2 * CLOSE_MS + TRANSPORT_GRACE_MS
"""Until a cancelled operation has to be over; a worker that takes longer is ended."""

CLOSED: Final = "it was closed"


@dataclass(eq=False)
class _Asked:
    """A line that was sent, until its answer is there."""

    op: str
    answer: asyncio.Future[bytes]


class FramedTransport(ABC):
    """A :class:`BrowserTransport` on lines. It lives in the event loop that it is used in."""

    def __init__(self) -> None:
        self._ids = count(1)
        self._asked: dict[str, _Asked] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._gone: str | None = None

    async def open(self, request: OpenRequest) -> OpenResult:
        """A new session. Raises :class:`BrowserOperationError`."""
        body = {"op": "open", "request": request.wire()}
        result = await self._call(body, OPEN_MS + 2 * CLOSE_MS + TRANSPORT_GRACE_MS)
        return cast("OpenResult", result)

    async def dispatch(
        self, session_id: str, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        """The result of ``operation``. Raises :class:`BrowserOperationError`."""
        body = {"sessionId": session_id, **operation.wire()}
        if context is not None:
            body["context"] = context.wire()
        turn = self._turns.setdefault(session_id, asyncio.Lock())
        try:
            async with turn:
                result = await self._call(body, whole_ms(operation) + TRANSPORT_GRACE_MS)
        finally:
            if operation.op == "close":
                self._turns.pop(session_id, None)
        return cast("OperationResult", result)

    @abstractmethod
    async def close(self) -> None:
        """End the worker and every session of it. Once done, calling it again does nothing."""

    @abstractmethod
    async def _ready(self) -> None:
        """Have a worker. Raises :class:`BrowserOperationError` where there is none to be had."""

    @abstractmethod
    def _send(self, line: bytes) -> None:
        """Pass on ``line``, without waiting until it is taken."""

    @abstractmethod
    async def _give_up(self) -> None:
        """End a worker that does not keep its word, at once."""

    def _received(self, line: bytes) -> bool:
        """Take an answer; whether it is one to something that was asked."""
        try:
            asked = self._asked.get(answered_id(line))
        except BadAnswerError:
            return False
        if asked is None:
            return False
        if not asked.answer.done():
            asked.answer.set_result(line)
        return True

    def _lost(self, reason: str) -> None:
        """From now on nothing is answered, because of ``reason``; what was asked is told so."""
        self._gone = self._gone or reason
        for asked in self._asked.values():
            if not asked.answer.done():
                asked.answer.set_exception(_worker_gone(asked.op, self._gone, maybe_changed(asked.op)))

    async def _call(self, body: Mapping[str, Any], ms: int) -> RuntimeModel:
        op = str(body["op"])
        await self._ready()
        if self._gone is not None:
            raise _worker_gone(op, self._gone, "not_attempted")
        frame_id = str(next(self._ids))
        asked = self._asked[frame_id] = _Asked(op, asyncio.get_running_loop().create_future())
        try:
            line = await self._answer_to(frame_id, asked, body, ms)
            return result_in(line, op)
        except BadAnswerError:
            await self._give_up()
            said = "the worker's answer is not one to what was asked"
            raise failure(op, "transport", "defect", said, maybe_changed(op)) from None
        finally:
            del self._asked[frame_id]
            if asked.answer.done() and not asked.answer.cancelled():
                asked.answer.exception()  # looked at, so that the loop does not report it as forgotten

    async def _answer_to(self, frame_id: str, asked: _Asked, body: Mapping[str, Any], ms: int) -> bytes:
        try:
            self._send(_line({"id": frame_id, **body}))
            await asyncio.wait({asked.answer}, timeout=ms / 1000)
        except asyncio.CancelledError:
            await finished(self._cancelled(frame_id, asked))
            raise
        if not asked.answer.done():
            await self._hung(asked, ms)
        return asked.answer.result()

    async def _cancelled(self, frame_id: str, asked: _Asked) -> None:
        """Have the worker cancel ``asked``, and wait until it has."""
        if self._gone is not None:  # it is closing, which cancels everything, or nothing is to be waited for
            await asyncio.wait({asked.answer}, timeout=CANCEL_MS / 1000)
            return
        other = str(next(self._ids))
        cancelling = self._asked[other] = _Asked("cancel", asyncio.get_running_loop().create_future())
        try:
            self._send(_line({"id": other, "op": "cancel", "request": {"id": frame_id}}))
            await asyncio.wait({asked.answer}, timeout=CANCEL_MS / 1000)
            if asked.answer.done():
                await asyncio.wait({cancelling.answer}, timeout=CANCEL_MS / 1000)
            else:
                await self._give_up()
        finally:
            del self._asked[other]
            if cancelling.answer.done():
                cancelling.answer.exception()  # looked at, as above
        if asked.op == "open":
            await self._closed_unseen(asked)

    async def _closed_unseen(self, asked: _Asked) -> None:
        """Close a session that was open before it could be cancelled, and that nobody will ever know of."""
        with suppress(BrowserOperationError, BadAnswerError, asyncio.InvalidStateError):
            opened = result_in(asked.answer.result(), "open")
            if isinstance(opened, OpenResult):
                await self.dispatch(opened.session_id, CloseOperation(op="close"))

    async def _hung(self, asked: _Asked, ms: int) -> NoReturn:
        await finished(self._give_up())
        said = f"it did not answer within {ms:,} ms, and was ended"
        raise _worker_gone(asked.op, said, maybe_changed(asked.op))


def _line(document: Mapping[str, Any]) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)


def _worker_gone(op: str, reason: str, mutation_state: MutationState) -> BrowserOperationError:
    return failure(op, "transport", "worker_gone", f"the worker is gone: {reason}", mutation_state)
