"""Lines into a pipe whose reader may be slow, stuck or gone, without anybody waiting who need not.

A thread writes one piece after the other, each time as much as the pipe takes. It notices a reader that has
gone also while there is nothing to write.

Below: the standard library. Above: whoever answers over a pipe.
"""

from __future__ import annotations

import asyncio
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

MAX_PENDING_OFFERS: Final = 64
"""What was only offered and waits for the reader, unless another bound is given."""

_GONE: Final = select.POLLERR | select.POLLHUP | select.POLLNVAL


@dataclass(eq=False)
class _Piece:
    rest: memoryview
    written: asyncio.Future[bool] | None
    begun_at: float = field(default_factory=time.monotonic)


class PipeWriter:
    """Writes to ``descriptor``. In the loop that made it, ``on_gone`` is called once when nobody reads it.

    At most ``max_offers`` of what was only offered waits for the reader.
    """

    def __init__(
        self, descriptor: int, on_gone: Callable[[], object], max_offers: int = MAX_PENDING_OFFERS
    ) -> None:
        self._descriptor = descriptor
        self._on_gone = on_gone
        self._max_offers = max_offers
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._pieces: deque[_Piece] = deque()
        self._offers = 0
        self._last: asyncio.Future[bool] | None = None
        self._closing = False
        self._has_gone = False
        self._patience_s: float | None = None
        self._hurried_at = 0.0
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        # A daemon: a reader that is stuck must not keep the process.
        threading.Thread(target=self._work, name="rea-stdout", daemon=True).start()

    async def write(self, data: bytes) -> bool:
        """Whether ``data`` has been written; not when the reader has gone."""
        self._last = written = self._loop.create_future()
        self._put(_Piece(memoryview(data), written))
        return await asyncio.shield(written)

    def offer(self, data: bytes) -> None:
        """Write ``data`` at some time, unless too much waits already."""
        with self._lock:
            if self._offers >= self._max_offers:
                return
            self._offers += 1
        self._put(_Piece(memoryview(data), None))

    def hurry(self, patience_s: float) -> None:
        """From now on a reader that does not take a piece within ``patience_s`` is held for gone."""
        if self._patience_s is None:
            self._patience_s, self._hurried_at = patience_s, time.monotonic()
            self._nudge()

    async def close(self) -> None:
        """Wait until all is written that was put."""
        self._last = last = self._loop.create_future()
        self._closing = True  # before the thread can be done with what is put here
        self._put(_Piece(memoryview(b""), last))
        await asyncio.shield(last)
        os.close(self._woken)  # the thread needs them no more
        os.close(self._wake)

    def _put(self, piece: _Piece) -> None:
        with self._lock:
            self._pieces.append(piece)
        self._nudge()

    def _nudge(self) -> None:
        with suppress(BlockingIOError):  # it has been woken often enough
            os.write(self._wake, b".")

    def _work(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while self._pieces or not self._closing:
                piece = self._pieces[0] if self._pieces else None
                if piece is not None and (self._has_gone or not piece.rest):
                    self._settle(piece)
                elif not self._stepped(piece):
                    self._has_gone = True
                    self._loop.call_soon_threadsafe(self._on_gone)

    def _settle(self, piece: _Piece) -> None:
        with self._lock:
            self._pieces.popleft()
            self._offers -= piece.written is None
        if piece.written is not None:
            self._loop.call_soon_threadsafe(piece.written.set_result, not piece.rest)

    def _stepped(self, piece: _Piece | None) -> bool:
        """Wait for news, and write as much of ``piece`` as fits; not when the reader has gone."""
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        if not self._has_gone:
            poll.register(self._descriptor, select.POLLOUT if piece else 0)
        ready = dict(poll.poll(self._wait_ms(piece)))
        if self._woken in ready:
            os.read(self._woken, select.PIPE_BUF)
        events = ready.get(self._descriptor, 0)
        if events & _GONE:
            return False
        if piece is None:
            return True
        if events:
            try:
                piece.rest = piece.rest[os.write(self._descriptor, piece.rest[: select.PIPE_BUF]) :]
            except BlockingIOError:  # a descriptor that does not block; asked again
                pass
            except OSError:
                return False
        return not piece.rest or self._wait_ms(piece) != 0

    def _wait_ms(self, piece: _Piece | None) -> float | None:
        if piece is None or self._patience_s is None:
            return None
        until = max(piece.begun_at, self._hurried_at) + self._patience_s
        return max(0.0, until - time.monotonic()) * 1000
