"""Sessions for whoever asks in lines: each line gets one answer, whatever it is.

    1. Lines are taken in order. What is no request, or one too many, is answered at once.
    2. Operations of one session run one after the other, in the order of their lines; sessions in parallel.
    3. A request that is cancelled is answered when it is over, with ``cancelled`` if it came to nothing.
    4. Closing cancels what is under way, waits for it, and ends every session.

Below: ``configuration``, ``session``, ``requests``, ``answers``. Above: ``serving``, the transport in memory.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.budgets import MAX_REQUESTS_UNDER_WAY, MAX_SESSIONS, REQUEST
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.frames import CancelResult, OpenRequest, OpenResult
from rea_capture.contracts.runtime.operations import CloseOperation
from rea_capture.contracts.runtime.results import CloseResult
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.errors import Fault, UnavailableError
from rea_capture.redaction import NO_SECRETS
from rea_capture.session.configuration import configuration_for
from rea_capture.session.worker.answers import error_line, result_line
from rea_capture.session.worker.attempt import Attempt
from rea_capture.session.worker.deadlines import OPEN_MS, StuckError, whatever_comes, within
from rea_capture.session.worker.live import Live
from rea_capture.session.worker.requests import BadLineError, CancelFrame, OpenFrame, Request, read_request
from rea_capture.session.worker.session import Session
from rea_capture.workflows.unforeseen import foreseen

OpenLive = Callable[[SessionSettings], Coroutine[Any, Any, Live]]
"""Opens a session. Raises :class:`BrowserOperationError`, and leaves nothing when it is cancelled."""

MAX_REMEMBERED_SESSIONS: Final = 1_000
"""Closed sessions that are still told from those that never were; the oldest are forgotten first."""

SESSION_ID_BYTES: Final = 16
"""Nobody guesses a session's id."""


@dataclass(eq=False)
class _UnderWay:
    """A request between its line and its answer."""

    request: Request
    answer: asyncio.Future[bytes] = field(init=False)
    attempt: Attempt = field(init=False)
    is_running: bool = False
    is_unwanted: bool = False
    was_cancelled: bool = False

    def __post_init__(self) -> None:
        self.attempt = Attempt(self.request.op)

    def cancel(self) -> None:
        """Have it end; it is over when its answer is there."""
        if not self.is_unwanted:
            self.is_unwanted = True
            if self.is_running:
                self.answer.cancel()


