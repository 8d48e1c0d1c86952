"""Whether a server is ready: a GET that it answers as the file expects, asked again and again.

Over a plain connection of its own: no proxy of the environment, no header but the necessary ones, no body.
A redirect is an answer like any other, and is not followed.

Below: asyncio, ``contracts.runtime.scenario_file``. Above: ``server``.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import Final
from urllib.parse import quote

from rea_capture.contracts.runtime.budgets import SERVER_POLL_MS
from rea_capture.contracts.runtime.policy import required_origin
from rea_capture.contracts.runtime.scenario_file import HttpReadiness
from rea_capture.contracts.urls import split_url

ATTEMPT_S: Final = 2.0
"""One GET. A server that is not ready may take the connection and say nothing."""

_MAX_HEAD_BYTES: Final = 64 * 1024
_PORTS: Final = {"http": 80, "https": 443}
_SAFE: Final = "/?%:@!$&'()*+,;=~-._"
"""What stays as it is in a path and a query (RFC 3986 section 3.4), with what is escaped already."""

_SWITCHING: Final = 101


class NotReadyError(Exception):
    """It was not ready in time. The message is a clause about the last attempt: "it answered with 503"."""


async def until_ready(readiness: HttpReadiness) -> None:
    """Return once the server is ready. Raises :class:`NotReadyError` after the readiness's own timeout."""
    last = "nothing was asked yet"
    try:
        async with asyncio.timeout(readiness.timeout_ms / 1000):
            while last := await _why_not(readiness):  # noqa: ASYNC110 - another process's state
                await asyncio.sleep(SERVER_POLL_MS / 1000)
    except TimeoutError:
        raise NotReadyError(last) from None


async def answers(url: str) -> bool:
    """Whether anything speaks HTTP at ``url`` now."""
    return isinstance(await _status_or_reason(url), int)


async def _why_not(readiness: HttpReadiness) -> str:
    """Why the server is not ready; empty when it is."""
    answer = await _status_or_reason(readiness.url)
    if isinstance(answer, str):
        return answer
    good = 200 <= answer < 400 if readiness.expected_status is None else answer == readiness.expected_status
    return "" if good else f"it answered with status {answer}"


async def _status_or_reason(url: str) -> int | str:
    try:
        async with asyncio.timeout(ATTEMPT_S):
            return await _get(url)
    except TimeoutError:
        return f"it did not answer within {ATTEMPT_S:g} s"
    except ssl.SSLError as error:
        return f"its certificate or TLS was refused ({error.reason or 'unknown reason'})"
    except OSError:
        return "nothing listens there, or it refused the connection"
    except ValueError:
        return "what it answered is not HTTP"


async def _get(url: str) -> int:
    """The status of a GET of ``url``. Raises ``OSError``, and ``ValueError`` for what is no HTTP."""
    parts = split_url(url)
    host = parts.hostname or ""
    secure = ssl.create_default_context() if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(host, parts.port or _PORTS[parts.scheme], ssl=secure)
    try:
        query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
        target = quote(parts.path or "/", safe=_SAFE) + query
        named = required_origin(url).partition("://")[2]
        lines = (f"GET {target} HTTP/1.1", f"Host: {named}", "Accept: */*", "Connection: close", "", "")
        writer.write("\r\n".join(lines).encode("ascii"))
        await writer.drain()
        return await _status(reader)
    finally:
        writer.close()
        with suppress(OSError):
            await asyncio.wait_for(writer.wait_closed(), ATTEMPT_S)


async def _status(reader: asyncio.StreamReader) -> int:
    """The status of the final answer (RFC 9110 section 15.2: those before it are informational)."""
    for _ in range(_MAX_HEAD_BYTES):
        words = (await reader.readline()).split(None, 2)
        if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
            raise ValueError("no status line")
        status = int(words[1])
        if status >= 200 or status == _SWITCHING:
            return status
        while (await reader.readline()).strip():
            pass
    raise ValueError("no final answer")
