"""The bytes of a message, for whoever reads its arguments.

Below: the standard library. Above: ``stdio``, which attaches them, and ``server``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Frame:
    """One message as it came over a pipe; its bytes are given away once."""

    data: bytes | None

    def take(self) -> bytes | None:
        """The bytes, which are not kept any longer."""
        data, self.data = self.data, None
        return data


async def raw_message(request: Any) -> bytes | None:
    """The bytes behind ``request``, which is what a transport attached; None where one attaches nothing."""
    if isinstance(request, Frame):
        return request.take()
    body = getattr(request, "body", None)
    if body is None:
        return None
    data: bytes = await body()
    return data
