"""Serving, from the first message to the last: one loop, ended by the client or by a signal.

Below: ``server``, ``stdio``, ``loopback``. Above: ``cli.serve_command``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import anyio

from rea_capture.capture.finishing import finished
from rea_capture.mcp_server.limits import MAX_RECLAIM_S
from rea_capture.mcp_server.server import Door, Settings
from rea_capture.workflows.interruptible import Interruption
from rea_capture.workflows.session_loop import SessionLoop

Serving: TypeAlias = Callable[[Door, asyncio.Event], Coroutine[Any, Any, None]]
"""Serves until the client has gone or the event is set; then whatever is under way ends."""


def serve_over_pipes(settings: Settings, stdin: int, stdout: int, interruption: Interruption) -> None:
    """Serve one client over two descriptors, until it closes one of them or a signal comes."""

    async def serving(door: Door, ending: asyncio.Event) -> None:
        from rea_capture.mcp_server.stdio import pipes  # noqa: PLC0415 - only one of the two transports

        async with pipes(stdin, stdout, ending) as (incoming, outgoing):
            await door.server.run(incoming, outgoing, door.server.create_initialization_options())

    _run(settings, serving, interruption)


def serve_over_http(
    settings: Settings, port: int, tell: Callable[[str], None], interruption: Interruption
) -> None:
    """Serve on a loopback port until a signal comes; ``tell`` gets the address, and what happens to sessions.

    Raises :class:`UnavailableError` when the port cannot be had.
    """
    from rea_capture.mcp_server.loopback import ADDRESS, PATH, listening, serve_http  # noqa: PLC0415 - as above

    with listening(port) as listener:
        tell(f"serving MCP at http://{ADDRESS}:{listener.getsockname()[1]}{PATH}")
        _run(settings, lambda door, ending: serve_http(door, listener, ending, tell), interruption)


def _run(settings: Settings, serving: Serving, interruption: Interruption) -> None:
    # Libraries log what a call was about, and traces with the data in them.
    for name in ("mcp", "uvicorn", "playwright", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    with asyncio.Runner(loop_factory=SessionLoop) as runner:
        runner.run(_served(settings, serving, interruption))


async def _served(settings: Settings, serving: Serving, interruption: Interruption) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, __: None)  # what a forgotten task raised is not redacted
    door = Door(settings)
    # Not by cancelling: what is in hand between the client and the library would be an error of the library.
    ending = asyncio.Event()
    task = asyncio.ensure_future(serving(door, ending))
    cleaning = asyncio.ensure_future(_clean_up_after_killed_ones(settings.environ))
    interruption.passes_to(lambda _: loop.call_soon_threadsafe(ending.set))
    try:
        await asyncio.wait({task})
    finally:
        interruption.passes_to(None)
        cleaning.cancel()
        await finished(door.close_sessions())
        door.close()
    task.result()


async def _clean_up_after_killed_ones(environ: Mapping[str, str]) -> None:
    def reclaimed() -> None:
        from rea_capture.browser.ownership import reclaim  # noqa: PLC0415 - beside the first messages

        reclaim(environ, deadline=time.monotonic() + MAX_RECLAIM_S)

    with suppress(OSError, RuntimeError):
        await anyio.to_thread.run_sync(reclaimed, abandon_on_cancel=True)
