"""Asking a worker in lines, as its clients do.

Below: ``scripted``. Above: the tests of the worker.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rea_capture.session.worker.worker import Worker
from tests.session.worker.scripted import Browserless, ScriptedLive

PATIENCE_S: Final = 20


class Asker:
    """A worker on scripted sessions, and the lines it is sent."""

    def __init__(self, folder: Path, environ: Mapping[str, str] | None = None) -> None:
        self.browsers = Browserless()
        self.worker = Worker(self.browsers.open, environ=environ or dict(os.environ), folder=folder)
        self._count = 0

    @property
    def events(self) -> list[str]:
        return self.browsers.events

    def live(self, index: int = -1) -> ScriptedLive:
        return self.browsers.sessions[index]

    def raw(self, line: bytes | None) -> asyncio.Future[bytes]:
        """The answer to ``line`` to come."""
        answer = self.worker.take(line)
        assert answer is not None
        return answer

    def send(self, op: str, session: str | None = None, **more: Any) -> asyncio.Future[bytes]:
        """The answer to come to a request with an id that is counted, unless ``id`` is given."""
        self._count += 1
        document: dict[str, Any] = {"id": str(self._count), "op": op}
        if session is not None:
            document["sessionId"] = session
        return self.raw(json.dumps({**document, **more}).encode())

    async def ask(self, op: str, session: str | None = None, **more: Any) -> Any:
        """The answer as a document."""
        return await answered(self.send(op, session, **more))

    async def opened(self, **settings: Any) -> str:
        """The id of a new session."""
        answer = await self.ask("open", request={"settings": settings})
        return str(answer["result"]["sessionId"])


async def answered(line: asyncio.Future[bytes]) -> Any:
    """What ``line`` says, which has to be one line."""
    said = await asyncio.wait_for(asyncio.shield(line), PATIENCE_S)
    assert said.endswith(b"\n")
    assert said.count(b"\n") == 1
    document = json.loads(said)
    assert ("result" in document) != ("error" in document)
    return document


def to(url: str) -> dict[str, Any]:
    """The request of a navigation."""
    return {"url": f"http://{url}"}


def step(**more: Any) -> dict[str, Any]:
    """The request of an action."""
    return {"step": {"instruction": "Save it", "action": "click", **more}}
