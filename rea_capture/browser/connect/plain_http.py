"""One GET of a JSON document from a literal loopback address.

Over a plain socket: no proxy of the environment, no redirect, no name to look up, and nothing that could
be led anywhere else. The caller sets the deadline.

Below: the standard library. Above: ``discovery``.
"""

from __future__ import annotations

import asyncio
import io
import json
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any, Final

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024
"""A browser with thousands of tabs, each with a long address, answers with less."""

_CHUNK_BYTES: Final = 65_536
_HEAD_END: Final = b"\r\n\r\n"
_LAST_CHUNK: Final = b"0\r\n\r\n"


class NoAnswerError(Exception):
    """There was no usable answer. The message is a clause such as "it refused the connection"."""


async def get_json(host: str, port: int, path: str) -> Any:
    """The JSON document at ``path``. Raises :class:`NoAnswerError`; waits as long as the caller lets it."""
    status, body = await _get(host, port, path)
    if status != 200:
        raise NoAnswerError(f"it answered {path} with HTTP status {status}")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        kind = "HTML" if body.lstrip()[:1] == b"<" else "something else"
        raise NoAnswerError(f"it answered {path} with {kind}, not with JSON") from None


async def _get(host: str, port: int, path: str) -> tuple[int, bytes]:
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except OSError:
        raise NoAnswerError("nothing listens there, or it refused the connection") from None
    try:
        literal = f"[{host}]" if ":" in host else host
        fields = (f"Host: {literal}:{port}", "Accept: application/json", "Connection: close")
        writer.write("\r\n".join((f"GET {path} HTTP/1.1", *fields, "", "")).encode("ascii"))
        await writer.drain()
        return _parsed(await _answer(reader), path)
    except OSError:
        raise NoAnswerError(f"it closed the connection while {path} was asked for") from None
    finally:
        with suppress(OSError):
            writer.close()


async def _answer(reader: asyncio.StreamReader) -> bytes:
    """What the server sent: until the answer is whole by its own account, or the server has closed."""
    received = bytearray()
    expected: int | None = None
    chunked = False
    while piece := await reader.read(_CHUNK_BYTES):
        received += piece
        if len(received) > MAX_ANSWER_BYTES:
            raise _too_long()
        if expected is None and not chunked and (end := received.find(_HEAD_END)) >= 0:
            length, chunked = _announced(bytes(received[:end]))
            expected = None if length is None else end + len(_HEAD_END) + length
        if (chunked and received.endswith(_LAST_CHUNK)) or (
            expected is not None and len(received) >= expected
        ):
            break
    return bytes(received)


def _announced(head: bytes) -> tuple[int | None, bool]:
    """The length of the body that ``head`` announces, if it does, and whether it comes in chunks."""
    fields = {
        name.strip(): value.strip()
        for name, _, value in (line.partition(b":") for line in head.lower().split(b"\r\n")[1:])
    }
    if b"chunked" in fields.get(b"transfer-encoding", b""):
        return None, True
    length = fields.get(b"content-length", b"")
    return (_length(length) if length.isdigit() else None), False


def _length(digits: bytes) -> int:
    """The number, of however many digits. Raises :class:`NoAnswerError` when it is more than is read."""
    significant = digits.lstrip(b"0")
    length = int(significant[: len(str(MAX_ANSWER_BYTES)) + 1] or b"0")
    if length > MAX_ANSWER_BYTES:
        raise _too_long()
    return length


def _too_long() -> NoAnswerError:
    return NoAnswerError(f"it answered with more than {MAX_ANSWER_BYTES} bytes")


class _Received:
    """What ``http.client`` needs of a socket: a file to read the answer from."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


def _parsed(data: bytes, path: str) -> tuple[int, bytes]:
    if not data:
        raise NoAnswerError(f"it closed the connection while {path} was asked for")
    response = HTTPResponse(_Received(data))  # type: ignore[arg-type]  # it only makes a file of it
    try:
        response.begin()
        return response.status, response.read()
    except (HTTPException, ValueError, ArithmeticError):  # also numbers that no computer counts to
        raise NoAnswerError(f"what it answered to {path} is no whole HTTP answer") from None
