"""CDP commands with a deadline, to the browser and to every target attached through it.

Playwright's session can only speak for itself: it has no way to put the ``sessionId`` of an attached
target into a command. So the browser is asked to attach to itself in the older, wrapped manner:
whatever is put into ``Target.sendMessageToTarget`` is then read as a whole message, ``sessionId``
included, and answers and events of all targets come back in ``Target.receivedMessageFromTarget``.

Every fault becomes a ``ChannelError``; its text names the command only, because parameters hold the
seeded values.

Below: a Playwright ``CDPSession`` of the browser. Above: ``seeding``, ``events``, ``connect``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

Params = Mapping[str, Any]
EventHandler = Callable[[str, dict[str, Any]], None]

BROWSER: Final = ""
"""The session id under which the browser itself is addressed."""

_CLOSED_SIGNS: Final = ("has been closed", "No session with given id", "Session closed")
_GONE_CODE: Final = -32001
"""The browser's code for "session with given id not found"."""

_LEFT_SIGNS: Final = (
    "Can only perform operation while paused",
    "Cannot find context with specified id",
    "Could not find call frame",
    "Invalid call frame id",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Cannot find default execution context",
    "No frame for given id found",
    "Frame with the given id",
    "Frame tree node for given frame not found",
    "Target crashed",
)
"""Chromium's words for a document that was left while a command was on its way."""


class ChannelError(Exception):
    """A command did not do its work. The message is a sentence without any value."""


class TargetGoneError(ChannelError):
    """The browser, page, frame or document went away: nothing is left to do and nothing to report."""


class DocumentLeftError(TargetGoneError):
    """The document went away, or is not stopped any more, while its target is still there."""


class CommandRefusedError(ChannelError):
    """The browser answered with an error."""


class CommandLateError(ChannelError):
    """No answer within the command deadline."""


class Answer:
    """The answer to a command the browser has taken. Awaiting it raises ``ChannelError``."""

    def __init__(self, method: str, message: asyncio.Future[dict[str, Any]], timeout_s: float) -> None:
        self._method = method
        self._message = message
        self._timeout_s = timeout_s

    def __await__(self) -> Generator[Any, None, dict[str, Any]]:
        return self._wait().__await__()

    async def _wait(self) -> dict[str, Any]:
        try:
            async with asyncio.timeout(self._timeout_s):
                return _result(self._method, await self._message)
        except TimeoutError as late:
            raise CommandLateError(f"{self._method} was not answered in time") from late


class Channel:
    """Commands and events of one browser. Made by ``open``; ``close`` removes it from the browser."""

    def __init__(self, cdp: CDPSession, carrier_id: str, command_timeout_ms: int) -> None:
        self._cdp = cdp
        self._carrier_id = carrier_id
        self._timeout_s = command_timeout_ms / 1000
        self._next_id = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[dict[str, Any]]]] = {}
        self._handlers: dict[str, EventHandler] = {}
        self.report: Callable[[str], None] = lambda _: None
        cdp.on("Target.receivedMessageFromTarget", self._received)

    @classmethod
    async def open(cls, cdp: CDPSession, command_timeout_ms: int) -> Channel:
        """Let the browser attach to itself. Raises ``ChannelError``.

        ``command_timeout_ms`` bounds every command of the channel.
        """
        try:
            async with asyncio.timeout(command_timeout_ms / 1000):
                own = await _call(cdp, "Target.getTargetInfo", {})
                wrapped = {"targetId": own["targetInfo"]["targetId"], "flatten": False}
                answer = await _call(cdp, "Target.attachToTarget", wrapped)
        except TimeoutError as late:
            raise CommandLateError("Target.attachToTarget was not answered in time") from late
        return cls(cdp, str(answer["sessionId"]), command_timeout_ms)

    async def send(
        self, method: str, params: Params | None = None, session_id: str = BROWSER
    ) -> dict[str, Any]:
        """Send a command and wait for its answer, no longer than the deadline. Raises ``ChannelError``.

        Commands are handed to the browser in the order of the calls, so several may be under way.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                return await (await self.post(method, params, session_id))
        except TimeoutError as late:
            raise CommandLateError(f"{method} was not answered in time") from late

    async def post(self, method: str, params: Params | None = None, session_id: str = BROWSER) -> Answer:
        """Send a command and wait until the browser has taken it; awaiting the result waits on.

        Neither wait is longer than the deadline. Both raise ``ChannelError``.
        """
        self._next_id += 1
        command_id = self._next_id
        message: dict[str, Any] = {"id": command_id, "method": method, "params": dict(params or {})}
        if session_id:
            message["sessionId"] = session_id
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda _: self._waiting.pop(command_id, None))
        self._waiting[command_id] = (session_id, answer)
        wrapped = {"sessionId": self._carrier_id, "message": json.dumps(message)}
        try:
            async with asyncio.timeout(self._timeout_s):
                await _call(self._cdp, "Target.sendMessageToTarget", wrapped)
        except TimeoutError as late:
            raise CommandLateError(f"{method} was not taken in time") from late
        return Answer(method, answer, self._timeout_s)

    def listen(self, session_id: str, handler: EventHandler) -> None:
        """Give the events of a target, or of the ``BROWSER``, to a handler that must not raise."""
        self._handlers[session_id] = handler

    def forget(self, session_id: str) -> None:
        """A target is gone: whoever waits for its answers learns it now instead of at the deadline."""
        self._handlers.pop(session_id, None)
        for owner, answer in tuple(self._waiting.values()):
            if owner == session_id and not answer.done():
                answer.set_result({"error": {"code": _GONE_CODE, "message": ""}})

    async def close(self) -> None:
        """Detach; the browser then drops every script, pause and interception of this channel."""
        self._handlers.clear()
        self._waiting.clear()
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._cdp.detach()
        except (PlaywrightError, TimeoutError):
            return  # the browser is gone or deaf: nothing of this session can be left behind in it

    def _received(self, event: dict[str, Any]) -> None:
        try:
            self._take(event)
        except Exception as surprise:  # nothing may leave a listener of the driver
            self.report(f"A message of the browser was not understood ({type(surprise).__name__}).")

    def _take(self, event: dict[str, Any]) -> None:
        if event["sessionId"] != self._carrier_id:
            return
        message = json.loads(event["message"])
        if "id" in message:
            _, answer = self._waiting.get(message["id"], (BROWSER, None))
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        if message["method"] == "Target.detachedFromTarget":
            self.forget(message["params"]["sessionId"])
        handler = self._handlers.get(message.get("sessionId", BROWSER))
        if handler is not None:
            handler(message["method"], message.get("params", {}))


async def _call(cdp: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    try:
        return await cdp.send(method, params)
    except PlaywrightError as error:
        fault = (
            TargetGoneError if any(sign in error.message for sign in _CLOSED_SIGNS) else CommandRefusedError
        )
        raise fault(
            f"{method} was refused by the browser"
        ) from None  # the foreign text may repeat parameters


def _result(method: str, message: dict[str, Any]) -> dict[str, Any]:
    if "error" in message:
        fault: type[ChannelError] = CommandRefusedError
        if message["error"].get("code") == _GONE_CODE:
            fault = TargetGoneError
        elif _says(message["error"]["message"], _LEFT_SIGNS):
            fault = DocumentLeftError
        raise fault(f"{method} was refused by the browser")
    result: dict[str, Any] = message.get("result", {})
    return result


def _says(text: str, signs: tuple[str, ...]) -> bool:
    return any(sign in text for sign in signs)
