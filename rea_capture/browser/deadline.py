"""A bound on one browser command.

Below: asyncio. Above: every file of this room that asks the browser for something.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def within(timeout_ms: int, work: Awaitable[T], what: str) -> T:
    """The result of ``work``, or ``TimeoutError`` naming ``what`` after ``timeout_ms`` milliseconds."""
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            return await work
    except TimeoutError:
        raise TimeoutError(f"{what} did not answer within {timeout_ms} ms") from None
