"""Letting a page react before a step ends.

A click sets things off: a request, a message, a rendering. Word of them reaches us a little after the
click is done, and a step that ends at once would leave them to the next, or not, by chance. Waiting
for one frame and one timer of the page, in the private world, brings home what was set off at once;
it promises nothing about background work.

Below: the private world. Above: the reader.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from rea_capture.browser.artifacts.bounded import Deadline, bounded
from rea_capture.browser.artifacts.world import PrivateWorld

SETTLE_TIMEOUT_MS: Final = 1_000
"""A page that is busy for longer is not about to settle. On a machine that is, a frame can take a good
part of it."""

_ONE_FRAME: Final = """() => new Promise(settled => {
  const timer = () => setTimeout(settled, 0);
  document.visibilityState === 'visible' ? requestAnimationFrame(timer) : timer();
})"""


_SHOWN: Final = """() => new Promise(shown => {
  const timer = () => setTimeout(shown, 0);
  const next = () => requestAnimationFrame(timer);
  document.visibilityState === 'visible' ? requestAnimationFrame(next) : timer();
})"""

SHOWN_TIMEOUT_MS: Final = 500
"""A frame that is scrolled out of view may draw no frame at all, and is not in the picture either."""


async def shown(world: PrivateWorld, context: int) -> None:
    """Wait until what was changed in ``context`` has been drawn, for at most ``SHOWN_TIMEOUT_MS``.

    A picture of the page asks the page's own process for a new frame; the processes of its frames are
    not asked, and theirs is the last that they drew. The second frame begins when the first is drawn.
    Raises what the private world does.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(SHOWN_TIMEOUT_MS / 1_000):
            await world.call(_SHOWN, context=context)


async def settle(world: PrivateWorld, gone: asyncio.Future[str]) -> None:
    """Wait for one frame and one timer of the page, for at most ``SETTLE_TIMEOUT_MS``.

    ``gone`` is done when the page is lost. Never raises.
    """
    await bounded(world.call(_ONE_FRAME), Deadline.after(SETTLE_TIMEOUT_MS), gone)
