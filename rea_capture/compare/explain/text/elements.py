"""The elements of a document that changed: which, and what of them.

The two documents are put into an order of their own, compared, and told in the order asked for: exchanged,
they give the same changes with their words exchanged.

Below: selectolax by ``page_tree``; ``bounds``, ``parse_cost``, ``pairs``, ``css_paths``,
``words``. Above: ``text``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rea_capture.compare.explain.bounds import Bounds
from rea_capture.compare.explain.text.css_paths import CssPaths
from rea_capture.compare.explain.text.page_tree import MAX_NODES, Element, Forms, PageTooLargeError, read_page
from rea_capture.compare.explain.text.pairs import PAIRING_STEPS, ElementPairs
from rea_capture.compare.explain.text.parse_cost import MAX_PARSE_STEPS, parse_steps, start_tags
from rea_capture.compare.explain.text.words import beginning, shown_pair
from rea_capture.contracts.explanation import ElementChange, ElementChanges

MAX_ITEMS: Final = 100
"""Changes that are shown of one document."""

MAX_PATHS_CHARACTERS: Final = 24_000
"""All paths of one document's changes; a page may nest its elements as deep as it likes."""

MIN_COMMON_PERCENT: Final = 10
"""Of the attributes and texts of the larger document; with less in common it is another document."""

_MIN_FEATURES_TO_GIVE_UP: Final = 100
"""A document with less of these is always told element by element."""

Word: TypeAlias = Literal["added", "removed", "moved", "text", "attribute"]
_MIRRORED: Final[dict[Word, Word]] = {"added": "removed", "removed": "added"}
_RANKS: Final[dict[Word, int]] = {"moved": 0, "added": 1, "removed": 1, "attribute": 2, "text": 3}


@dataclass(frozen=True, slots=True)
class _Change:
    """A change that is not put into words yet: of ``x`` in the one document and ``y`` in the other, or -1.

    ``place`` is the number in the other document that it is told at.
    """

    place: int
    word: Word
    x: int
    y: int
    name: str | None = None

    def order(self) -> tuple[int, bool, int, int, str]:
        return self.place, self.y < 0, self.x if self.y < 0 else 0, _RANKS[self.word], self.name or ""


def element_changes(before: str, after: str, bounds: Bounds | None = None) -> ElementChanges:
    """What became of the elements of ``before`` in ``after``; ``bounds`` are those of the whole comparison.

    Raises :class:`SpentError`.
    """
    bounds = bounds or Bounds()
    if (len(before), before) <= (len(after), after):
        return _changes(before, after, bounds, mirrored=False)
    return _changes(after, before, bounds, mirrored=True)


def _are_read(one: str, other: str, bounds: Bounds) -> bool:
    """Whether there is room for the work of reading both."""
    if max(start_tags(one), start_tags(other)) > MAX_NODES:
        return False
    steps = [parse_steps(text) for text in (one, other)]
    return max(steps) <= MAX_PARSE_STEPS and bounds.has_taken("parse_steps", sum(steps))


def _changes(one: str, other: str, bounds: Bounds, *, mirrored: bool) -> ElementChanges:
    if not _are_read(one, other, bounds):
        return _unmatched(start_tags(one), start_tags(other), mirrored=mirrored)
    forms: Forms = {}
    try:
        pages = read_page(one, forms), read_page(other, forms)
    except PageTooLargeError:
        return _unmatched(start_tags(one), start_tags(other), mirrored=mirrored)
    if not _have_enough_in_common(*pages):
        return _unmatched(len(pages[0]), len(pages[1]), mirrored=mirrored)
    with bounds.some("steps", PAIRING_STEPS) as steps:
        pairs = ElementPairs(*pages, steps)
    return _told(pairs, mirrored=mirrored)


def _unmatched(one: int, other: int, *, mirrored: bool) -> ElementChanges:
    removed, added = (other, one) if mirrored else (one, other)
    return ElementChanges(
        added=added, attributes=0, items=(), matched=False, moved=0, omitted=0, removed=removed, texts=0
    )


