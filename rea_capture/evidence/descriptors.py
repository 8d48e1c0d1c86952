"""Bytes through a descriptor, whoever set it up: one that does not block is waited for.

A parent with an event loop may hand down a standard stream with O_NONBLOCK set, and the flag is of the open
file, so that taking it away would take it away from the parent too.

Below: the standard library. Above: ``writing``, the command line, the server.
"""

from __future__ import annotations

import os
import select


def write_all(descriptor: int, data: bytes | memoryview) -> None:
    """Write ``data``, all of it, however long that takes. Raises ``OSError``."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            _wait(descriptor, select.POLLOUT)


def read_some(descriptor: int, max_bytes: int) -> bytes:
    """What there is to read, at most ``max_bytes``; nothing at the end. Raises ``OSError``."""
    while True:
        try:
            return os.read(descriptor, max_bytes)
        except BlockingIOError:
            _wait(descriptor, select.POLLIN)


def _wait(descriptor: int, events: int) -> None:
    poll = select.poll()
    poll.register(descriptor, events)
    poll.poll()
