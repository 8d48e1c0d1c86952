"""Finds what is left of secrets that a browser has cut, before anybody could redact the whole.

A console preview keeps the first and the last fifty characters of a long string and puts an ellipsis
between them; the engine's errors about JSON show ten characters to each side of the fault, between three
dots. What stands before a cut may be the beginning of a secret, what follows one its end, and what stands
between two a part from its middle; in every spelling, and even one escape may be cut.

A secret is followed character by character from the cut, so time grows with the text that is looked at.

Below: ``spellings``, ``usual``. Above: ``redactor``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from rea_capture.redaction.spellings import Unit, characters_of
from rea_capture.redaction.usual import spellings_of_character

ELLIPSIS: Final = "\u2026"

CUT: Final = re.compile(rf'{ELLIPSIS}|(?<=, )\.\.\.\\*"|\\*"\.\.\.(?= is not valid JSON|{ELLIPSIS}|\Z)')
"""Where a browser leaves something out: of a preview, or of the text that its JSON parser complains about
(V8, ``kJsonParseUnexpectedTokenSurroundStringWithContext``)."""

MIN_PIECE_CHARACTERS: Final = 4
"""A shorter piece gives little away and is likely to be there by chance."""

MAX_PIECE_CHARACTERS: Final = 512
"""What is looked at to each side of a cut; browsers keep fifty characters, escapes make them more."""

MAX_SPELLING_CHARACTERS: Final = 64
"""Longer than any spelling of one character that is looked for, twice escaped ones included."""

MAX_CACHED_PATTERNS: Final = 1_024
"""Of characters, which are the same in every secret."""

_ESCAPE: Final = re.compile(r"[%&\\]")
"""Without one of these, letters and digits stand as themselves."""

Span = tuple[int, int]


class CutSearch:
    """The search for what is left of one value. Holds parts of a secret, so it has no telling repr."""

    def __init__(self, value: str) -> None:
        self._value = value

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where a beginning, an end or a middle of the value stands at a cut of ``text``."""
        start = 0
        for cut in CUT.finditer(text):
            yield from self._in_piece(text, start, cut.start(), from_cut=start > 0)
            start = cut.end()
        if start:
            yield from self._end(text, start, len(text))

    def _in_piece(self, text: str, start: int, end: int, from_cut: bool) -> Iterator[Span]:
        if end - start < MIN_PIECE_CHARACTERS:
            return
        yield from self._beginning(text, start, end)
        if from_cut:
            yield from self._end(text, start, end)
            yield from self._middle(text, start, end)

    def _beginning(self, text: str, start: int, end: int) -> Iterator[Span]:
        """The longest beginning of the value that ends at ``end``."""
        window = text[max(start, end - MAX_PIECE_CHARACTERS) : end]
        length = self._longest(window, backwards=False)
        if length:
            yield end - length, end

    def _end(self, text: str, start: int, end: int) -> Iterator[Span]:
        """The longest end of the value that begins at ``start``."""
        window = text[start : min(end, start + MAX_PIECE_CHARACTERS)]
        length = self._longest(window[::-1], backwards=True)
        if length:
            yield start, start + length

    def _middle(self, text: str, start: int, end: int) -> Iterator[Span]:
        if end - start > MAX_PIECE_CHARACTERS:
            return
        piece = text[start:end]
        for first in self._places.get(piece[0], ()):
            if self._reaches_end(piece, 0, first, backwards=False):
                yield start, end
                return

    def _longest(self, window: str, backwards: bool) -> int:
        """How long a tail of ``window`` the value fills from its start, or reversed from its end; or 0."""
        last = len(window) - MIN_PIECE_CHARACTERS
        for at in self._starts(window, backwards):
            if at <= last and self._reaches_end(window, at, 0, backwards):
                return len(window) - at
        return 0

    def _starts(self, window: str, backwards: bool) -> Iterator[int]:
        """Where the value may begin, or reversed end: mostly nowhere, which is then soon known."""
        head = (self._value[::-1] if backwards else self._value)[:MIN_PIECE_CHARACTERS]
        if head.isascii() and head.isalnum() and not _ESCAPE.search(window):
            pattern = re.compile(head)
        else:
            pattern = _pattern(self._units[-1 if backwards else 0], backwards)
        return (found.start() for found in pattern.finditer(window))

    def _reaches_end(self, window: str, at: int, first: int, backwards: bool) -> bool:
        """Whether the value, from its unit ``first`` on, fills ``window`` from ``at`` to its end."""
        count = len(self._units)
        before, part = at, ""
        for index in range(first, count):
            unit = self._units[count - 1 - index if backwards else index]
            found = _pattern(unit, backwards).match(window, at)
            if found is None:
                # A run of backslashes has taken in that of an escape after it.
                taken = "\\" if part.startswith("\\") and not backwards else ""
                if index > first and _is_cut_spelling(unit.part, taken + window[at:], backwards):
                    return True
                break
            before, part, at = at, unit.part, found.end()
            if at == len(window):
                return True
        # What matched last may be the sign with which its own spelling begins, as in "&am" of "&amp;".
        return bool(part) and _is_cut_spelling(part, window[before:], backwards)

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return characters_of(self._value)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Which units may begin with a character."""
        places: dict[str, list[int]] = {}
        for index, unit in enumerate(self._units):
            for character in unit.piece(True).starts():
                places.setdefault(character, []).append(index)
        return places


@lru_cache(MAX_CACHED_PATTERNS)
def _pattern(unit: Unit, backwards: bool) -> re.Pattern[str]:
    return re.compile(unit.piece(True).pattern(backwards))


def _is_cut_spelling(part: str, rest: str, backwards: bool) -> bool:
    """Whether ``rest`` is how a spelling of ``part`` begins, or reversed ends: the cut goes through it."""
    if len(rest) > MAX_SPELLING_CHARACTERS:
        return False
    if backwards:
        end = rest[::-1]
        return any(form.endswith(end) for form in spellings_of_character(part))
    return any(form.startswith(rest) for form in spellings_of_character(part))
