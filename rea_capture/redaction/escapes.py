"""How one character may be escaped, in every notation that pages and tools use.

The notations nest (JSON in an HTML attribute, JSON in a query, HTML in JSON), so the characters
that introduce an escape are themselves given in their escaped forms: ``BACKSLASH``, ``PERCENT``
and ``AMPERSAND`` below. Sources: RFC 3986 section 2.1 and the WHATWG URL standard (percent), RFC
8259 section 7 (JSON), ECMA-262 sections 12.9.4 and B.2.1 (JavaScript strings, ``escape``), YAML
1.2.2 section 5.7, WHATWG HTML section 13.5 (named character references).

Below: ``grammar``. Above: ``spellings``.
"""

from __future__ import annotations

import functools
import re
from html.entities import html5
from typing import Final

from rea_capture.redaction.grammar import (
    Literal,
    OneOf,
    Piece,
    Repeat,
    Series,
    choice,
    hexadecimal,
    optional,
    series,
)

MAX_NESTED_ENCODINGS: Final = 4
"""Each further round of percent-encoding or HTML escaping adds one "25" or "amp;"; a value passed through
more than five encoders in a row is not met in practice, and a bound keeps the search linear."""

MAX_BACKSLASHES_BEFORE_ESCAPE: Final = 15
"""With n rounds, JSON puts 2**n - 1 backslashes before a quote: four rounds."""

_SHORT_ESCAPES: Final = {
    "\x07": "a",
    "\b": "b",
    "\t": "t",
    "\n": "n",
    "\v": "v",
    "\f": "f",
    "\r": "r",
    "\x1b": "e",
    "\x85": "N",
    "\xa0": "_",
    "\u2028": "L",
    "\u2029": "P",
}

PERCENT: Final = series(Literal("%"), Repeat(Literal("25"), 0, MAX_NESTED_ENCODINGS))
BACKSLASH: Final = choice(Literal("\\"), series(PERCENT, hexadecimal("5C")))
BACKSLASHES: Final = Repeat(BACKSLASH, 1, MAX_BACKSLASHES_BEFORE_ESCAPE)
ANY_BACKSLASHES: Final = Repeat(BACKSLASH, 0, MAX_BACKSLASHES_BEFORE_ESCAPE)
_SEMICOLON: Final = choice(Literal(";"), series(PERCENT, hexadecimal("3B")))
_AMPERSAND_TAIL: Final = series(choice(Literal("amp"), Literal("#38"), Literal("#x26")), _SEMICOLON)
_AMPERSAND_TAILS: Final = Repeat(_AMPERSAND_TAIL, 0, MAX_NESTED_ENCODINGS)
AMPERSAND: Final = series(choice(Literal("&"), series(PERCENT, Literal("26"))), _AMPERSAND_TAILS)
_ESCAPED_AMPERSAND: Final = series(choice(Literal("u0026"), Literal("x26")), _AMPERSAND_TAILS)
r"""JSON meant for scripts in HTML writes the ampersand as "\\u0026"; the backslash is matched apart."""

_HASH: Final = choice(Literal("#"), series(PERCENT, Literal("23")))
_ZEROS: Final = Repeat(Literal("0"), 0, 7)

_ALNUM_HEX: Final = "(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])"
_ALNUM_DECIMAL: Final = "(?:4[89]|5[0-7]|6[5-9]|[78][0-9]|9[0-9]|1[01][0-9]|12[0-2])"
_BACKSLASHED_ALNUM: Final = f"(?:x|u00|U0{{6}}|u\\{{0*)({_ALNUM_HEX})"
_NUMBERED_ALNUM: Final = f"(?:[xX]0*({_ALNUM_HEX})|0*(?P<decimal>{_ALNUM_DECIMAL}))"
_ESCAPED_ALNUM: Final = (
    ("%", re.compile(f"%(?:25)*(?:({_ALNUM_HEX})|5[Cc]{_BACKSLASHED_ALNUM}|23{_NUMBERED_ALNUM})")),
    ("\\", re.compile(rf"\\{_BACKSLASHED_ALNUM}")),
    ("#", re.compile(f"#{_NUMBERED_ALNUM}")),
)
"""Each begins with one fixed character, for which the search then skips through the text in C."""

_ENDS_OF_AMPERSAND: Final = "&;6Bb"
"""The last character of each spelling of the ampersand, before the "#" of a reference."""


def escaped_alphanumerics(text: str) -> frozenset[str]:
    """The ASCII letters and digits that stand escaped somewhere in ``text``.

    No ordinary encoder escapes them, so this is nearly always empty, and then a letter of a secret
    can only be written as itself. A superset is fine; a missing one would hide a secret.
    """
    return frozenset(
        chr(int(match[match.lastindex or 0], 10 if match.lastgroup == "decimal" else 16))
        for sign, pattern in _ESCAPED_ALNUM
        if sign in text
        for match in pattern.finditer(text)
        if sign != "#" or text[match.start() - 1 : match.start()] in _ENDS_OF_AMPERSAND
    )


