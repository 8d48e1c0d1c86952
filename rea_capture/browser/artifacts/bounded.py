"""One read under a deadline: a value, or the reason why there is none.

Below: asyncio and the driver's errors. Above: the reader.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from playwright.async_api import Error as DriverError
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser import failures
from rea_capture.browser.artifacts.world import ReadError

T = TypeVar("T")
U = TypeVar("U")

PAGE_CRASHED: Final = "the page crashed"
PAGE_CLOSED: Final = "the page was closed"

NOTICING_S: Final = 0.5
"""How long after a page was closed the news may take that its browser, or the driver, is what went."""

_CANCELLATION_S: Final = 1.0
"""How long a cancelled read may take to let go. It has nothing to wait for, so far less is usual."""


@dataclass(frozen=True, slots=True)
class Got(Generic[T]):
    """A value that was read."""

    value: T


@dataclass(frozen=True, slots=True)
class NotRead:
    """Why there is no value: one readable line, not yet redacted."""

    reason: str


Reading = Got[T] | NotRead


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a read ends at the latest, and what it was allowed in milliseconds."""

    allowed_ms: int
    at_s: float
    """On the event loop's clock."""

    @classmethod
    def after(cls, allowed_ms: int) -> Deadline:
        return cls(allowed_ms, asyncio.get_running_loop().time() + allowed_ms / 1000)

    def remaining_s(self) -> float:
        return max(0.0, self.at_s - asyncio.get_running_loop().time())

    def remaining_ms(self) -> float:
        """At least one millisecond, since the driver takes zero for no limit at all."""
        return max(1.0, self.remaining_s() * 1000)

    def passed(self) -> str:
        return f"the page did not answer within {self.allowed_ms} ms"


async def bounded(read: Coroutine[Any, Any, T], deadline: Deadline, gone: asyncio.Future[str]) -> Reading[T]:
    """What ``read`` returns, or why it did not: deadline, lost page, or an error of its own.

    Never raises, except that it passes cancellation on.
    """
    task = asyncio.ensure_future(read)
    either: set[asyncio.Future[Any]] = {task, gone}
    try:
        await asyncio.wait(either, timeout=deadline.remaining_s(), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        task.cancel()
        task.add_done_callback(_heard)
        raise
    if not task.done():
        task.cancel()
        task.add_done_callback(_heard)
        await asyncio.wait({task}, timeout=_CANCELLATION_S)
        return NotRead(gone.result() if gone.done() else deadline.passed())
    reading = _outcome(task, deadline, gone)
    if reading == NotRead(PAGE_CLOSED) and not gone.done():
        await asyncio.wait({gone}, timeout=2 * NOTICING_S)
        return NotRead(gone.result()) if gone.done() else reading
    return reading


def _heard(task: asyncio.Future[Any]) -> None:
    """Take notice of how an abandoned read ended, or asyncio would print it, unredacted."""
    if not task.cancelled():
        task.exception()


def _outcome(task: asyncio.Future[T], deadline: Deadline, gone: asyncio.Future[str]) -> Reading[T]:
    if task.cancelled():
        return NotRead("the read was cancelled")
    error = task.exception()
    if error is None:
        return Got(task.result())
    if gone.done():
        return NotRead(gone.result())
    if isinstance(error, DriverTimeoutError):
        return NotRead(deadline.passed())
    return NotRead(reading_reason(error))


def reading_reason(error: BaseException) -> str:
    """``error`` as one line for a reader, without escapes, call log or our own call's name."""
    if isinstance(error, ReadError):
        return str(error)
    if not isinstance(error, DriverError):
        return f"reading failed ({type(error).__name__})"
    first = failures.reason_of(error) if error.message.strip() else ""
    if "has been closed" in first or "no object with guid" in first:
        return PAGE_CLOSED
    if "Target crashed" in first or "Page crashed" in first:
        return PAGE_CRASHED
    return f"the browser refused: {first}" if first else "the browser refused"


def used(reading: Reading[T], use: Callable[[T], U]) -> Reading[U]:
    """``use`` applied to what was read. A value that cannot be used was not read."""
    if isinstance(reading, NotRead):
        return reading
    try:
        return Got(use(reading.value))
    except (KeyError, TypeError, ValueError) as error:
        # Without the error's text, which may repeat what the page sent.
        return NotRead(f"the browser's answer could not be understood ({type(error).__name__})")
