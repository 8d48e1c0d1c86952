"""A second client of a browser: the debugging protocol over a WebSocket, with nothing in between.

It stands for whoever the browser belongs to, and shares no code with what is tested.

Below: the standard library. Above: ``conftest`` and the tests of this folder.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 30


class RawClient:
    """One connection to a browser. ``events`` holds everything that was told and not asked for."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._last_id = 0
        self._changed = asyncio.Event()
        self.events: list[dict[str, Any]] = []
        self._task = asyncio.ensure_future(self._read())

    @classmethod
    async def open(cls, websocket_url: str) -> RawClient:
        parts = urlsplit(websocket_url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**26)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 101 " in head, head
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    async def send(self, method: str, params: Any = None, session_id: str | None = None) -> Any:
        """The result of a command; an error of the browser's fails the test."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params or {}}
        if session_id:
            message["sessionId"] = session_id
        answer = self._answers[self._last_id] = asyncio.get_running_loop().create_future()
        self._write(json.dumps(message).encode())
        async with asyncio.timeout(PATIENCE_S):
            answered = await answer
        assert "error" not in answered, (method, answered)
        return answered["result"]

    async def attach(self, target_id: str) -> str:
        """The id of a session on a target."""
        attached = await self.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        return str(attached["sessionId"])

    async def evaluate(self, session_id: str, expression: str) -> Any:
        """The value of ``expression`` in a page, awaited."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answered = await self.send("Runtime.evaluate", asked, session_id)
        assert "exceptionDetails" not in answered, answered
        return answered["result"].get("value")

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first event, past or to come, for which ``holds``."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for event in self.events:
                    if holds(event):
                        return event
                self._changed.clear()
                await self._changed.wait()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._writer.close()

    def _write(self, data: bytes) -> None:
        length, mask = len(data), os.urandom(4)
        if length < 126:
            size = bytes([0x80 | length])
        elif length <= 0xFFFF:
            size = b"\xfe" + struct.pack(">H", length)
        else:
            size = b"\xff" + struct.pack(">Q", length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self._writer.write(b"\x81" + size + mask + masked)

    async def _read(self) -> None:
        whole = b""
        while True:
            first, second = await self._reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", await self._reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self._reader.readexactly(8))
            whole += await self._reader.readexactly(length)
            if first & 0x80:
                self._take(json.loads(whole))
                whole = b""

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers.pop(message["id"]).set_result(message)
        else:
            self.events.append(message)
            self._changed.set()
