"""Capitals as markup takes them: those of ASCII alone, in every edition of Unicode.

``str.lower`` has more of them, other ones in each version of Python, and some that become letters of ASCII:
a Kelvin sign in a tag is no k.

Below: nothing. Above: ``parse_cost``, ``css_paths``.
"""

from __future__ import annotations

import string
from typing import Final

_LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def ascii_lower(text: str) -> str:
    """``text`` with its capitals from A to Z as small letters."""
    return text.translate(_LOWER)
