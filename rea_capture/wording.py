"""Words that sentences of every room are made of: a cut text, a count, a list.

Below: nothing. Above: every room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_WHITE_SPACE: Final = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""What Unicode calls so, and the separators of ASCII. Not the interpreter's own table: what is captured once
reads alike in every version of it."""


class Name(str):
    """What somebody has called a document: a file's name, before which no article stands."""

    __slots__ = ()


def subject(what: str) -> str:
    """``what`` as the subject of a sentence: "the scenario", but "bad.json" of a :class:`Name`."""
    return what if isinstance(what, Name) else f"the {what}"


def shortened(text: str, max_characters: int) -> str:
    """``text``, of which no more than ``max_characters`` are kept and the rest is counted."""
    rest = len(text) - max_characters
    return text if rest <= 0 else f"{text[:max_characters]}… ({counted(rest, 'more character')})"


def on_one_line(text: str) -> str:
    """``text`` with every run of white space as one space, none at its ends."""
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def sentence(words: str) -> str:
    """``words`` with a capital at their beginning, where that is a letter of English, and a full stop."""
    first = words[:1].upper() if words[:1].isascii() else words[:1]
    return f"{first}{words[1:]}."


def figure(number: int) -> str:
    """``number`` as sentences have it: "1,234"."""
    return f"{number:,}"


def counted(count: int, noun: str) -> str:
    """``count`` of a regular noun: "1 rule", "2,000 rules"."""
    return f"{figure(count)} {noun}{'' if count == 1 else 's'}"


def listed(names: Iterable[str], max_names: int | None = None) -> str:
    """``names`` for a sentence: "a, b and c", or "nothing"; beyond ``max_names``, "a, b and 3 more"."""
    words = list(names)
    rest = 0 if max_names is None else len(words) - max_names
    if rest > 0:
        return f"{', '.join(words[:max_names])} and {figure(rest)} more"
    if not words:
        return "nothing"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
