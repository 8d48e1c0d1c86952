"""Cuts a secret into units, each of which matches every spelling of its characters.

Because each unit matches all of its spellings on its own, it never matters which characters an
encoder chose to escape. Units are made so that two of them never compete for the same text:
a run of backslashes, of one quotation mark, or of white space is one unit. That is what keeps the
search free of exponential backtracking.

Below: ``escapes`` and ``grammar``. Above: ``search``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from rea_capture.redaction.escapes import (
    ANY_BACKSLASHES,
    BACKSLASH,
    BACKSLASHES,
    MAX_BACKSLASHES_BEFORE_ESCAPE,
    after_backslash,
    character_reference,
    percent_encoded,
    raw_forms,
)
from rea_capture.redaction.grammar import (
    Literal,
    OneOf,
    Piece,
    Repeat,
    Series,
    Written,
    choice,
    optional,
    series,
    written,
)

WHITE_SPACE: Final = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
r"""What JavaScript's \s and Python's str.isspace() call white space, together."""

INVISIBLE: Final = "\u200b\u00ad"
"""Removed by Playwright from accessible names and by text matching: zero width space, soft hyphen."""

VANISHING_WHITE_SPACE: Final = "\t\n\r"
"""Removed by <input> and by the URL parser."""

MAX_EXTRA_WHITE_SPACE_CHARACTERS: Final = 64
"""White space that one run may have grown to: indentation of a pretty-printed document."""

QUOTED_BY_BACKSLASH: Final = "\"'`/$"
"""Written after a backslash as themselves: JSON, JavaScript strings and template literals."""

MIN_LOWER_CASED_CHARACTERS: Final = 8
"""In UTF-16 code units. Shorter values are searched as they are only, lest a value like "Text" redact the
word "text" of every page."""

MAX_CACHED_CHARACTERS: Final = 1024
"""The patterns of single characters are kept: they are costly to write, and the same in every secret."""

_NEVER_JOINED: Final = WHITE_SPACE + INVISIBLE + "+\\'\""
"""These are spelled as runs, and no accent joins them."""

_COMMON_WHITE_SPACE: Final = "\t\n\v\f\r \xa0"
_ANY_WHITE_SPACE: Final = f"[{re.escape(WHITE_SPACE)}]+"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit stands: in bytes or text, and what is beside it.

    A run of backslashes takes in those that escape what follows it, so the follower has none of
    its own; otherwise the two would compete for them.
    """

    as_bytes: bool
    first: bool = False
    after_backslashes: bool = False
    before_backslashes: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Unit:
    """A part of a secret. ``run`` is its text when that is letters and digits only, else empty."""

    part: str
    place: Place

    @property
    def run(self) -> str:
        return self.part if _is_alphanumeric(self.part) else ""

    def piece(self, escaped_alphanumerics: bool) -> Piece:
        """What matches it; letters and digits only as themselves, or also escaped."""
        if not self.run:
            return _piece(self.part, self.place)
        if not escaped_alphanumerics:
            return Literal(self.part)
        inside = Place(self.place.as_bytes)
        return Series(tuple(_alphanumeric(c, inside if at else self.place) for at, c in enumerate(self.part)))


def letter_cases(value: str) -> tuple[str, ...]:
    """``value`` and, where it is long enough, its lower-case form: how browsers write host names,
    header names and media types.
    """
    long_enough = len(value.encode("utf-16-le")) // 2 >= MIN_LOWER_CASED_CHARACTERS
    return tuple(dict.fromkeys((value, value.lower()))) if long_enough else (value,)


def trimmed(value: str) -> str:
    """``value`` without white space at its ends, as accessible names and inputs show it."""
    return value.strip(WHITE_SPACE + INVISIBLE)


def without_invisible(value: str) -> str:
    """``value`` without the characters that tools drop wherever they stand."""
    return re.sub(f"[{INVISIBLE}]", "", value)


def collapsed(value: str) -> str:
    """``value`` trimmed, with each run of white space as one space."""
    return re.sub(_ANY_WHITE_SPACE, " ", without_invisible(trimmed(value)))


def units_of(value: str, as_bytes: bool) -> tuple[Unit, ...]:
    """Cut ``value`` into units; ``as_bytes`` for bytes that were decoded as Latin-1."""
    parts = list(_parts(value))
    borders = ["", *parts, ""]
    return tuple(
        Unit(part, Place(as_bytes, not before, before.startswith("\\"), after.startswith("\\")))
        for before, part, after in zip(borders, parts, borders[2:], strict=False)
    )


def characters_of(value: str) -> tuple[Unit, ...]:
    """As :func:`units_of` for text, with each letter and digit as a unit of its own."""
    return tuple(one for unit in units_of(value, as_bytes=False) for one in _single(unit))


def _single(unit: Unit) -> Iterator[Unit]:
    if not unit.run:
        yield unit
        return
    inside = Place(unit.place.as_bytes)
    for at, character in enumerate(unit.run):
        yield Unit(character, inside if at else unit.place)


def _parts(value: str) -> Iterator[str]:
    """Cut into runs of letters and digits, of white space, of one quote or backslash, and clusters."""
    numbered = enumerate(_clusters(value))
    for kind, members in groupby(numbered, key=lambda item: _kind(item[1]) or str(item[0])):
        run = "".join(cluster for _, cluster in members)
        if kind == "space" and not re.search(_ANY_WHITE_SPACE, run):
            yield from re.findall(rf"\+|[{INVISIBLE}]+", run)
        else:
            yield run


