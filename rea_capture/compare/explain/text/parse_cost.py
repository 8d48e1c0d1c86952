"""How much work reading a document is, before it is read.

A parser that does as browsers do takes time in proportion to depth times tags, and may make an element
of each depth again for each text (what the standard calls reconstructing the active formatting elements):
100,000 nested elements take minutes, and 18 KB can become 6 MB. A page may be made to do that, so tags are
counted first, each with how deep it is in tags that were not closed yet.

What is counted is never less than what there is. A serialised document closes what it opens, in order;
a tag that closes anything else is taken to close nothing. Content that is no markup is left out, and where
a parser might see markup in it all the same, the document counts as too much work.

Below: ``ascii_case``. Above: ``elements``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from rea_capture.compare.explain.text.ascii_case import ascii_lower

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
    r"|<!--(?:-?>|(?P<comment>))|(?P<cdata><!\[CDATA\[)|<(?:[!?]|/[^A-Za-z>])[^>]*+>?"
)
"""Every repeat is possessive. A quote that nothing closes is looked for to the end of the text, but two such
would close each other; a comment that nothing ends is the last thing that is looked at."""

_COMMENT_END: Final = re.compile(r"--!?>")
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
    try:
        return min(_steps(text), TOO_MUCH)
    except _UncertainError:
        return TOO_MUCH


class _UncertainError(Exception):
    """What is markup from here on depends on more than is looked at. No usual document comes to this."""


def _steps(text: str) -> int:
    steps = place = 0
    opened = _Opened()
    while (found := _MARKUP.search(text, place)) and steps <= MAX_PARSE_STEPS:
        place = _end(found, text, is_raw=opened.raw > 0)
        name = ascii_lower(found["name"] or "")
        if found["end"]:
            opened.close(name)
        elif name:
            steps += 1 + len(opened.names) + _attribute_steps(found["attributes"])
            if name == "plaintext" and not opened.foreign:
                return steps
            if name in _RAW and not opened.foreign:
                place = _after_raw(text, place, name)
            elif name not in _VOID or opened.foreign:
                opened.open(name)
            elif name == "col" and opened.names[-1:] == ["template"]:
                raise _UncertainError  # most of what follows is ignored there, what opens raw content, too
    return steps


@dataclass(slots=True)
class _Opened:
    """The tags that were not closed yet: how many are of SVG or MathML, and of raw names in these."""

    names: list[str] = field(default_factory=list)
    foreign: int = 0
    raw: int = 0

    def open(self, name: str) -> None:
        self.names.append(name)
        self._count(name, 1)

    def close(self, name: str) -> None:
        """A tag that closes anything but the last one closes nothing."""
        if self.names and self.names[-1] == name:
            self.names.pop()
            self._count(name, -1)

    def _count(self, name: str, step: int) -> None:
        if name in _FOREIGN:
            self.foreign += step
        elif name in _RAW:
            self.raw += step


def _end(found: re.Match[str], text: str, *, is_raw: bool) -> int:
    """Where a tag, comment or declaration ends."""
    end = found.end()
    if found["cdata"]:
        raise _UncertainError  # text in SVG, elsewhere a comment with another end
    if found["comment"] is not None:
        ended = _COMMENT_END.search(text, end)
        if ended is None:
            raise _UncertainError  # where it is text, the rest is markup
        end = ended.end()
    if is_raw and text.find("</", found.start() + 1, end) >= 0:
        raise _UncertainError  # what looks like a comment or a value may be text that ends there
    return end


def _attribute_steps(attributes: str) -> int:
    if len(attributes) < 2 * _ATTRIBUTE_PAIRS_PER_STEP:
        return 0
    return sum(1 for _ in _ONE_ATTRIBUTE.finditer(attributes)) ** 2 // _ATTRIBUTE_PAIRS_PER_STEP


def _after_raw(text: str, place: int, name: str) -> int:
    """Where the raw content ends that starts here: at its end tag."""
    end = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.ASCII | re.IGNORECASE).search(text, place)
    if end is None:
        return len(text)
    content = text[place : end.start()]
    if name == "script" and "<!--" in content and "<script" in ascii_lower(content):
        raise _UncertainError  # a script in a comment in a script hides its end
    return end.start()
