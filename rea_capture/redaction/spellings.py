"""Cuts a secret into units, each of which matches every spelling of its characters.

Because each unit matches all of its spellings on its own, it never matters which characters an
encoder chose to escape. Units are made so that two of them never compete for the same text:
a run of backslashes, of one quotation mark, or of white space is one unit. That is what keeps the
search free of exponential backtracking.

Above: ``search``. Below: ``escapes`` and ``grammar``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rea_capture.redaction.escapes import (
    BACKSLASHES,
    MAX_BACKSLASHES_BEFORE_ESCAPE,
    PERCENT,
    after_backslash,
    character_reference,
    percent_encoded,
    raw_forms,
)
from rea_capture.redaction.escapes import BACKSLASH as BACKSLASH_PIECE
from rea_capture.redaction.grammar import Literal, OneOf, Piece, Repeat, Series, choice, optional, series

# What JavaScript's \s and Python's str.isspace() call white space, together.
WHITE_SPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
# Removed by Playwright from accessible names and by text matching: zero width space, soft hyphen.
INVISIBLE = "\u200b\u00ad"
# Removed by <input> and by the URL parser.
VANISHING_WHITE_SPACE = "\t\n\r"
# White space that one run may have grown to: indentation of a pretty-printed document.
MAX_EXTRA_WHITE_SPACE_CHARACTERS = 64

_COMMON_WHITE_SPACE = "\t\n\v\f\r \xa0"
_QUOTES = "'\""


@dataclass(frozen=True, slots=True, repr=False)
class Unit:
    """A part of a secret.

    ``plain`` matches it where letters and digits stand for themselves, ``full`` also where they are
    escaped. ``run`` is the text itself when it is letters and digits only, else empty.
    """

    plain: Piece
    full: Piece
    run: str = ""


def trimmed(value: str) -> str:
    """Return ``value`` without white space at its ends, as accessible names and inputs show it."""
    return value.strip(WHITE_SPACE + INVISIBLE)


def collapsed(value: str) -> str:
    """Return ``value`` trimmed, with each run of white space as one space."""
    visible = re.sub(f"[{INVISIBLE}]", "", trimmed(value))
    return re.sub(f"[{re.escape(WHITE_SPACE)}]+", " ", visible)


def units_of(value: str, as_bytes: bool) -> tuple[Unit, ...]:
    """Cut ``value`` into units; ``as_bytes`` for bytes that were decoded as Latin-1."""
    made: list[Unit] = []
    after_backslashes = False
    for part in _parts(value):
        made.append(_unit(part, as_bytes, after_backslashes))
        after_backslashes = "\\" in part and set(part) <= _MIXABLE
    return tuple(made)


# Characters whose spellings can stand for one another when they are neighbours.
_MIXABLE = frozenset(WHITE_SPACE + "\\+")


def _parts(value: str) -> Iterator[str]:
    """Cut into runs of letters and digits, white space and its like, equal quotes, and clusters."""
    clusters = list(_clusters(value))
    at = 0
    while at < len(clusters):
        end = at + 1
        while end < len(clusters) and _belong_together(clusters[at], clusters[end]):
            end += 1
        run = "".join(clusters[at:end])
        if _is_mixable(run) and not set(run) & set(WHITE_SPACE) and "+" in run:
            # Without white space a plus sign is only a plus sign.
            yield from re.findall(r"\\+|\+", run)
        else:
            yield run
        at = end


def _belong_together(first: str, following: str) -> bool:
    if _is_alphanumeric(first):
        return _is_alphanumeric(following)
    if _is_mixable(first):
        return _is_mixable(following)
    return first in _QUOTES and first == following


def _is_alphanumeric(text: str) -> bool:
    return text.isascii() and text.isalnum()


def _is_mixable(text: str) -> bool:
    return set(text) <= _MIXABLE


def _clusters(value: str) -> Iterator[str]:
    """Cut where Unicode normalisation never joins: a letter and its accents stay together."""
    if value.isascii():
        yield from value
        return
    cluster = ""
    for character in value:
        if cluster and not _normalises_apart(cluster, character):
            cluster += character
            continue
        if cluster:
            yield cluster
        cluster = character
    yield cluster


def _normalises_apart(cluster: str, character: str) -> bool:
    if character.isascii():
        return True
    if unicodedata.combining(character):
        return False
    joined = unicodedata.normalize("NFC", cluster + character)
    return joined == unicodedata.normalize("NFC", cluster) + unicodedata.normalize("NFC", character)


def _unit(part: str, as_bytes: bool, after_backslashes: bool) -> Unit:
    if _is_alphanumeric(part):
        full = Series(tuple(_alphanumeric(character) for character in part))
        return Unit(Literal(part), full, part)
    if set(part) <= {"\\"}:
        piece = _backslashes(len(part))
    elif _is_mixable(part) and part != "+":
        piece = _white_space(part, as_bytes)
    elif part[0] in _QUOTES:
        piece = _quotes(part, as_bytes, after_backslashes)
    else:
        piece = _cluster(part, as_bytes, after_backslashes)
    return Unit(piece, piece)


def _alphanumeric(character: str) -> Piece:
    return choice(
        Literal(character),
        percent_encoded(character),
        character_reference(character),
        series(BACKSLASHES, after_backslash(character)),
    )


def _backslashes(count: int) -> Piece:
    """A run of backslashes, which every round of JSON doubles; its last may escape what follows."""
    most = count * (MAX_BACKSLASHES_BEFORE_ESCAPE + 1) + MAX_BACKSLASHES_BEFORE_ESCAPE
    one = choice(BACKSLASH_PIECE, character_reference("\\"))
    spelled_out = series(BACKSLASHES, after_backslash("\\"))
    return choice(Repeat(one, count, most), Repeat(spelled_out, count, count))


def _quotes(run: str, as_bytes: bool, after_backslashes: bool) -> Piece:
    """A run of one quotation mark: each spelled on its own, or all doubled (YAML, SQL, CSV)."""
    first = _character(run[0], as_bytes, after_backslashes)
    rest = _character(run[0], as_bytes, False)
    return choice(Literal(run * 2), series(first, Repeat(rest, len(run) - 1, len(run) - 1)))


def _cluster(cluster: str, as_bytes: bool, after_backslashes: bool) -> Piece:
    if len(cluster) == 1 and cluster.isascii():
        return _character(cluster, as_bytes, after_backslashes)
    forms = dict.fromkeys([cluster, *(unicodedata.normalize(form, cluster) for form in ("NFC", "NFD"))])
    return choice(*(_spelled(form, as_bytes, after_backslashes) for form in forms))


def _spelled(form: str, as_bytes: bool, after_backslashes: bool) -> Piece:
    pieces = [_character(form[0], as_bytes, after_backslashes)]
    pieces += [_character(character, as_bytes, False) for character in form[1:]]
    return Series(tuple(pieces))


def _character(character: str, as_bytes: bool, after_backslashes: bool) -> Piece:
    """Any spelling of one character; the longest first, so that no tail of an escape is left over."""
    simple = choice(
        character_reference(character), percent_encoded(character), *raw_forms(character, as_bytes)
    )
    if after_backslashes:
        piece = choice(after_backslash(character), simple)
    else:
        piece = choice(
            series(BACKSLASHES, choice(after_backslash(character), simple)),
            simple,
        )
    return optional(piece) if character in INVISIBLE else piece


def _white_space(run: str, as_bytes: bool) -> Piece:
    """A run of white space (with the plus signs and backslashes within) as another such run."""
    others = [character for character in run if character in "\\+"]
    groups = re.findall(f"[{re.escape(WHITE_SPACE)}]+", run)
    low = len(others) + sum(not set(group) <= set(VANISHING_WHITE_SPACE) for group in groups)
    high = len(run) * 2 + len(others) * MAX_BACKSLASHES_BEFORE_ESCAPE + MAX_EXTRA_WHITE_SPACE_CHARACTERS
    return Repeat(_white_space_atom(run, as_bytes), low, high)


def _white_space_atom(run: str, as_bytes: bool) -> Piece:
    characters = "".join(dict.fromkeys(_COMMON_WHITE_SPACE + run))
    spaces = [character for character in characters if character in WHITE_SPACE]
    raw = choice(OneOf(_raw_white_space(spaces, as_bytes)), *_wide_white_space(spaces, as_bytes))
    options: list[Piece] = [raw, Literal("+")]
    options += [percent_encoded(character) for character in spaces]
    options += [character_reference(character) for character in spaces]
    options.append(series(BACKSLASHES, choice(raw, *(after_backslash(character) for character in spaces))))
    if "\\" in run:
        options.append(BACKSLASH_PIECE)
    if "+" in run:
        options.append(_character("+", as_bytes, False))
    return choice(*options)


def _raw_white_space(spaces: list[str], as_bytes: bool) -> str:
    return "".join(c for c in spaces if c.isascii()) if as_bytes else WHITE_SPACE


def _wide_white_space(spaces: list[str], as_bytes: bool) -> list[Piece]:
    return [form for c in spaces if not c.isascii() for form in raw_forms(c, as_bytes)]
