"""How long each operation may take in the worker, whatever hangs beneath it.

A live session keeps the budgets of the contract by itself, and says why one was missed. These are the bounds
around it, for when it does not.

Below: ``contracts.runtime``, ``capture.finishing``. Above: the worker, and ``transport``, which waits longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import (
    MODEL,
    NAVIGATION,
    POPUP_WAIT,
    READ_WAIT,
    REQUEST,
    STARTUP,
    TEARDOWN_MS,
    VERIFICATION,
    WORKER_READINESS,
)
from rea_capture.contracts.runtime.operations import ActOperation, BrowserOperation, CaptureEvidenceOperation
from rea_capture.limits import DEFAULT_COMMAND_TIMEOUT_MS

T = TypeVar("T")

ANSWER_GRACE_MS: Final = 2_000
"""What a live session may take beyond its own budget to say that it is over."""

OPEN_MS: Final = WORKER_READINESS.ceiling_ms + STARTUP.ceiling_ms + ANSWER_GRACE_MS
"""A driver's start, a browser's start, and the word of it."""

CLOSE_MS: Final = TEARDOWN_MS + ANSWER_GRACE_MS
ADAPTER_MS: Final = MODEL.ceiling_ms + ANSWER_GRACE_MS
"""An adapter keeps the time of its settings by itself."""

OBSERVE_MS: Final = REQUEST.default_ms

_MS: Final[dict[str, int]] = {
    "observe": OBSERVE_MS,
    "act": REQUEST.default_ms + VERIFICATION.ceiling_ms + ANSWER_GRACE_MS,
    "read": READ_WAIT.ceiling_ms + ANSWER_GRACE_MS,
    "assert": READ_WAIT.ceiling_ms + ANSWER_GRACE_MS,
    "navigate": NAVIGATION.ceiling_ms + ANSWER_GRACE_MS,
    "reload": NAVIGATION.ceiling_ms + ANSWER_GRACE_MS,
    "listTabs": REQUEST.default_ms,
    "selectTab": REQUEST.default_ms,
    "waitPopup": POPUP_WAIT.ceiling_ms + ANSWER_GRACE_MS,
    "closeTab": REQUEST.default_ms,
    "narrowOriginPolicy": REQUEST.default_ms,
    "close": CLOSE_MS,
}


def deadline_ms(operation: BrowserOperation) -> int:
    """What the live session may take for ``operation``; never more than the ceiling of a request."""
    if not isinstance(operation, CaptureEvidenceOperation):
        return _MS[operation.op]
    include = operation.request.include
    screenshot_ms = operation.request.screenshot_timeout_ms if "screenshot" in include else 0
    evidence_ms = DEFAULT_COMMAND_TIMEOUT_MS if "evidence" in include else 0
    return min(REQUEST.default_ms + screenshot_ms + evidence_ms, REQUEST.ceiling_ms)


def whole_ms(operation: BrowserOperation) -> int:
    """What the worker may take for ``operation``: asking an adapter and taking down what hangs included."""
    asks_adapter = isinstance(operation, ActOperation) and operation.request.step.ref is None
    return deadline_ms(operation) + (OBSERVE_MS + ADAPTER_MS if asks_adapter else 0) + 2 * CLOSE_MS


class StuckError(Exception):
    """A call went on although it was cancelled, for :data:`TEARDOWN_MS`."""


async def within(call: Coroutine[Any, Any, T], ms: int) -> T:
    """The result of ``call``, which ends before this does, whether time is up or the caller is cancelled.

    What it had to say by then counts: a result, or an error of its own. Else raises ``TimeoutError`` or
    ``CancelledError``; and :class:`StuckError` when it does not end.
    """
    task = asyncio.ensure_future(call)
    cancelled: asyncio.CancelledError | None = None
    try:
        await asyncio.wait({task}, timeout=ms / 1000)
    except asyncio.CancelledError as error:
        cancelled = error
    if not task.done():
        task.cancel()
        try:
            await finished(asyncio.wait({task}, timeout=TEARDOWN_MS / 1000))
        except asyncio.CancelledError as error:
            cancelled = error
    if not task.done():
        raise StuckError
    if task.cancelled():
        raise cancelled or TimeoutError
    return task.result()


async def whatever_comes(call: Coroutine[Any, Any, T]) -> T:
    """The result of ``call``, which is not cancelled and has a bound of its own, nor is this until then."""
    task = asyncio.ensure_future(call)
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            continue
    return task.result()
