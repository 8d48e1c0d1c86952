"""Text of a page inside a sentence: on one line, short, and without what steers a reader's screen.

Below: ``wording``. Above: ``value_words``, ``transaction_changes``.
"""

from __future__ import annotations

from rea_capture.wording import on_one_line, shortened


def shown_text(text: str, max_characters: int) -> str:
    """``text`` on one line, of which no more than ``max_characters`` are kept and the rest is counted.

    What is not printable, controls and marks of direction among it, is written out as an escape.
    """
    kept = shortened(on_one_line(text), max_characters)
    if kept.isprintable():
        return kept
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in kept
    )
