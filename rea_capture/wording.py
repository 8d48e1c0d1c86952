"""Words that sentences of every room are made of: a cut text, a count, a list.

Below: nothing. Above: every room.
"""

from __future__ import annotations

from collections.abc import Iterable


def shortened(text: str, max_characters: int) -> str:
    """``text``, of which no more than ``max_characters`` are kept and the rest is counted."""
    rest = len(text) - max_characters
    return text if rest <= 0 else f"{text[:max_characters]}… ({rest} more characters)"


def on_one_line(text: str) -> str:
    """``text`` with every run of white space as one space, none at its ends."""
    return " ".join(text.split())


def sentence(words: str) -> str:
    """``words`` with a capital at their beginning and a full stop at their end."""
    return f"{words[:1].upper()}{words[1:]}."


def counted(count: int, noun: str) -> str:
    """``count`` of a regular noun: "1 rule", "2 rules"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Iterable[str], max_names: int | None = None) -> str:
    """``names`` for a sentence: "a, b and c", or "nothing"; beyond ``max_names``, "a, b and 3 more"."""
    words = list(names)
    rest = 0 if max_names is None else len(words) - max_names
    if rest > 0:
        return f"{', '.join(words[:max_names])} and {rest} more"
    if not words:
        return "nothing"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
