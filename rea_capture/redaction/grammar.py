"""A few pattern pieces that can be written forwards and backwards.

A secret is searched outwards from a part of it that stands unchanged in the text, so the part before it
must be matched from right to left. ``re`` cannot do that, but matching the reversed pattern in the
reversed text is the same thing. No piece has a repr, for it may hold a part of a secret.

Below: the standard library. Above: ``spellings`` builds these pieces, ``search`` compiles them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol


class Piece(Protocol):
    """A part of a pattern."""

    def pattern(self, backwards: bool) -> str:
        """The regular expression, to be used on reversed text when ``backwards``."""
        ...

    def starts(self) -> frozenset[str]:
        """The characters it may begin with, and the empty string when it may be empty."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Literal:
    """Exactly this text."""

    text: str

    def pattern(self, backwards: bool) -> str:
        return re.escape(self.text[::-1] if backwards else self.text)

    def starts(self) -> frozenset[str]:
        return frozenset((self.text[:1],))


@dataclass(frozen=True, slots=True, repr=False)
class OneOf:
    """One of these characters."""

    characters: str

    def pattern(self, backwards: bool) -> str:
        return f"[{re.escape(self.characters)}]"

    def starts(self) -> frozenset[str]:
        return frozenset(self.characters)


@dataclass(frozen=True, slots=True, repr=False)
class Series:
    """These parts, one after the other."""

    parts: tuple[Piece, ...]

    def pattern(self, backwards: bool) -> str:
        ordered = self.parts[::-1] if backwards else self.parts
        return "".join(part.pattern(backwards) for part in ordered)

    def starts(self) -> frozenset[str]:
        found = frozenset(("",))
        for part in self.parts:
            if "" not in found:
                break
            found = (found - {""}) | part.starts()
        return found


@dataclass(frozen=True, slots=True, repr=False)
class Choice:
    """One of these options, the first that leads to a match."""

    options: tuple[Piece, ...]

    def pattern(self, backwards: bool) -> str:
        return f"(?:{'|'.join(option.pattern(backwards) for option in self.options)})"

    def starts(self) -> frozenset[str]:
        return frozenset().union(*(option.starts() for option in self.options))


@dataclass(frozen=True, slots=True, repr=False)
class Repeat:
    """``part`` between ``low`` and ``high`` times, as many as possible."""

    part: Piece
    low: int
    high: int

    def pattern(self, backwards: bool) -> str:
        inner = self.part.pattern(backwards)
        grouped = inner if len(inner) == 1 else f"(?:{inner})"
        return f"{grouped}{{{self.low},{self.high}}}"

    def starts(self) -> frozenset[str]:
        return self.part.starts() if self.low else self.part.starts() | {""}


def series(*parts: Piece) -> Series:
    return Series(parts)


def choice(*options: Piece) -> Piece:
    return options[0] if len(options) == 1 else Choice(options)


def optional(part: Piece) -> Repeat:
    return Repeat(part, 0, 1)


def hexadecimal(digits: str) -> Piece:
    """``digits`` in upper and lower case, mixed as well."""
    return Series(tuple(OneOf(d.lower() + d.upper()) if d.isalpha() else Literal(d) for d in digits))


@dataclass(frozen=True, slots=True, repr=False)
class Written:
    """A piece whose patterns are already written, to be used many times."""

    forwards: str
    in_reverse: str
    beginnings: frozenset[str]

    def pattern(self, backwards: bool) -> str:
        return self.in_reverse if backwards else self.forwards

    def starts(self) -> frozenset[str]:
        return self.beginnings


def written(piece: Piece) -> Written:
    return Written(piece.pattern(False), piece.pattern(True), piece.starts())
