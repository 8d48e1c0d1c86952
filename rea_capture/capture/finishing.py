"""Work that is finished whatever happens to the one who waits for it.

Below: asyncio. Above: whoever cleans up: ``stop``, the browser room, the workflows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Final, TypeVar

T = TypeVar("T")

MANY_CANCELLATIONS: Final = 10
BETWEEN_CANCELLATIONS_S: Final = 0.001
"""More than a few cancellations are those of a scope that repeats its own at every turn of the loop."""


async def finished(work: Awaitable[T]) -> T:
    """The result of ``work``, which goes on when the caller is cancelled, once or many times over.

    The cancellation is raised when ``work`` has ended, and not before. So ``work`` has to have a bound of
    its own. (A shield alone ends the wait, and what is being cleaned up is not cleaned up yet; a scope of
    ``anyio`` cancels again at each turn of the loop.)
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    times = 0
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
            times += 1
            if times > MANY_CANCELLATIONS:
                time.sleep(BETWEEN_CANCELLATIONS_S)  # noqa: ASYNC251 - the loop would spin, and starve the work
    if cancelled is None:
        return task.result()
    if not task.cancelled():
        task.exception()  # looked at, so that the loop does not report it as forgotten
    raise cancelled
