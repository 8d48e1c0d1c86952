"""Text of a page that shows all that is in it: what nobody would see is written out as an escape.

One table for all that people read: explanations, reports, the terminal. It is our own, not that of the
interpreter, which has another one in each version; and what was captured once is explained alike for ever.

Below: nothing. Above: every room that writes text for people.
"""

from __future__ import annotations

import re
from typing import Final

UNSEEN: Final[tuple[tuple[int, int], ...]] = (
    # Controls, and the two signs that end a line without being one.
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0x2028, 0x2029),
    # Halves of characters, and what never is a character. XML 1.0 allows none of the first nor U+FFFE.
    (0xD800, 0xDFFF),
    (0xFDD0, 0xFDEF),
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
    # Format characters (general category Cf of Unicode 16), among them every bidirectional one.
    (0xAD, 0xAD),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    # The others that are drawn as nothing (Default_Ignorable_Code_Point): a joiner, fillers of Hangul, vowels
    # of Khmer, and what is set aside for more of them, with tags and the second variation selectors in it.
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x3164, 0x3164),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
    # Variation selectors. They choose between two drawings of a sign, if there are two; but any number of any
    # of them may follow any sign, so that whole messages are hidden behind one, and two texts that differ in
    # nothing else look alike. So an emoji may be shown with its selector written out.
    (0x180B, 0x180D),
    (0x180F, 0x180F),
    (0xFE00, 0xFE0F),
)
"""Ranges of code points, both ends included."""

_UNSEEN: Final = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in UNSEEN)}]")


def visible(text: str, but: str = "") -> str:
    """``text`` with each character of :data:`UNSEEN` as an escape (``\\u202e``), ``but`` for some."""
    return _UNSEEN.sub(lambda found: found[0] if found[0] in but else ascii(found[0])[1:-1], text)
