"""A worker over two pipes: ``rea browser serve``.

    its first line     a hello with the version of the protocol
    then               one line for each line that it is sent, in the order in which they are done

It ends when its input does: what was asked by then is still answered, for :data:`END_OF_INPUT_S` at most.
It ends at once on a signal, and when nobody reads its answers any more, as when its parent has died.
Whichever it is, every session is closed first.

A client that does not read is not read from either: see :data:`MAX_LINES_IN_HAND`.

Below: ``worker``, ``browsers``, ``session.pipes``. Above: ``cli.browser_serve``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES, MAX_REQUESTS_UNDER_WAY
from rea_capture.contracts.runtime.frames import HelloFrame
from rea_capture.session.pipes.reader import lines
from rea_capture.session.pipes.writer import PipeWriter
from rea_capture.session.worker.browsers import Browsers
from rea_capture.session.worker.worker import Worker
from rea_capture.version import __version__
from rea_capture.workflows.interruptible import Interruption
from rea_capture.workflows.session_loop import SessionLoop

MAX_LINES_IN_HAND: Final = 2 * MAX_REQUESTS_UNDER_WAY
"""Lines that were read and whose answers have not been taken: those under way, and as many that are refused
or wait for the reader. With more than these in hand, no further line is read."""

END_OF_INPUT_S: Final = 10.0
"""How long what was asked before the input ended is still answered."""

MAX_SENDING_S: Final = 4.0
"""How long each of the last answers may take to be written: a pipe may have no reader."""


def serve(stdin: int, stdout: int, interruption: Interruption, environ: Mapping[str, str]) -> None:
    """Serve one client over two descriptors until it is gone or a signal comes."""
    # Libraries log what a call was about, and traces with the data in them.
    for name in ("playwright", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    with asyncio.Runner(loop_factory=SessionLoop) as runner:
        runner.run(_served(stdin, stdout, interruption, environ))


async def _served(stdin: int, stdout: int, interruption: Interruption, environ: Mapping[str, str]) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, __: None)  # what a forgotten task raised is not redacted
    ending = asyncio.Event()
    interruption.passes_to(lambda _: loop.call_soon_threadsafe(ending.set))
    browsers = Browsers(environ)
    worker = Worker(browsers.open, environ=environ, folder=Path.cwd())
    try:
        await converse(stdin, stdout, worker, ending, browsers.warm_up)
    finally:
        interruption.passes_to(None)
        await finished(browsers.close())


async def converse(
    stdin: int,
    stdout: int,
    worker: Worker,
    ending: asyncio.Event,
    on_hello: Callable[[], object] = lambda: None,
) -> None:
    """Answer the lines of ``stdin`` until they end or ``ending`` is set; then close ``worker``.

    ``on_hello`` is called when the hello has been said, which is not to wait for anything.
    """
    writer = PipeWriter(stdout, on_gone=ending.set)
    conversation = _Conversation(worker, writer, ending)
    reading = asyncio.ensure_future(conversation.read(stdin, on_hello))
    try:
        await _first_of(reading, ending)
        if not ending.is_set():  # the input has ended
            await _first_of(asyncio.ensure_future(worker.idle()), ending, END_OF_INPUT_S)
    finally:
        reading.cancel()
        writer.hurry(MAX_SENDING_S)
        await finished(worker.close())
        await finished(conversation.said())
        with suppress(TimeoutError):
            await asyncio.wait_for(writer.close(), MAX_SENDING_S)


class _Conversation:
    """Lines in, answers out."""

    def __init__(self, worker: Worker, writer: PipeWriter, ending: asyncio.Event) -> None:
        self._worker = worker
        self._writer = writer
        self._ending = ending
        self._room = asyncio.Semaphore(MAX_LINES_IN_HAND)
        self._telling: set[asyncio.Task[None]] = set()

    async def read(self, stdin: int, on_hello: Callable[[], object]) -> None:
        """Say hello, and take the lines of ``stdin`` until they end."""
        hello = HelloFrame(rea_version=__version__).model_dump_json(by_alias=True)
        await self._writer.write(hello.encode() + b"\n")
        on_hello()
        loop = asyncio.get_running_loop()

        def hung_up() -> None:
            loop.call_later(END_OF_INPUT_S, self._ending.set)

        async for line in lines(stdin, MAX_FRAME_BYTES, hung_up):
            await self._room.acquire()
            answer = self._worker.take(line)
            if answer is None:
                self._room.release()
                continue
            telling = asyncio.ensure_future(self._told(answer))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)

    async def said(self) -> None:
        """Return when every answer has been written, or nobody is there to read it."""
        while self._telling:
            await asyncio.wait(self._telling)

    async def _told(self, answer: asyncio.Future[bytes]) -> None:
        try:
            await self._writer.write(await answer)
        finally:
            self._room.release()


async def _first_of(work: asyncio.Task[None], ending: asyncio.Event, timeout_s: float | None = None) -> None:
    """Return when ``work`` is over, ``ending`` is set or time is up."""
    waiting = asyncio.ensure_future(ending.wait())
    await asyncio.wait({work, waiting}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
