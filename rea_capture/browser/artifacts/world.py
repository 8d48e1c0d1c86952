"""A private JavaScript world in a page's current document.

The page's scripts cannot see it and cannot have changed what it runs on: its globals and prototypes
are its own. It is found anew for each reading, since it goes away with its document.

Below: one DevTools session, and the scripts. Above: the readers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from playwright.async_api import CDPSession
from playwright.async_api import Error as DriverError

T = TypeVar("T")

WORLD_NAME: Final = "rea-capture"

MAX_DOCUMENT_CHANGES: Final = 8
"""How often one read starts again because the page navigated under it. A page that still navigates
after that many documents is not going to hold still."""

_DOCUMENT_CHANGED: Final = (
    "Cannot find context with specified id",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "No frame for given id found",
    "Frame with the given id was not found",
    "Frame with the given frameId is not found",
    "Could not create isolated world",
)
"""What the DevTools protocol says when the document asked about is no longer there."""


class ReadError(Exception):
    """Something could not be read; the message is a sentence without its full stop."""


class PageScriptError(ReadError):
    """A script of ours threw in the page, which means that the page denied what it asked for."""


class DocumentChangedError(ReadError):
    """The document went away while it was read; reading again may work."""

    def __init__(self) -> None:
        super().__init__("the page kept navigating while it was read")


async def retrying(read: Callable[[], Awaitable[T]]) -> T:
    """What ``read`` returns, started again each time the document goes away under it.

    Raises :class:`DocumentChangedError` after ``MAX_DOCUMENT_CHANGES`` attempts.
    """
    for _ in range(MAX_DOCUMENT_CHANGES - 1):
        try:
            return await read()
        except DocumentChangedError:
            await asyncio.sleep(0)
    return await read()


class PrivateWorld:
    """Evaluates scripts in the private world of a session's main frame."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self._frame_id: str | None = None

    async def send(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """One protocol command. Raises :class:`DocumentChangedError`, or the driver's own error."""
        try:
            result: dict[str, Any] = await self.session.send(method, dict(params or {}))
        except DriverError as error:
            if any(text in error.message for text in _DOCUMENT_CHANGED):
                self._frame_id = None
                raise DocumentChangedError from None
            raise
        return result

    async def frame_id(self) -> str:
        """The id of the session's main frame."""
        if self._frame_id is None:
            tree = await self.send("Page.getFrameTree")
            self._frame_id = str(tree["frameTree"]["frame"]["id"])
        return self._frame_id

    async def enter(self) -> int:
        """The execution context of this world in the current document."""
        created = await self.send(
            "Page.createIsolatedWorld",
            # The protocol spells it so. It lets the world read same-process child frames.
            {"frameId": await self.frame_id(), "worldName": WORLD_NAME, "grantUniveralAccess": True},
        )
        return int(created["executionContextId"])

    async def call(self, function: str, *arguments: Any, context: int | None = None) -> Any:
        """What the JavaScript ``function`` returns (awaited when it is a promise), by value.

        Arguments are JSON values, or ``{"objectId": …}`` wrapped in :class:`Remote`. Raises
        :class:`PageScriptError` with the first line of what it threw.
        """
        answer = await self.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "executionContextId": await self.enter() if context is None else context,
                "arguments": [_argument(argument) for argument in arguments],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        thrown = answer.get("exceptionDetails")
        if thrown is not None:
            raise PageScriptError(_thrown_text(thrown))
        return answer["result"].get("value")

    async def resolve(self, backend_node_ids: Sequence[int], context: int) -> list[Remote]:
        """The nodes as objects of this world."""
        answers = await asyncio.gather(
            *(
                self.send("DOM.resolveNode", {"backendNodeId": node, "executionContextId": context})
                for node in backend_node_ids
            )
        )
        return [Remote(str(answer["object"]["objectId"])) for answer in answers]


class Remote(str):
    """The id of an object that lives in the private world."""

    __slots__ = ()


def _argument(value: Any) -> dict[str, Any]:
    return {"objectId": str(value)} if isinstance(value, Remote) else {"value": value}


def _thrown_text(details: Mapping[str, Any]) -> str:
    text = str(details.get("exception", {}).get("description") or details.get("text") or "a script failed")
    return text.splitlines()[0] if text else "a script failed"
