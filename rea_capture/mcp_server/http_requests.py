"""Which requests over HTTP are let in, and what becomes of those that nobody waits for any more.

    1. Host and every Origin have to name this server, whatever path is asked for, so that no page of another
       site reaches it under a name of its own (DNS rebinding). The library checks the first of each, and that
       not for its redirects.
    2. A client that hangs up ends what it asked for, and so does the end of the server. (By the older
       versions of the protocol a client need not be there; but a capture is a browser, and nobody would get
       what comes of it.)

Below: ``server``. Above: ``loopback``.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES
from rea_capture.mcp_server.server import GONE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_ANSWERING_S: Final = 10.0
"""How long calls under way have to end and be answered when the server ends: as long as a capture takes to be
taken down."""


class Requests:
    """``application`` for requests to one of ``hosts``, each ``name:port``.

    They carry the event that tells that nobody waits for them.
    """

    def __init__(self, application: ASGIApp, hosts: Iterable[str]) -> None:
        self._application = application
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
            await _refuse(*refusal, send)
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
        gone = asyncio.Event()
        begun = await _begun(receive)
        if _has_odd_id(begun):
            await _refuse(400, "an id has to be a string or an integer", send)
            return

        async def watched() -> Message:
            message = begun.pop(0) if begun else await receive()
            if message["type"] == "http.disconnect":
                gone.set()
            return message

        # Others wait for news as long as they are let.
        asks = scope["method"] == "POST"
        if asks:
            self._under_way.add(gone)
        if self._ending:
            gone.set()
        try:
            await self._application({**scope, GONE: gone}, watched, send)
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


_ODD_ID: Final = re.compile(rb'"id"\s*:\s*(?:true|false|null|\{|\[|-?[0-9]+[.eE])')
"""What an id that is none looks like; of bodies that hold it somewhere it is looked up where."""


def _has_odd_id(messages: Iterable[Message]) -> bool:
    """Whether the body is a request with an id that is none, which the library takes for a notification."""
    body = b"".join(message.get("body", b"") for message in messages)
    if _ODD_ID.search(body) is None:
        return False
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict) or "method" not in value or "id" not in value:
        return False
    return isinstance(value["id"], bool) or not isinstance(value["id"], str | int)


def _values(scope: Scope, wanted: bytes) -> list[bytes]:
    return [value for name, value in scope["headers"] if name == wanted]


async def _refuse(status: int, message: str, send: Send) -> None:
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    data = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})
