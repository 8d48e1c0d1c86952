"""Captured text inside Markdown: never markup, a mention, a reference, a link or a picture.

GitHub looks for mentions, references and addresses in the text that its renderer leaves, so escapes do not
keep them off; code does. So of a sentence only words that are nothing but letters stand as they are, and all
else is a code span. Whatever is captured is made visible first, and is on one line.

Below: ``visible``. Above: ``markdown``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from rea_capture.report.visible import visible

_PLAIN_WORD: Final = re.compile(
    # Letters, and what a sentence puts around them. A hyphen and a digit would be a reference.
    "[(\"']?(?:[A-Za-z]+(?:'[a-z]+)?|[a-z]+(?:-[a-z]+)+)[\"')]{0,2}[.,;:!?]?"
    # A count, a decimal, a per cent. A number with a full stop could begin a list.
    r"|\(?(?:\d{1,3}(?:,\d{3})*|\d{1,6}|\d{1,4}\.\d{1,3})[,;]?|%\)?[.,;]?"
)
_LIKE_A_COMMIT: Final = re.compile("\\W*(?:[A-Fa-f]{7,}|\\d{7,})\\W*")
"""GitHub links seven hexadecimal digits and more where the repository has such a commit."""

_BACKTICKS: Final = re.compile("`+")
_MAX_BACKTICKS: Final = 32
"""In a row. GitHub's renderer knows no code span of more than 80, and takes a fence of more than 255 for one
of 255; so what is captured may not ask for one."""


def code(text: str, *, in_cell: bool = False) -> str:
    """``text`` as a code span; ``in_cell`` where it stands in a table."""
    shown = _in_code(text)
    if not shown.strip(" "):
        shown = f'"{shown}"'  # a code span of nothing is none
    marks = "`" * (_longest_run(shown) + 1)
    padding = " " if shown[0] in " `" or shown[-1] in " `" else ""
    return f"{marks}{padding}{_without_pipes(shown) if in_cell else shown}{padding}{marks}"


def sentence(text: str, *, in_cell: bool = False) -> str:
    """``text``, of which plain words stand as they are and the rest is code spans."""
    pieces = []
    for plain, run in groupby(filter(None, visible(text).split(" ")), _is_plain):
        joined = " ".join(run)
        pieces.append(joined if plain else code(joined, in_cell=in_cell))
    return " ".join(pieces)


def html_code(text: str) -> str:
    """``text`` as HTML, for where Markdown is not read: the line of a summary."""
    return f"<code>{html.escape(visible(text))}</code>"


def fence(lines: Iterable[str], language: str = "diff") -> str:
    """``lines``, each made visible, as a block of code that none of them ends."""
    shown = [_in_code(line) for line in lines]
    marks = "`" * max(3, 1 + max(map(_longest_run, shown), default=0))
    return "\n".join((f"{marks}{language}", *shown, marks))


def _in_code(text: str) -> str:
    """``text`` made visible, with backticks counted where there are too many in a row."""
    return _BACKTICKS.sub(
        lambda run: run[0] if len(run[0]) <= _MAX_BACKTICKS else rf"\x60{{{len(run[0])}}}", visible(text)
    )


def _is_plain(word: str) -> bool:
    return _PLAIN_WORD.fullmatch(word) is not None and _LIKE_A_COMMIT.fullmatch(word) is None


def _longest_run(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def _without_pipes(text: str) -> str:
    """``text`` with nothing that ends a cell of a table, as a pipe does even inside code.

    A row is taken apart before its code is read: the backslash is gone by then, whatever stands before it.
    """
    return text.replace("|", r"\|")
