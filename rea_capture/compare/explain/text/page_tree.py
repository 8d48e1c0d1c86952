"""A document as a tree of its elements, read as a browser with scripting reads it (selectolax, Lexbor).

What a person sees as content stays: elements, their attributes, their own text. Comments, the doctype, and
white space that only lays out the markup do not. The content of a ``template`` is taken for its
children, since open shadow roots are spelled so.

Elements are numbered in document order. Like subtrees have the same ``form``, a number from a table that
both sides of a comparison share: no digest, so nothing can collide.

Below: selectolax. Above: ``elements``, ``pairs``, ``css_paths``, ``words``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

MAX_NODES: Final = 250_000
"""Nodes of one document that are looked at: five times a page of 20,000 elements and their texts."""

_WHITE: Final = re.compile(r"[ \t\n\f\r]++")
_AS_WRITTEN: Final = frozenset({"pre", "textarea", "script", "style", "listing", "plaintext", "xmp"})
"""Elements in which white space is content."""

Forms: TypeAlias = dict[Any, int]
"""The table of forms: what a subtree is made of, and its number."""


@dataclass(slots=True)
class Element:
    """An element; ``parent`` is -1 for the root, ``end`` the number after the last one inside.

    ``content`` are the numbers of its children and its own texts, in order. ``is_template`` says that they
    are a tree of their own, into which no selector leads; a ``template`` of SVG is none.
    """

    tag: str
    attributes: dict[str, str]
    parent: int
    content: list[int | str] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    is_template: bool = False
    end: int = 0
    form: int = -1

    @property
    def texts(self) -> list[str]:
        """Its own texts, apart from each other where a child is between them."""
        return [item for item in self.content if type(item) is str]


class PageTooLargeError(ValueError):
    """The document has more nodes than :data:`MAX_NODES`."""


def read_page(text: str, forms: Forms) -> list[Element]:
    """The elements of the document ``text``; the first is the root.

    Time and memory are for the caller to bound (``parse_cost``). Raises :class:`PageTooLargeError`.
    """
    elements = _elements(_parsed(text))
    for number in range(len(elements) - 1, -1, -1):
        element = elements[number]
        element.end = elements[element.children[-1]].end if element.children else number + 1
        content = [elements[item].form if type(item) is int else item for item in element.content]
        key = (element.tag, tuple(element.attributes.items()), tuple(content))
        element.form = forms.setdefault(key, len(forms))
    return elements


def _parsed(text: str) -> LexborHTMLParser:
    """Without the events that change a document after it was read; scripting as in the page's browser."""
    options = LexborDocumentOptions.WO_EVENTS.value
    return LexborHTMLParser(text.encode("utf-8", "replace"), options=options, scripting=True)


@dataclass(slots=True)
class _Open:
    """An element whose content is being read, and the node after it, where reading goes on."""

    element: Element
    number: int
    after: LexborNode | None
    as_written: bool
    text: list[str] = field(default_factory=list)

    def end_text(self) -> None:
        """What was read of a text is the whole of it."""
        text = "".join(self.text)
        self.text.clear()
        if not self.as_written:
            text = _WHITE.sub(" ", text).strip(" ")
        if text:
            self.element.content.append(text)


def _elements(parser: LexborHTMLParser) -> list[Element]:
    """The elements in document order. Iterative: a document may be deeper than Python's stack."""
    elements: list[Element] = []
    opened: list[_Open] = []
    node: LexborNode | None = parser.root
    nodes = 0
    while True:
        while node is not None:
            nodes += 1
            tag = node.tag or ""
            if not tag.startswith("-"):
                opened.append(_opened(node, tag, elements, opened[-1] if opened else None))
                node = _first_inside(node, opened[-1].element)
                continue
            if tag == "-text":
                opened[-1].text.append(node.text_content or "")
            node = node.next
        if nodes > MAX_NODES:
            raise PageTooLargeError
        if not opened:
            return elements
        if opened[-1].text:
            opened[-1].end_text()
        node = opened.pop().after


def _first_inside(node: LexborNode, element: Element) -> LexborNode | None:
    if element.tag == "template" and (fragments := node.template_fragments()):
        element.is_template = True
        return fragments[0].first_child
    return node.first_child


def _opened(node: LexborNode, tag: str, elements: list[Element], parent: _Open | None) -> _Open:
    """The element of ``node``, put where it belongs."""
    number = len(elements)
    given = node.attributes
    attributes = {name: value or "" for name, value in sorted(given.items())} if given else {}
    element = Element(tag, attributes, parent.number if parent else -1)
    elements.append(element)
    if parent is None:
        return _Open(element, number, None, tag in _AS_WRITTEN)
    if parent.text:
        parent.end_text()
    parent.element.content.append(number)
    parent.element.children.append(number)
    return _Open(element, number, node.next, parent.as_written or tag in _AS_WRITTEN)