class Worker:
    """See the module. Credentials and configuration are looked for in ``environ`` and, as files, from
    ``folder`` on.

    It lives in the event loop that it is used in.
    """

    def __init__(self, open_live: OpenLive, *, environ: Mapping[str, str], folder: Path | str) -> None:
        self._open_live = open_live
        self._environ = environ
        self._folder = Path(folder)
        self._sessions: dict[str, Session] = {}
        self._opening = 0
        self._closed: dict[str, None] = {}
        self._under_way: dict[str, _UnderWay] = {}
        self._closing: asyncio.Task[None] | None = None

    def take(self, line: bytes | None) -> asyncio.Future[bytes] | None:
        """The answer to ``line`` (None: one that was too long), as a line; None where none is due.

        It comes whether or not anybody waits for it. To have it end early, ask for that with ``cancel``.
        """
        if line is not None and not line.strip():
            return None
        try:
            request = read_request(line)
        except BadLineError as bad:
            # An answer to an id that is under way would be taken for that of the other request.
            return _at_once(error_line(None if bad.id in self._under_way else bad.id, bad.details))
        except Exception as error:  # a defect of reading is no reason to end what is under way
            return _at_once(
                error_line(None, failure(None, "request", "defect", foreseen(error).message).details)
            )
        if request.id in self._under_way:
            said = f"a request with the id {request.id!r} is under way; ids are used once at a time"
            faults = [Fault("/id", "is that of a request under way")]
            details = failure(request.op, "request", "invalid_request", said, faults=faults).details
            return _at_once(error_line(None, details))
        refused = self._refused(request)
        return self._begun(request) if refused is None else _at_once(error_line(request.id, refused.details))

    async def idle(self) -> None:
        """Return when nothing is under way."""
        while waiting := [each.answer for each in self._under_way.values()]:
            await asyncio.wait(waiting)

    async def close(self) -> None:
        """Cancel what is under way, then end every session. Calling it again waits for the same end."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await whatever_comes(_awaited(self._closing))

    def _refused(self, request: Request) -> BrowserOperationError | None:
        if self._closing is not None:
            return failure(request.op, "shutdown", "worker_gone", "the worker is closing")
        # Cancelling is always possible: what it ends is under way, and it has a bound of its own.
        alike = [each for each in self._under_way.values() if _cancels(each.request) == _cancels(request)]
        if len(alike) < MAX_REQUESTS_UNDER_WAY:
            return None
        said = f"{len(alike)} requests are under way, which is as many as may (MAX_REQUESTS_UNDER_WAY)"
        return failure(request.op, "request", "too_many", said)

    def _begun(self, request: Request) -> asyncio.Future[bytes]:
        entry = _UnderWay(request)
        self._under_way[request.id] = entry
        entry.answer = asyncio.ensure_future(self._answered(entry))
        entry.answer.add_done_callback(lambda _: self._under_way.pop(request.id))
        return entry.answer

    async def _answered(self, entry: _UnderWay) -> bytes:
        request, session = entry.request, self._sessions.get(entry.request.session_id or "")
        entry.is_running = True
        try:
            if entry.is_unwanted:
                raise asyncio.CancelledError
            result = await self._result(entry, session)
            redactor = NO_SECRETS if session is None else session.redactor
            return result_line(request.id, request.op, result, redactor)
        except asyncio.CancelledError:
            entry.was_cancelled = True
            said = "the request was cancelled" + _how_far(entry.attempt)
            details = failure(request.op, "execute", "cancelled", said, entry.attempt.mutation_state).details
        except Exception as error:  # the one place where failures are worded
            details = _details(error, entry.attempt)
            entry.was_cancelled = details.code == "cancelled"
        finally:
            entry.is_running = False
        return error_line(request.id, details, NO_SECRETS if session is None else session.redactor)

    async def _result(self, entry: _UnderWay, session: Session | None) -> RuntimeModel:
        request = entry.request
        if isinstance(request.asked, OpenFrame):
            return await self._open(request.asked.request)
        if isinstance(request.asked, CancelFrame):
            return await self._cancel(request.asked.request.id)
        if session is None:
            return self._without_session(request)
        try:
            return await session.perform(request.asked, request.context, entry.attempt)
        finally:
            if session.is_closed:
                self._forget(session)

    async def _open(self, asked: OpenRequest) -> OpenResult:
        if len(self._sessions) + self._opening >= MAX_SESSIONS:
            said = f"{MAX_SESSIONS} sessions are open or being opened, which is as many as may (MAX_SESSIONS)"
            raise failure("open", "request", "too_many", said)
        settings = asked.settings
        if not asked.configured:
            settings = configuration_for(settings, folder=self._folder, environ=self._environ).settings
        self._opening += 1
        try:
            live = await within(self._open_live(settings), OPEN_MS)
            session_id = secrets.token_urlsafe(SESSION_ID_BYTES)
            session = Session(session_id, live, settings, self._environ, self._folder)
            try:
                tab = await within(live.selected_tab(), REQUEST.default_ms)
            except BaseException:
                await session.close()
                raise
        finally:
            self._opening -= 1
        self._sessions[session_id] = session
        return OpenResult(
            session_id=session_id,
            product=live.product,
            version=live.version,
            tab=tab,
            limitations=live.limitations,
        )

    async def _cancel(self, frame_id: str) -> CancelResult:
        entry = self._under_way.get(frame_id)
        if entry is None or _cancels(entry.request):
            return CancelResult(cancelled=False)
        entry.cancel()
        await asyncio.wait({entry.answer})
        return CancelResult(cancelled=entry.was_cancelled)

    def _without_session(self, request: Request) -> CloseResult:
        if request.session_id not in self._closed:
            raise failure(request.op, "request", "unknown_session", "there is no session with this id")
        if isinstance(request.asked, CloseOperation):
            return CloseResult()
        raise failure(request.op, "request", "session_closed", "the session is closed")

    def _forget(self, session: Session) -> None:
        self._sessions.pop(session.session_id, None)
        self._closed[session.session_id] = None
        while len(self._closed) > MAX_REMEMBERED_SESSIONS:
            del self._closed[next(iter(self._closed))]

    async def _close(self) -> None:
        for entry in list(self._under_way.values()):
            if not _cancels(entry.request):
                entry.cancel()
        await self.idle()
        sessions = list(self._sessions.values())
        await asyncio.gather(*(each.close() for each in sessions))
        for session in sessions:
            self._forget(session)


def _cancels(request: Request) -> bool:
    return isinstance(request.asked, CancelFrame)


def _at_once(line: bytes) -> asyncio.Future[bytes]:
    answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    answer.set_result(line)
    return answer


async def _awaited(task: asyncio.Task[None]) -> None:
    await asyncio.shield(task)


def _how_far(attempt: Attempt) -> str:
    return " before it had changed anything" if attempt.mutation_state == "not_attempted" else " on its way"


def _details(error: Exception, attempt: Attempt) -> BrowserErrorDetails:
    """What is told of ``error``, which is over."""
    op, state = attempt.operation, attempt.mutation_state
    if isinstance(error, BrowserOperationError):
        return error.details
    if isinstance(error, TimeoutError | StuckError):
        return failure(op, "execute", "timeout", "the operation did not end in its time", state).details
    known = foreseen(error)
    if isinstance(known, UnavailableError):
        return failure(op, "execute", "unavailable", known.message, state, faults=known.faults).details
    return failure(op, "execute", "defect", known.message, state).details
