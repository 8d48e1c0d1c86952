"""How much work reading a document is, before it is read.

A parser that does as browsers do takes time in proportion to depth times tags, and may make an element
of each depth again for each text (what the standard calls reconstructing the active formatting elements):
100,000 nested elements take minutes, and 18 KB can become 6 MB. A page may be made to do that, so tags are
counted first, each with how deep it is in tags that were not closed yet.

What is counted is never less than what there is. A serialised document closes what it opens, in order;
a tag that closes anything else is taken to close nothing. Content that is no markup is left out, and where
a parser might see markup in it all the same, the document counts as too much work.

Below: nothing. Above: ``elements``.
"""

from __future__ import annotations

import re
from typing import Final

MAX_PARSE_STEPS: Final = 2_000_000
"""Depths of all tags, added up. A page of 20,000 elements has some 400,000; so many steps take the parser no
more than a few seconds at worst, and some tenths of one as a rule."""

TOO_MUCH: Final = MAX_PARSE_STEPS + 1

_ATTRIBUTE_PAIRS_PER_STEP: Final = 100
"""Each attribute of a tag is compared with those before it, a hundred times faster than a step."""

_SPACE: Final = r"[ \t\n\f\r]"
_ATTRIBUTE: Final = (
    rf"=?[^ \t\n\f\r/>=]++(?:{_SPACE}*+={_SPACE}*+"
    r"(?:\"[^\"]*+\"|'[^']*+'|[^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)?+)?+"
)
_ONE_ATTRIBUTE: Final = re.compile(_ATTRIBUTE)
_MARKUP: Final = re.compile(
    rf"<(?P<end>/?)(?P<name>[A-Za-z][^ \t\n\f\r/>]*+)(?P<attributes>(?:[ \t\n\f\r/]++|{_ATTRIBUTE}|=)*+)>?"
    r"|<!--(?:-?>|.*?--!?>)|(?P<cdata><!\[CDATA\[)|<(?:[!?]|/[^A-Za-z])[^>]*+>?",
    re.DOTALL,
)
_START: Final = re.compile(r"<[A-Za-z]")

_VOID: Final = frozenset(
    ["area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen"]
).union(["link", "meta", "param", "source", "track", "wbr"])
_RAW: Final = frozenset(
    ["script", "style", "textarea", "title", "noscript", "iframe", "xmp", "noembed", "noframes"]
)
_FOREIGN: Final = frozenset(["svg", "math"])


def start_tags(text: str) -> int:
    """How many elements a document has at least about: what looks like their tags."""
    return sum(1 for _ in _START.finditer(text))


def parse_steps(text: str) -> int:
    """The work of reading ``text``; :data:`TOO_MUCH` is any amount above :data:`MAX_PARSE_STEPS`."""
    steps = place = 0
    opened: list[str] = []
    foreign = 0
    while found := _MARKUP.search(text, place):
        place = found.end()
        name = (found["name"] or "").lower()
        if found["cdata"] and foreign:
            return TOO_MUCH  # it is text there; how far it goes does not matter any more
        if found["end"] and opened and opened[-1] == name:
            opened.pop()
            foreign -= name in _FOREIGN
        elif name and not found["end"]:
            steps += 1 + len(opened) + _attribute_steps(found["attributes"])
            if name in _RAW and not foreign:
                place = _after_raw(text, place, name)
            elif name == "plaintext":
                return steps
            elif name not in _VOID or foreign:
                opened.append(name)
                foreign += name in _FOREIGN
        if place < 0 or steps > MAX_PARSE_STEPS:
            return TOO_MUCH
    return steps


def _attribute_steps(attributes: str) -> int:
    if len(attributes) < 2 * _ATTRIBUTE_PAIRS_PER_STEP:
        return 0
    return sum(1 for _ in _ONE_ATTRIBUTE.finditer(attributes)) ** 2 // _ATTRIBUTE_PAIRS_PER_STEP


def _after_raw(text: str, place: int, name: str) -> int:
    """Where the raw content ends that starts here; -1 where that is not for certain."""
    end = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE).search(text, place)
    if end is None:
        return len(text)
    if name == "script" and "<!--" in (content := text[place : end.start()]) and "<script" in content.lower():
        return -1
    return end.end()
