"""Where a text is split, so that nothing of it is lost: the pieces, joined, are the text.

``lines``: after each line feed, and nowhere else; ``str.splitlines`` splits at ten more characters that a
page may use. ``markup``: also before each tag, comment and declaration that has more than its indentation
before it in its line, since a document may well be a single line.

Below: nothing. Above: what explains a text (``compare.explain``) and what shows more of it (``report.html``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

Split: TypeAlias = Literal["lines", "markup"]

_LINE: Final = re.compile(r"[^\n]*+\n?")
_TAG_START: Final = "A-Za-z/!?"
_PIECE: Final = re.compile(rf"[ \t]*+(?:<|[^<\n])[^<\n]*+(?:<(?![{_TAG_START}])[^<\n]*+)*+\n?|[ \t]*+\n?")
"""Indentation, whatever is not a line feed nor a tag's start, a line feed. All possessive: no way back."""


def pieces(text: str, split: Split) -> Iterator[str]:
    """The lines of ``text``; none of an empty text."""
    pattern = _PIECE if split == "markup" else _LINE
    for found in pattern.finditer(text):
        if piece := found.group():
            yield piece


def most_pieces(text: str, split: Split) -> int:
    """No text has more lines than this; counted faster than they are split."""
    return text.count("\n") + 1 + (text.count("<") if split == "markup" else 0)