def percent_encoded(characters: str) -> Piece:
    """``%HH`` in UTF-8 and the browsers' legacy encoding, and ``%uHHHH`` of ``escape``."""
    options: list[Piece] = []
    for character in characters:
        encodings = [character.encode("utf-8")]
        if not character.isascii():
            encodings += _single_bytes(character)
            units = [series(Literal("u"), hexadecimal(unit)) for unit in _utf16_units(character)]
            options.append(_each_after_percent(units))
        options += [_each_after_percent([hexadecimal(f"{b:02x}") for b in code]) for code in encodings]
    return series(PERCENT, choice(*options))


def _each_after_percent(units: list[Piece] | list[Series]) -> Piece:
    return Series((units[0], *(series(PERCENT, unit) for unit in units[1:])))


def character_reference(characters: str) -> Piece:
    """The HTML character references: decimal, hexadecimal, and every name; ``;`` optional."""
    return series(AMPERSAND, _reference_body(characters))


def _reference_body(characters: str) -> Piece:
    codes = [ord(character) for character in characters]
    numeric = series(
        _HASH,
        choice(
            series(OneOf("xX"), _ZEROS, choice(*(hexadecimal(f"{code:x}") for code in codes))),
            series(_ZEROS, choice(*(Literal(str(code)) for code in codes))),
        ),
    )
    names = [Literal(name) for c in characters for name in _reference_names().get(c, ())]
    return series(choice(numeric, *names), optional(_SEMICOLON))


def after_backslash(characters: str) -> Piece:
    """What stands for a character after one or more backslashes (JSON, JavaScript, YAML)."""
    options = [option for character in characters for option in _after_backslash(character)]
    return choice(series(_ESCAPED_AMPERSAND, _reference_body(characters)), *options)


def _after_backslash(character: str) -> list[Piece]:
    code = ord(character)
    digits, units = hexadecimal(f"{code:02x}"), _utf16_units(character)
    options: list[Piece] = [series(Literal("u{"), _ZEROS, hexadecimal(f"{code:x}"), Literal("}"))]
    if code <= 0xFF:
        options.append(series(choice(Literal("x"), Literal("u00"), Literal("U000000")), digits))
    else:
        options.append(series(Literal("U"), hexadecimal(f"{code:08x}")))
        escaped = [series(Literal("u"), hexadecimal(unit)) for unit in units]
        options.append(escaped[0] if len(units) == 1 else series(escaped[0], BACKSLASHES, escaped[1]))
    if character in _SHORT_ESCAPES:
        options.append(Literal(_SHORT_ESCAPES[character]))
    return options


def raw_forms(character: str, as_bytes: bool) -> list[Literal]:
    """The unescaped forms: the character, and its UTF-8 read as Latin-1 or windows-1252.

    Browsers decode header values as Latin-1, and pages that name no encoding as windows-1252.
    ``as_bytes`` is for bytes decoded as Latin-1: then each form is given as its UTF-8 bytes.
    """
    if character.isascii():
        return [Literal(character)]
    utf8 = character.encode("utf-8")
    misread = "".join(_WINDOWS_1252_CONTROLS.get(byte, chr(byte)) for byte in utf8)
    forms = [character, utf8.decode("latin-1"), misread]
    if as_bytes:
        forms = [form.encode("utf-8").decode("latin-1") for form in forms]
        forms += [legacy.decode("latin-1") for legacy in _single_bytes(character)]
    return [Literal(form) for form in dict.fromkeys(forms)]


def _single_bytes(character: str) -> list[bytes]:
    """Its byte in windows-1252 and in Latin-1, where it has one."""
    found = [character.encode(name, "ignore") for name in ("windows-1252", "latin-1")]
    return [code for code in dict.fromkeys(found) if code]


def _utf16_units(character: str) -> list[str]:
    encoded = character.encode("utf-16-be")
    return [encoded[at : at + 2].hex() for at in range(0, len(encoded), 2)]


@functools.cache
def _reference_names() -> dict[str, tuple[str, ...]]:
    names: dict[str, set[str]] = {}
    for name, character in html5.items():
        names.setdefault(character, set()).add(name.rstrip(";"))
    # Longest first, so that "&quote" is not taken for "&quot" and an "e".
    return {key: tuple(sorted(found, key=lambda name: (-len(name), name))) for key, found in names.items()}


_WINDOWS_1252_CONTROLS: Final = {
    byte: bytes([byte]).decode("windows-1252")
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)  # undefined there; browsers keep the control character
}