def _kind(cluster: str) -> str:
    """Name the run that ``cluster`` belongs to; empty when it stands alone."""
    if _is_alphanumeric(cluster):
        return "alphanumeric"
    if cluster in WHITE_SPACE or cluster in INVISIBLE or cluster == "+":
        return "space"
    return cluster if cluster in ("\\", "'", '"') else ""


def _is_alphanumeric(text: str) -> bool:
    return text.isascii() and text.isalnum()


def _clusters(value: str) -> Iterator[str]:
    """Cut where Unicode normalisation never joins: a letter and its accents stay together."""
    if value.isascii():
        yield from value
        return
    cluster = value[0]
    for character in value[1:]:
        if _normalises_apart(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    yield cluster


def _normalises_apart(cluster: str, character: str) -> bool:
    if character.isascii() or cluster in _NEVER_JOINED:
        return True
    if unicodedata.combining(character):
        return False
    joined = unicodedata.normalize("NFC", cluster + character)
    return joined == unicodedata.normalize("NFC", cluster) + unicodedata.normalize("NFC", character)


def _piece(part: str, place: Place) -> Piece:
    if part[0] == "\\":
        return _backslashes(len(part))
    if part[0] in "'\"":
        return _quotes(part, place)
    if re.search(_ANY_WHITE_SPACE, part):
        return _white_space(part, place)
    if part[0] in INVISIBLE:
        return Repeat(choice(*(_character(c, place) for c in INVISIBLE)), 0, len(part))
    forms = dict.fromkeys([part, *(unicodedata.normalize(form, part) for form in ("NFC", "NFD"))])
    return choice(*(_cluster(form, place) for form in forms))


def _cluster(form: str, place: Place) -> Piece:
    inside = Place(place.as_bytes)
    first = _character(form[0], place)
    return Series((first, *(_character(character, inside) for character in form[1:])))


@lru_cache(MAX_CACHED_CHARACTERS)
def _character(character: str, place: Place) -> Written:
    """Any spelling of one character; the longest first, so that no tail of an escape is left over."""
    simple = choice(
        character_reference(character),
        percent_encoded(character),
        *raw_forms(character, place.as_bytes),
    )
    escaped = after_backslash(character)
    if place.first and character not in QUOTED_BY_BACKSLASH:
        # A backslash before it belongs to the text around the secret.
        return written(choice(series(BACKSLASHES, escaped), simple))
    return written(_escapable(simple, escaped, place))


@lru_cache(MAX_CACHED_CHARACTERS)
def _alphanumeric(character: str, place: Place) -> Written:
    # Read backwards, an escape of a digit may begin with the digit itself ("%30"), so that comes last.
    escaped = after_backslash(character)
    return written(
        choice(
            percent_encoded(character),
            character_reference(character),
            escaped if place.after_backslashes else series(BACKSLASHES, escaped),
            Literal(character),
        )
    )


def _escapable(simple: Piece, escaped: Piece, place: Place) -> Piece:
    """Either form with the backslashes before it, those of ``simple`` being superfluous."""
    if place.after_backslashes:
        return choice(escaped, simple)
    return choice(series(BACKSLASHES, escaped), series(ANY_BACKSLASHES, simple))


def _backslashes(count: int) -> Piece:
    """A run of backslashes, which every round of JSON doubles; its last may escape what follows."""
    most = count * (MAX_BACKSLASHES_BEFORE_ESCAPE + 1) + MAX_BACKSLASHES_BEFORE_ESCAPE
    one = choice(BACKSLASH, character_reference("\\"))
    spelled_out = series(BACKSLASHES, after_backslash("\\"))
    return choice(Repeat(one, count, most), Repeat(spelled_out, count, count))


def _quotes(run: str, place: Place) -> Piece:
    """A run of one quotation mark: each spelled on its own, or all doubled (YAML, SQL, CSV)."""
    following = [_character(run[0], Place(place.as_bytes))] * (len(run) - 1)
    return choice(Literal(run * 2), series(_character(run[0], place), *following))


def _white_space(run: str, place: Place) -> Piece:
    """A run of white space, with the plus signs within it, as another such run."""
    groups = re.findall(_ANY_WHITE_SPACE, without_invisible(run))
    low = run.count("+") + sum(not set(group) <= set(VANISHING_WHITE_SPACE) for group in groups)
    high = len(run) + MAX_EXTRA_WHITE_SPACE_CHARACTERS
    plain, escaped = _white_space_forms(run, place.as_bytes)
    if place.before_backslashes:
        atom = choice(series(BACKSLASHES, escaped), plain)
    else:
        atom = _escapable(plain, escaped, Place(place.as_bytes))
    if not place.after_backslashes:
        return Repeat(atom, low, high)
    whole = series(choice(escaped, plain), Repeat(atom, max(low - 1, 0), high))
    return whole if low else optional(whole)


def _white_space_forms(run: str, as_bytes: bool) -> tuple[Piece, Piece]:
    """What one white space character looks like, and what it looks like after a backslash."""
    characters = "".join(dict.fromkeys(_COMMON_WHITE_SPACE + run.replace("+", "")))
    encoded = characters + "+"  # a form writes "+" for a space, and the next encoder "%2B"
    ascii_only = "".join(c for c in characters if c.isascii())
    wide = [form for c in characters if not c.isascii() for form in raw_forms(c, as_bytes)]
    plain = choice(
        OneOf((ascii_only if as_bytes else WHITE_SPACE) + "+"),
        *(form for form in wide if as_bytes or form.text not in WHITE_SPACE),
        percent_encoded(encoded),
        character_reference(encoded),
    )
    return plain, after_backslash(encoded)