def _have_enough_in_common(one: list[Element], other: list[Element]) -> bool:
    mine, theirs = Counter(_features(one)), Counter(_features(other))
    most = max(mine.total(), theirs.total())
    common = sum(min(count, theirs[feature]) for feature, count in mine.items())
    return most < _MIN_FEATURES_TO_GIVE_UP or common * 100 >= MIN_COMMON_PERCENT * most


def _features(elements: list[Element]) -> Iterator[tuple[str, ...]]:
    """What tells an element from another: its texts and its attributes."""
    for element in elements:
        if texts := element.texts:
            yield (element.tag, *texts)
        for name, value in element.attributes.items():
            yield element.tag, name, value


def _told(pairs: ElementPairs, *, mirrored: bool) -> ElementChanges:
    changes = sorted(_found(pairs), key=_Change.order)
    counts = Counter(change.word for change in changes)
    items = tuple(_items(pairs, changes, mirrored=mirrored))
    added, removed = counts["added"], counts["removed"]
    return ElementChanges(
        added=removed if mirrored else added,
        attributes=counts["attribute"],
        items=items,
        matched=True,
        moved=counts["moved"],
        omitted=len(changes) - len(items),
        removed=added if mirrored else removed,
        texts=counts["text"],
    )


def _found(pairs: ElementPairs) -> Iterator[_Change]:
    for x, y in enumerate(pairs.of_one):
        if y < 0:
            continue
        if x in pairs.moved:
            yield _Change(y, "moved", x, y)
        if pairs.one[x].form != pairs.other[y].form:
            yield from _own(pairs.one[x], pairs.other[y], x, y)
            yield from _gone(pairs, x, y)
            yield from (
                _Change(child, "added", -1, child)
                for child in pairs.other[y].children
                if pairs.of_other[child] < 0
            )


def _own(one: Element, other: Element, x: int, y: int) -> Iterator[_Change]:
    """What changed in a pair itself."""
    if one.attributes != other.attributes:
        for name in sorted({*one.attributes, *other.attributes}):
            if one.attributes.get(name) != other.attributes.get(name):
                yield _Change(y, "attribute", x, y, name)
    if _text(one) != _text(other):
        yield _Change(y, "text", x, y)


def _text(element: Element) -> str:
    """Its own text: that of its children is theirs."""
    return " ".join(element.texts)


def _gone(pairs: ElementPairs, x: int, y: int) -> Iterator[_Change]:
    """Children of a pair that are no more, each told after the one before it."""
    place = y
    for child in pairs.one[x].children:
        partner = pairs.of_one[child]
        if partner < 0:
            yield _Change(place, "removed", child, -1)
        elif pairs.other[partner].parent == y:
            place = pairs.other[partner].end - 1


def _items(pairs: ElementPairs, changes: list[_Change], *, mirrored: bool) -> Iterator[ElementChange]:
    """The first changes, as many as have room."""
    paths = CssPaths(pairs.one), CssPaths(pairs.other)
    room = MAX_PATHS_CHARACTERS
    for change in changes[:MAX_ITEMS]:
        one = paths[0].path(change.x) if change.x >= 0 else ""
        other = paths[1].path(change.y) if change.y >= 0 else ""
        if one is None or other is None:
            continue
        room -= len(one) + len(other)
        if room < 0:
            return
        yield _item(change, (one or None, other or None), _values(pairs, change), mirrored=mirrored)


_Two: TypeAlias = tuple[str | None, str | None]


def _values(pairs: ElementPairs, change: _Change) -> _Two:
    if change.word == "attribute":
        name = change.name or ""
        one, other = pairs.one[change.x], pairs.other[change.y]
        return shown_pair(one.attributes.get(name), other.attributes.get(name))
    if change.word == "text":
        return shown_pair(_text(pairs.one[change.x]), _text(pairs.other[change.y]))
    return (
        beginning(pairs.one, change.x) if change.x >= 0 else None,
        beginning(pairs.other, change.y) if change.y >= 0 else None,
    )


def _item(change: _Change, paths: _Two, values: _Two, *, mirrored: bool) -> ElementChange:
    before, after = (1, 0) if mirrored else (0, 1)
    return ElementChange(
        after=values[after],
        after_path=paths[after],
        before=values[before],
        before_path=paths[before],
        change=_MIRRORED.get(change.word, change.word) if mirrored else change.word,
        name=change.name,
    )
