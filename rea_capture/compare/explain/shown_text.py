"""Text of a page inside a sentence: on one line, short, and with all that is in it seen.

Below: ``visible``, ``wording``. Above: ``words``, ``changes``.
"""

from __future__ import annotations

from rea_capture.visible import visible
from rea_capture.wording import on_one_line, shortened


def shown_text(text: str, max_characters: int) -> str:
    """``text`` on one line, of which no more than ``max_characters`` are kept and the rest is counted."""
    return visible(shortened(on_one_line(text), max_characters))
