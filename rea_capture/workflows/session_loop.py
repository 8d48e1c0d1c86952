"""An event loop whose child processes do not get the terminal's signals, nor our standard error.

A Ctrl-C in the terminal then reaches us and not the driver under us; and what a driver that dies has to say
is a trace of its own code.

Below: asyncio. Above: ``interruptible``, and the server that captures for others.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any


class SessionLoop(asyncio.SelectorEventLoop):
    """Starts each child process in a session of its own, and knows those that run."""

    def __init__(self) -> None:
        super().__init__()
        self._children: list[asyncio.SubprocessTransport] = []

    async def subprocess_exec(self, *arguments: Any, **options: Any) -> Any:
        """As ever, in a new session and without our standard error."""
        options["start_new_session"] = True
        if "DEBUG" not in os.environ:  # the driver's own way of being asked for its log
            options["stderr"] = asyncio.subprocess.DEVNULL
        transport, protocol = await super().subprocess_exec(*arguments, **options)
        self._children = [each for each in self._children if each.get_returncode() is None]
        self._children.append(transport)
        return transport, protocol

    def kill_children(self) -> None:
        """End every process that was started here at once."""
        for transport in self._children:
            with suppress(ProcessLookupError):  # it has ended
                transport.kill()
