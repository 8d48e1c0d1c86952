"""In which line of a TOML file a key is.

The readers of TOML keep no places. This looks at a text that they have accepted, so it needs to know no more
than tables, keys, and where strings of several lines begin and end.

Below: the standard library. Above: ``files``.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

Path = tuple[str, ...]

_PART: Final = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED: Final = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE: Final = re.compile(rf"^\s*\[\[?\s*({_DOTTED})\s*\]")
_KEY: Final = re.compile(rf"^\s*({_DOTTED})\s*=")
_LONG: Final = re.compile("\"\"\"|'''")
_SHORT: Final = re.compile(r"""(?<!["'])(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?!["'])|\#.*""")


def lines_of(text: str) -> dict[Path, int]:
    """The line of each table and key of ``text``, counted from 1; of those in inline tables, their key's."""
    found: dict[Path, int] = {}
    table: Path = ()
    within: str | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if within is None:
            table = _note(line, number, table, found)
        within = _after(line, within)
    return found


def line_of(path: Path, lines: dict[Path, int]) -> int | None:
    """The line of the key at ``path``, else of the nearest thing around it that has one."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path)


def _note(line: str, number: int, table: Path, found: dict[Path, int]) -> Path:
    """Note what ``line`` begins in ``found``; the table that the next line is in."""
    if header := _TABLE.match(line):
        table = _parts(header[1])
        found.setdefault(table, number)
    elif key := _KEY.match(line):
        parts = _parts(key[1])
        for end in range(1, len(parts) + 1):
            found.setdefault(table + parts[:end], number)
    return table


def _parts(dotted: str) -> Path:
    parts: list[str] = []
    document: Any = tomllib.loads(f"{dotted} = 0")
    while isinstance(document, dict):
        ((name, document),) = document.items()
        parts.append(name)
    return tuple(parts)


def _after(line: str, within: str | None) -> str | None:
    """The mark of the string of several lines that goes on after ``line``."""
    if within is None:
        line = _SHORT.sub("", line)
    for mark in _LONG.findall(line):
        if within is None:
            within = mark
        elif within == mark:
            within = None
    return within
