"""Lines from a pipe, as fast as they are taken and no faster.

A thread reads, which nobody has to wait for. While its lines are not taken it still notices that the other
end was closed.

Below: ``evidence.descriptors``. Above: whoever is asked over a pipe.
"""

from __future__ import annotations

import asyncio
import select
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Final

from rea_capture.evidence.descriptors import read_some

_CHUNK_BYTES: Final = 64 * 1024
_LINES_AHEAD: Final = 2
"""Lines that are read before they are taken."""

_HANG_UP_POLL_S: Final = 0.5
"""How often a thread whose lines are not taken looks whether anybody is still there."""


async def lines(
    descriptor: int, max_bytes: int, on_hang_up: Callable[[], object] | None = None
) -> AsyncIterator[bytes | None]:
    """The lines that come from ``descriptor``, without their ends; None for one above ``max_bytes``.

    ``on_hang_up`` is called once, in this loop, if the other end is closed while lines are not taken.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[bytes | None] | None] = asyncio.Queue()
    room = threading.Semaphore(_LINES_AHEAD)

    def put(item: tuple[bytes | None] | None) -> None:
        nonlocal on_hang_up
        while not room.acquire(timeout=_HANG_UP_POLL_S if on_hang_up else None):
            if on_hang_up is not None and _has_hung_up(descriptor):
                loop.call_soon_threadsafe(on_hang_up)
                on_hang_up = None
        loop.call_soon_threadsafe(queue.put_nowait, item)

    def read() -> None:
        with suppress(RuntimeError):  # the loop has ended
            for line in _split(descriptor, max_bytes):
                put((line,))
            put(None)

    # A daemon: it may wait for input that never comes, which must not keep the process.
    threading.Thread(target=read, name="rea-stdin", daemon=True).start()
    while (item := await queue.get()) is not None:
        room.release()
        yield item[0]


def _has_hung_up(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(events & (select.POLLHUP | select.POLLERR) for _, events in poll.poll(0))


def _split(descriptor: int, max_bytes: int) -> Iterator[bytes | None]:
    kept = bytearray()
    too_long = False
    while chunk := _read(descriptor):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            whole = too_long or len(kept) + len(end) > max_bytes
            yield None if whole else bytes(kept + end)
            kept.clear()
            too_long = False
        too_long = too_long or len(kept) + len(rest) > max_bytes
        if too_long:
            kept.clear()
        else:
            kept += rest
    if kept or too_long:
        yield None if too_long else bytes(kept)


def _read(descriptor: int) -> bytes:
    try:
        return read_some(descriptor, _CHUNK_BYTES)
    except OSError:  # a terminal that has gone
        return b""
