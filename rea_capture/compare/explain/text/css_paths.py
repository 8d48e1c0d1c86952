"""A selector for an element, that finds it and nothing else.

From the nearest element whose id is the only one, or from the root, a step for each element: its tag, and
which of its kind it is where there are more. The content of a ``template`` is a tree of its own, as a shadow
root is: `` >>> `` stands between the selector of the host (of the template, where it is none of a shadow
root) and that inside. Each part by itself is a selector.

Below: ``ascii_case``, ``page_tree``. Above: ``elements``.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import Final

from rea_capture.compare.explain.text.ascii_case import ascii_lower
from rea_capture.compare.explain.text.page_tree import Element

MAX_PATH_CHARACTERS: Final = 1_000
"""A longer path is no help to a reader."""

_MAX_NAME_CHARACTERS: Final = 80
"""A longer id or tag is not what a person calls an element."""

_INTO: Final = " >>> "
_OUTERMOST: Final = ":not(* > *)"
"""Without a parent element, as the outermost of a template's content are."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]")
"""What is no ASCII may be plain, too, but not in every edition of CSS Syntax; anything may be escaped."""


class CssPaths:
    """The paths in one document. What was counted once is kept."""

    def __init__(self, elements: list[Element]) -> None:
        self._elements = elements
        self._kinds: dict[int, dict[int, tuple[int, int]]] = {}

    def path(self, number: int) -> str | None:
        """The selector of the element; None where it would be longer than a path may be."""
        parts: list[str] = []
        at = number
        while at >= 0:
            part, root = self._inside(at)
            parts.append(part)
            if sum(map(len, parts)) > MAX_PATH_CHARACTERS:
                return None
            at = self._host(root) if root >= 0 else -1
        path = _INTO.join(reversed(parts))
        return path if len(path) <= MAX_PATH_CHARACTERS else None

    def _inside(self, number: int) -> tuple[str, int]:
        """The selector of an element in its own tree, and the template this tree is the content of, or -1."""
        steps: list[str] = []
        root = self._roots[number]
        characters = 0
        while number != root and characters <= MAX_PATH_CHARACTERS:
            element = self._elements[number]
            if self._is_known_by_id(number):
                steps.append(f"#{css_identifier(element.attributes['id'])}")
                break
            steps.append(self._step(number, is_outermost=element.parent == root >= 0))
            characters += len(steps[-1])
            number = element.parent
        return " > ".join(reversed(steps)), root

    def _host(self, template: int) -> int:
        element = self._elements[template]
        is_shadow = "shadowrootmode" in element.attributes
        return element.parent if is_shadow and element.parent != self._roots[template] else template

    def _step(self, number: int, *, is_outermost: bool) -> str:
        element = self._elements[number]
        outermost = _OUTERMOST if is_outermost else ""
        if element.parent < 0:
            return css_identifier(element.tag)
        which, same = self._which(number, element.parent)
        if len(element.tag) > _MAX_NAME_CHARACTERS:
            place = self._elements[element.parent].children.index(number) + 1
            return f":nth-child({place}){outermost}"
        return css_identifier(element.tag) + outermost + (f":nth-of-type({which})" if same > 1 else "")

    def _which(self, number: int, parent: int) -> tuple[int, int]:
        """Which of its kind among its siblings, from 1, and how many there are."""
        if parent not in self._kinds:
            places: dict[int, int] = {}
            counts: Counter[str] = Counter()
            children = self._elements[parent].children
            for child in children:
                tag = self._elements[child].tag
                counts[tag] += 1
                places[child] = counts[tag]
            self._kinds[parent] = {
                child: (places[child], counts[self._elements[child].tag]) for child in children
            }
        return self._kinds[parent][number]

    @cached_property
    def _roots(self) -> list[int]:
        """The template each element is in the content of, or -1."""
        roots: list[int] = []
        for element in self._elements:
            parent = element.parent
            in_template = parent >= 0 and self._elements[parent].is_template
            roots.append(parent if in_template or parent < 0 else roots[parent])
        return roots

    @cached_property
    def _ids(self) -> Counter[tuple[int, str]]:
        """How often an id is in a tree. Small letters: in quirks mode a selector does not tell them apart."""
        return Counter(
            (root, ascii_lower(element.attributes["id"]))
            for root, element in zip(self._roots, self._elements, strict=True)
            if "id" in element.attributes
        )

    def _is_known_by_id(self, number: int) -> bool:
        name = self._elements[number].attributes.get("id", "")
        if not 0 < len(name) <= _MAX_NAME_CHARACTERS:
            return False
        return self._ids[self._roots[number], ascii_lower(name)] == 1


def css_identifier(name: str) -> str:
    """``name`` as an identifier of CSS, in ASCII, whatever is in it (CSS Syntax, section 4.3.7)."""
    escaped = [_escaped(character) for character in name]
    if name[:1].isascii() and name[:1].isdigit():
        escaped[0] = f"\\{ord(name[0]):x} "
    elif name[:1] == "-" and name[1:2].isascii() and name[1:2].isdigit():
        escaped[1] = f"\\{ord(name[1]):x} "
    elif name == "-":
        escaped[0] = "\\-"
    return "".join(escaped)


def _escaped(character: str) -> str:
    if _PLAIN.match(character):
        return character
    if character == "\0":
        return "\\fffd "
    if " " <= character <= "~":
        return "\\" + character
    return f"\\{ord(character):x} "
