"""Letting a page react before a step ends.

A click sets things off: a request, a message, a rendering. Word of them reaches us a little after the
click is done, and a step that ends at once would leave them to the next, or not, by chance. Waiting
for one frame and one timer of the page, in the private world, brings home what was set off at once;
it promises nothing about background work.

Below: the private world. Above: the reader.
"""

from __future__ import annotations

import asyncio
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


async def settle(world: PrivateWorld, gone: asyncio.Future[str]) -> None:
    """Wait for one frame and one timer of the page, for at most ``SETTLE_TIMEOUT_MS``.

    ``gone`` is done when the page is lost. Never raises.
    """
    await bounded(world.call(_ONE_FRAME), Deadline.after(SETTLE_TIMEOUT_MS), gone)
