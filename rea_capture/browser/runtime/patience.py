"""The time that one operation has, shared by all that it waits for.

Below: asyncio. Above: ``live`` and its parts.
"""

from __future__ import annotations

import asyncio
from typing import Final

LAST_LOOK_MS: Final = 1_000
"""What is begun just before time is up still has this long, so that it is known how things are by then."""


class Patience:
    """``whole_ms`` from now on."""

    def __init__(self, whole_ms: int) -> None:
        self.whole_ms = whole_ms
        self._now = asyncio.get_running_loop().time
        self._ends = self._now() + whole_ms / 1000

    @property
    def is_over(self) -> bool:
        """Whether time is up."""
        return self._now() >= self._ends

    def left_ms(self, *, most: int | None = None, least: int = 1) -> int:
        """What is left, within these bounds; never 0, which the driver takes for no bound at all."""
        left = max(least, int((self._ends - self._now()) * 1000))
        return left if most is None else min(left, most)

    def at_most(self, most_ms: int) -> Patience:
        """The next ``most_ms`` of it, or what is left."""
        return Patience(self.left_ms(most=most_ms))
