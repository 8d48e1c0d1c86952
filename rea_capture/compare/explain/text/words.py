"""How an element and its values are shown: bounded, and so that a difference is in view.

Below: ``page_tree``. Above: ``elements``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.compare.explain.text.page_tree import Element

MAX_VALUE_CHARACTERS: Final = 200
"""Of a text or an attribute's value, and of how an element begins."""

_BEFORE_DIFFERENCE: Final = 60
"""Characters that are kept of what two long values begin with alike."""

_CUT: Final = "…"


def beginning(elements: list[Element], number: int) -> str:
    """How the element begins: its markup, each text cut where the whole is."""
    parts: list[str] = []
    room = MAX_VALUE_CHARACTERS
    todo: list[int | str] = [number]
    while todo and room > 0:
        item = todo.pop()
        if type(item) is int:
            element = elements[item]
            part = _start_tag(element, room)
            todo.extend(reversed(element.content[:MAX_VALUE_CHARACTERS]))
        else:
            part = _escaped(str(item)[: room + 1], '"')
        parts.append(part)
        room -= len(part)
    return _cut("".join(parts), more=bool(todo))


def _start_tag(element: Element, room: int) -> str:
    """The tag, or enough of it to see that it is longer than the room."""
    tag = f"<{element.tag[: room + 1]}"
    for name, value in element.attributes.items():
        if len(tag) > room:
            break
        tag += f' {name[: room + 1]}="{_escaped(value[: room + 1], "<>")}"'
    return tag + ">"


def _escaped(text: str, but: str) -> str:
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        if character not in but:
            text = text.replace(character, entity)
    return text


def shown_pair(before: str | None, after: str | None) -> tuple[str | None, str | None]:
    """Two values, cut alike: where both are long, from shortly before they differ."""
    if before is None or after is None:
        return before and _cut(before), after and _cut(after)
    start = 0
    if max(len(before), len(after)) > MAX_VALUE_CHARACTERS:
        alike = _alike(before, after)
        start = alike - _BEFORE_DIFFERENCE if alike > MAX_VALUE_CHARACTERS // 2 else 0
    lead = _CUT if start else ""
    return _cut(lead + before[start:]), _cut(lead + after[start:])


def _alike(one: str, other: str) -> int:
    """How many characters both begin with, by halving: values may be megabytes."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(text: str, *, more: bool = False) -> str:
    if len(text) > MAX_VALUE_CHARACTERS:
        return text[: MAX_VALUE_CHARACTERS - 1] + _CUT
    return text + _CUT if more else text
