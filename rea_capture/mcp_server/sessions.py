"""Sessions over HTTP: which are in use, and which leaves when another client wants in.

Clients by the versions of the protocol before 2026-07-28 begin a session, and vanish without a word. So when
there are as many as may be, the one leaves that has asked for nothing for longest; one with a call under way
stays, and one that listens leaves after those that do not.

Below: ``incoming``, ``limits``. Above: ``http_requests``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import mcp_types as types

from rea_capture.mcp_server.incoming import Calls

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NAME: Final = b"mcp-session-id"


@dataclass(eq=False)
class _Session:
    calls: Calls = field(default_factory=Calls)
    requests: int = 0
    """Those of any kind that are being answered, such as the one that listens."""


class Sessions:
    """``application``, with at most ``most`` sessions; ``tell`` gets a sentence when one had to leave."""

    def __init__(self, application: ASGIApp, most: int, tell: Callable[[str], None]) -> None:
        self._application = application
        self._most = most
        self._tell = tell
        self._known: dict[bytes, _Session] = {}  # the one that was used last is the last
        self._opening = 0
        self._left = 0

    async def asked(
        self, message: types.JSONRPCMessage | None, scope: Scope, receive: Receive, send: Send
    ) -> types.JSONRPCError | None:
        """Pass on the request that ``message`` came with; or give the answer that its id is in use.

        Without a session nobody else's answers go the same way.
        """
        name = _session_of(scope["headers"])
        session = None if name is None else self._known.get(name)
        if session is not None and message is not None:
            refusal = session.calls.begun(message)
            if refusal is not None:
                return refusal
        try:
            if name is None and isinstance(message, types.JSONRPCRequest) and message.method == "initialize":
                await self._opened(scope, receive, send)
            else:
                await self.passed_on(scope, receive, send)
        finally:
            if session is not None and isinstance(message, types.JSONRPCRequest):
                session.calls.over(message.id)
        return None

    async def passed_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; its session is in use until it is answered."""
        name = _session_of(scope["headers"])
        session = None if name is None else self._known.get(name)
        if name is None or session is None:
            await self._application(scope, receive, send)
            return
        ended = False

        async def watched(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                ended = message["status"] == 404 or (scope["method"] == "DELETE" and message["status"] < 300)
            await send(message)

        session.requests += 1
        self._used(name)
        try:
            await self._application(scope, receive, watched)
        finally:
            session.requests -= 1
            if ended:
                self._known.pop(name, None)
            self._used(name)

    def _used(self, name: bytes) -> None:
        if name in self._known:
            self._known[name] = self._known.pop(name)

    async def _opened(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 300:
                name = _session_of(message.get("headers", ()))
                if name is not None:
                    self._known[name] = _Session()
            await send(message)

        self._opening += 1
        try:
            while len(self._known) + self._opening > self._most and (idle := self._longest_idle()):
                await self._end(idle, scope)
            await self._application(scope, receive, watched)
        finally:
            self._opening -= 1

    def _longest_idle(self) -> bytes | None:
        idle = [name for name, session in self._known.items() if not len(session.calls)]
        return min(idle, key=lambda name: self._known[name].requests > 0, default=None)

    async def _end(self, name: bytes, scope: Scope) -> None:
        """End a session as its client would."""
        del self._known[name]
        kept = [(key, value) for key, value in scope["headers"] if key in {b"host", b"origin"}]
        ending = {**scope, "method": "DELETE", "headers": [*kept, (_NAME, name)]}

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(_: Message) -> None:
            """Nobody asked."""

        await self._application(ending, receive, send)
        self._left += 1
        if self._left & (self._left - 1) == 0:  # at 1, 2, 4, 8: standard error may have no reader
            self._tell(
                f"{self._most:,} sessions are open, as many as may be (MAX_SESSIONS); idle ones that have "
                f"left to let others in: {self._left:,}"
            )


def _session_of(headers: object) -> bytes | None:
    assert isinstance(headers, list | tuple)
    return next((bytes(value) for name, value in headers if bytes(name).lower() == _NAME), None)
