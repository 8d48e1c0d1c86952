"""Text that was captured, as one line that shows all that is in it, no longer than there is room for.

Below: ``rea_capture.visible``, ``wording``. Above: every renderer that writes text.
"""

from __future__ import annotations

from rea_capture import visible as table
from rea_capture.wording import shortened


def visible(text: str, max_characters: int | None = None) -> str:
    """``text`` on one line, with nothing in it unseen; cut to ``max_characters``, the rest counted."""
    return table.visible(text if max_characters is None else shortened(text, max_characters))
