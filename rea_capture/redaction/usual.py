"""The usual spellings of a value, written out.

``spellings`` knows a grammar of every spelling, with which whole values are found in text. Where that
grammar cannot go, a list must do: in a page, whose visible text is searched by a script, and where a browser
has left only one end of a value. A test holds every entry of the list against the grammar.

Below: ``spellings``, the standard library. Above: ``redactor``.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from html.entities import html5
from typing import Final
from urllib.parse import quote, quote_plus

from rea_capture.redaction.spellings import letter_cases

_SAFE_IN_COMPONENT: Final = "!~*'()"
"""What ``encodeURIComponent`` leaves alone besides letters, digits and ``-_.`` (ECMA-262 section 19.2.6)."""

_SAFE_IN_ADDRESS: Final = "!*'();:@&=+$,/?#[]"
"""The reserved characters of RFC 3986 section 2.2, which ``encodeURI`` leaves alone too."""

_ESCAPED_FOR_SCRIPTS: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
"""How JSON is made safe to stand in HTML."""

MAX_REMEMBERED_CHARACTERS: Final = 256
"""Whose spellings are kept; they are the same in every secret."""


def usual_spellings(value: str) -> tuple[str, ...]:
    """``value`` and how URLs, JSON and HTML write it, each once, in the letter cases that are looked for."""
    return tuple(dict.fromkeys(form for case in letter_cases(value) for form in _forms(case)))


@lru_cache(MAX_REMEMBERED_CHARACTERS)
def spellings_of_character(part: str) -> frozenset[str]:
    """How one character, or a run of the same, is escaped, also twice: what a cut may go through."""
    numbered = (f"&#{ord(part)};", f"&#x{ord(part):x};", f"&#x{ord(part):X};") if len(part) == 1 else ()
    named = (f"&{name}" for name, character in html5.items() if character == part)
    codes = "".join(f"\\u{unit}" for unit in _utf16_units(part))
    once = {*_forms(part), *numbered, *named, codes, *(f"\\x{ord(c):02x}" for c in part if ord(c) < 0x100)}
    return frozenset(once.union(*(_forms(form) for form in once)))


def _utf16_units(text: str) -> Iterator[str]:
    encoded = text.encode("utf-16-be").hex()
    return (encoded[at : at + 4] for at in range(0, len(encoded), 4))


def _forms(value: str) -> Iterator[str]:
    yield value
    for form in _percent_encoded(value):
        yield form
        yield re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), form)
    yield from _json(value)
    yield from _markup(value)


def _percent_encoded(value: str) -> Iterator[str]:
    component = quote(value, safe=_SAFE_IN_COMPONENT)
    yield from (component, component.replace("%20", "+"))
    yield from (quote(value, safe=""), quote(value), quote_plus(value), quote(value, safe=_SAFE_IN_ADDRESS))


def _json(value: str) -> Iterator[str]:
    for in_ascii in (False, True):
        written = json.dumps(value, ensure_ascii=in_ascii)[1:-1]
        yield written
        yield written.replace("/", "\\/")
        yield "".join(_ESCAPED_FOR_SCRIPTS.get(character, character) for character in written)


def _markup(value: str) -> Iterator[str]:
    text, attribute = html.escape(value, quote=False), html.escape(value)
    in_double_quotes = text.replace('"', "&quot;")
    yield from (text, attribute, in_double_quotes, attribute.replace("&#x27;", "&#39;"))
    # As browsers write them (WHATWG HTML section 13.3); older ones leave "<" and ">" of an attribute.
    bare = value.replace("&", "&amp;").replace('"', "&quot;")
    yield from (form.replace("\xa0", "&nbsp;") for form in (text, in_double_quotes, bare))
