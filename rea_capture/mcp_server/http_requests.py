"""Which requests over HTTP are let in, and what becomes of those that nobody waits for any more.

    1. Host and every Origin have to name this server, whatever path is asked for, so that no page of another
       site reaches it under a name of its own (DNS rebinding). The library checks the first of each, and that
       not for its redirects.
    2. What is no message is answered as over pipes, and so is a call whose arguments the library does not
       read.
    3. A client that hangs up ends what it asked for, and so does the end of the server. (By the older
       versions of the protocol a client need not be there; but a capture is a browser, and nobody would get
       what comes of it.)

Below: ``server``, ``incoming``, ``sessions``. Above: ``loopback``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import mcp_types as types

from rea_capture.mcp_server.frame import FRAME, Frame
from rea_capture.mcp_server.incoming import error, received
from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES
from rea_capture.mcp_server.server import GONE
from rea_capture.mcp_server.sessions import Sessions

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_ANSWERING_S: Final = 10.0
"""How long calls under way have to end and be answered when the server ends: as long as a capture takes to be
taken down."""


class Requests:
    """``application`` for requests to one of ``hosts``, each ``name:port``.

    They carry their bytes, and the event that tells that nobody waits for them.
    """

    def __init__(self, application: ASGIApp, hosts: Iterable[str], sessions: Sessions) -> None:
        self._application = application
        self._sessions = sessions
        self._hosts = frozenset(host.encode() for host in hosts)
        self._origins = frozenset(b"http://" + host for host in self._hosts)
        self._under_way: set[asyncio.Event] = set()
        self._answered = asyncio.Event()
        self._ending = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
        elif (refusal := self._refusal(scope)) is not None:
            status, sentence = refusal
            await _refuse(status, error(None, types.INVALID_REQUEST, sentence), send)
        else:
            await self._watched(scope, receive, send)

    async def end(self) -> None:
        """Let whatever is under way end, and wait for as long as that may take."""
        self._ending = True
        for gone in self._under_way:
            gone.set()
        if self._under_way:
            await asyncio.wait({asyncio.ensure_future(self._answered.wait())}, timeout=MAX_ANSWERING_S)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        hosts, origins = (_values(scope, name) for name in (b"host", b"origin"))
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "Host has to name this server, once"
        if not self._origins.issuperset(origins):
            return 403, "Origin has to name this server"
        size = max((int(each) for each in _values(scope, b"content-length") if each.isdigit()), default=0)
        if size > MAX_MESSAGE_BYTES:
            return 413, (
                f"the body has {size:,} bytes; at most {MAX_MESSAGE_BYTES:,} are taken (MAX_MESSAGE_BYTES)"
            )
        return None

    async def _watched(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # waits for news as long as it is let, or ends a session
            await self._sessions.passed_on(scope, receive, send)
            return
        begun = await _begun(receive)
        if begun[-1]["type"] == "http.disconnect":
            return
        data = b"".join(message.get("body", b"") for message in begun)
        taken = None if len(data) > MAX_MESSAGE_BYTES else received(data)
        if isinstance(taken, types.JSONRPCError):
            await _refuse(400, taken, send)
            return
        if taken is not None:
            begun = [{"type": "http.request", "body": taken.data, "more_body": False}]
            scope = {**_of_length(scope, len(taken.data)), FRAME: Frame(data)}
        del data
        gone = asyncio.Event()

        async def watched() -> Message:
            message = begun.pop(0) if begun else await receive()
            if message["type"] == "http.disconnect":
                gone.set()
            return message

        message = None if taken is None else taken.message
        await self._answered_unless_gone({**scope, GONE: gone}, watched, send, message, gone)

    async def _answered_unless_gone(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        message: types.JSONRPCMessage | None,
        gone: asyncio.Event,
    ) -> None:
        self._under_way.add(gone)
        if self._ending:
            gone.set()
        try:
            refusal = await self._sessions.asked(message, scope, receive, send)
            if refusal is not None:
                await _refuse(400, refusal, send)
        finally:
            gone.set()
            self._under_way.discard(gone)
            if self._ending and not self._under_way:
                self._answered.set()


async def _begun(receive: Receive) -> list[Message]:
    """The messages of a request until its body is whole, or longer than is taken."""
    messages = [await receive()]
    size = len(messages[0].get("body", b""))
    while messages[-1].get("more_body", False) and size <= MAX_MESSAGE_BYTES:
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
    return messages


def _of_length(scope: Scope, length: int) -> Scope:
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    return {**scope, "headers": [*headers, (b"content-length", str(length).encode())]}


def _values(scope: Scope, wanted: bytes) -> list[bytes]:
    return [value for name, value in scope["headers"] if name == wanted]


async def _refuse(status: int, refusal: types.JSONRPCError, send: Send) -> None:
    data = refusal.model_dump_json(by_alias=True, exclude_unset=True).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})
