"""The bytes of a message, for whoever reads its arguments.

Below: the standard library. Above: ``stdio`` and ``http_requests``, which attach them, and ``server``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(slots=True)
class Frame:
    """One message as it came; its bytes are given away once."""

    data: bytes | None

    def take(self) -> bytes | None:
        """The bytes, which are not kept any longer."""
        data, self.data = self.data, None
        return data


FRAME: Final = "rea_capture.frame"
"""Under this name a request over HTTP has its :class:`Frame`."""


def raw_message(request: Any) -> bytes | None:
    """The bytes behind ``request``, which is what a transport attached; None where one attaches nothing."""
    frame = request if isinstance(request, Frame) else getattr(request, "scope", {}).get(FRAME)
    return None if frame is None else frame.take()
