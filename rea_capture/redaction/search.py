"""Finds every occurrence of one secret, in any spelling, in a text.

Steps, cheapest first:

1. A run of letters and digits of the secret stands unchanged in every spelling, unless the text
   holds an escaped one of these letters, which no ordinary encoder writes. So when such a run is
   not in the text (one ``in``), neither is the secret.
2. Otherwise, the rarest run is the anchor: at each of its places the part before is matched
   backwards and the part after forwards. Time grows with the text, not with text times secret.
3. A secret without a usable run is searched with one regular expression over the whole text.

Patterns are compiled when first needed.

Below: ``spellings``, ``escapes``. Above: ``redactor``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

from rea_capture.redaction.escapes import escaped_alphanumerics
from rea_capture.redaction.spellings import Unit, units_of

MAX_RUNS_TRIED: Final = 4
"""Each is one pass over the text in C; more of them hardly ever rule out what the longest do not."""

Span = tuple[int, int]


class Subject:
    """A text to search, with what several secrets need to know about it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def backwards(self) -> str:
        return self.text[::-1]

    @cached_property
    def escaped(self) -> frozenset[str]:
        return escaped_alphanumerics(self.text)


class Search:
    """The search for one value. Holds parts of a secret, so it has no telling repr."""

    def __init__(self, value: str, as_bytes: bool) -> None:
        self._units = units_of(value, as_bytes)
        places = {unit.run: at for at, unit in enumerate(self._units) if unit.run}
        self._runs = tuple(sorted(places.items(), key=lambda item: -len(item[0])))
        self._alphanumerics = frozenset("".join(places))
        self._compiled: dict[tuple[int, int, bool, bool], re.Pattern[str]] = {}

    @property
    def longest_run(self) -> str:
        """The longest run of letters and digits of the value, empty when it has none."""
        return self._runs[0][0] if self._runs else ""

    def spans(self, subject: Subject) -> Iterator[Span]:
        """Yield where the value stands; spans of overlapping occurrences overlap."""
        tried = [run for run, _ in self._runs[:MAX_RUNS_TRIED]]
        missing = next((run for run in tried if run not in subject.text), None)
        if missing and not subject.escaped.intersection(missing):
            return
        full = not subject.escaped.isdisjoint(self._alphanumerics)
        anchor = self._anchor(subject)
        if anchor is None:
            yield from self._anywhere(subject.text, full)
        elif anchor[0] in subject.text:
            yield from self._around(subject, anchor, full)

    def _anchor(self, subject: Subject) -> tuple[str, int] | None:
        """The rarest of the longest runs that can only be written as themselves."""
        usable = (item for item in self._runs if subject.escaped.isdisjoint(item[0]))
        tried = list(islice(usable, MAX_RUNS_TRIED))
        return min(tried, key=lambda item: subject.text.count(item[0]), default=None)

    def _around(self, subject: Subject, anchor: tuple[str, int], full: bool) -> Iterator[Span]:
        run, index = anchor
        text, size = subject.text, len(run)
        before = self._pattern(0, index, full, backwards=True)
        after = self._pattern(index + 1, len(self._units), full)

        def at(place: int) -> Span | None:
            tail = after.match(text, place + size)
            if tail is None:
                return None
            if index == 0:
                return place, tail.end()
            head = before.match(subject.backwards, len(text) - place)
            return head and (len(text) - head.end(), tail.end())

        place = text.find(run)
        while place >= 0:
            span, last = at(place), -1
            if span:
                yield span
                # Another occurrence may begin inside this one: skip to the last place where it can.
                last = text.rfind(run, place + 1, span[1] - 1 + size)
            place = last if last >= 0 and at(last) else text.find(run, place + 1)

    def _anywhere(self, text: str, full: bool) -> Iterator[Span]:
        pattern = self._pattern(0, len(self._units), full)
        beginning = self._beginning(full)
        found = _search(pattern, beginning, text, 0)
        while found:
            yield found.span()
            inside = (pattern.match(text, at) for at in range(found.end() - 1, found.start(), -1))
            found = next(filter(None, inside), None) or _search(pattern, beginning, text, found.end())

    def _beginning(self, full: bool) -> re.Pattern[str]:
        """What finds a character at which the first unit matches.

        To ``re`` the pattern begins with a character class, so that it skips through the text in C;
        the look-ahead within the look-behind then steps back and tries the whole unit.
        """
        first = self._units[0].piece(full)
        characters = re.escape("".join(sorted(first.starts())))
        return re.compile(f"[{characters}](?<=(?={first.pattern(False)})(?s:.))")

    def _pattern(self, first: int, end: int, full: bool, backwards: bool = False) -> re.Pattern[str]:
        key = (first, end, full, backwards)
        if key not in self._compiled:
            self._compiled[key] = _compile(self._units[first:end], full, backwards)
        return self._compiled[key]


def _search(
    pattern: re.Pattern[str], beginning: re.Pattern[str], text: str, start: int
) -> re.Match[str] | None:
    candidates = (pattern.match(text, at.start()) for at in beginning.finditer(text, start))
    return next(filter(None, candidates), None)


def _compile(units: Sequence[Unit], full: bool, backwards: bool) -> re.Pattern[str]:
    pieces = [unit.piece(full) for unit in units]
    if backwards:
        pieces.reverse()
    return re.compile("".join(piece.pattern(backwards) for piece in pieces))
