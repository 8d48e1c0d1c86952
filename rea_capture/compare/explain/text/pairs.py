"""Which element became which.

    1. Anchors are known again wherever they are (``anchors``).
    2. From the roots down, the children of a pair are paired: anchors first, then, between them and in
       order, what is the same, what has the same name, the same class and text, the same class, the same tag.
    3. Anchors whose parents are no pair have moved, and what is under them is paired like the rest.
    4. What is the same and still alone on both sides has moved, too.

Which side is which may matter where several answers are equally good: a caller that wants none of that puts
them into an order of its own.

Below: ``anchors``, ``page_tree``, ``common_runs``. Above: ``elements``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, TypeAlias

from rea_capture.compare.explain.text.anchors import Anchors
from rea_capture.compare.explain.text.common_runs import Steps, common_runs, rising
from rea_capture.compare.explain.text.page_tree import Element

PAIRING_STEPS: Final = 1_000_000
"""Steps of all lists of children of one pair of documents (``common_runs``)."""

_NAMING: Final = (
    "data-testid",
    "data-test-id",
    "data-test",
    "data-id",
    "data-key",
    "name",
    "for",
    "href",
    "src",
)
"""Attributes that say which of its kind an element is, the most telling first."""

_MIN_KNOWN_WEIGHT: Final = 2
"""A bare element without anything in it is like any other of its kind."""

_Pair: TypeAlias = tuple[int, int]


class ElementPairs:
    """The pairs. ``of_one[x]`` is the partner of ``x`` in the other document, or -1; ``of_other`` back.

    Inside a pair with the same form everything is the same; the pair itself is noted, and all of it
    ``covered``. ``moved`` are those of the one document that have another parent or changed places.
    """

    def __init__(self, one: list[Element], other: list[Element], steps: Steps) -> None:
        self.one, self.other = one, other
        self.of_one, self.of_other = [-1] * len(one), [-1] * len(other)
        self.covered_one, self.covered_other = bytearray(len(one)), bytearray(len(other))
        self.moved: set[int] = set()
        self._steps = steps
        self._anchors = Anchors(one, other)
        self._pair_all()

    def _pair_all(self) -> None:
        self._pair_down(0, 0)  # both are called html: the parser sees to it
        for x, y in sorted(self._anchors.of_one.items()):
            if self._is_free(x, y):
                self.moved.add(x)
                self._pair_down(x, y)
        for x, y in self._same_and_alone():
            self.moved.add(x)
            self._pair(x, y)

    def _is_free(self, x: int, y: int) -> bool:
        return self._is_alone_in_one(x) and self._is_alone_in_other(y)

    def _is_alone_in_one(self, x: int) -> bool:
        return self.of_one[x] < 0 and not self.covered_one[x]

    def _is_alone_in_other(self, y: int) -> bool:
        return self.of_other[y] < 0 and not self.covered_other[y]

    def _pair(self, x: int, y: int) -> bool:
        """Note a pair. Whether something in it may differ."""
        self.of_one[x], self.of_other[y] = y, x
        if self.one[x].form != self.other[y].form:
            return True
        end_x, end_y = self.one[x].end, self.other[y].end
        self.covered_one[x:end_x] = bytes([1]) * (end_x - x)
        self.covered_other[y:end_y] = bytes([1]) * (end_y - y)
        return False

    def _pair_down(self, x: int, y: int) -> None:
        todo = [(x, y)]
        while todo:
            pair = todo.pop()
            if self._pair(*pair):
                todo.extend(self._children(*pair))

    def _children(self, x: int, y: int) -> list[_Pair]:
        """The pairs among the children of a pair; those that changed places are noted as moved."""
        mine = [child for child in self.one[x].children if self._is_alone_in_one(child)]
        theirs = [child for child in self.other[y].children if self._is_alone_in_other(child)]
        if self._are_each_of_a_kind(mine, theirs):
            return list(zip(mine, theirs, strict=True))
        pairs = self._known(mine, theirs)
        in_order = [pairs[index] for index in rising([partner for _, partner in pairs])]
        self.moved.update({child for child, _ in pairs} - {child for child, _ in in_order})
        known, known_to = {child for child, _ in pairs}, {partner for _, partner in pairs}
        gaps = _gaps(
            [child for child in mine if child not in known and not self._went_elsewhere(child)],
            [child for child in theirs if child not in known_to and not self._came_from_elsewhere(child)],
            in_order,
        )
        for likeness in _LIKENESSES:
            left: list[tuple[list[int], list[int]]] = []
            for ones, others in gaps:
                found = self._alike(ones, others, likeness)
                pairs.extend(found)
                left.extend(_gaps(ones, others, found))
            gaps = left
        return pairs

    def _are_each_of_a_kind(self, mine: list[int], theirs: list[int]) -> bool:
        """Whether the tags are the same, each once, and nothing is known to be elsewhere: most often so."""
        tags = [self.one[x].tag for x in mine]
        if tags != [self.other[y].tag for y in theirs] or len(set(tags)) < len(tags):
            return False
        to_theirs, to_mine = self._anchors.of_one, self._anchors.of_other
        return all(
            to_theirs.get(x, y) == y and to_mine.get(y, x) == x for x, y in zip(mine, theirs, strict=True)
        )

    def _known(self, mine: list[int], theirs: list[int]) -> list[_Pair]:
        """Children of a pair that are known again: anchors, and what is the same and once among them."""
        here = set(theirs)
        once = _once(self.other, [y for y in theirs if y not in self._anchors.of_other])
        same = _once(self.one, [x for x in mine if x not in self._anchors.of_one])
        found = []
        for x in mine:
            y = self._anchors.of_one.get(x, -1)
            if y < 0 and same.get(self.one[x].form) == x:
                y = once.get(self.one[x].form, -1)
            if y in here:
                found.append((x, y))
        return found

    def _went_elsewhere(self, x: int) -> bool:
        y = self._anchors.of_one.get(x, -1)
        return y >= 0 and self._is_alone_in_other(y)

    def _came_from_elsewhere(self, y: int) -> bool:
        x = self._anchors.of_other.get(y, -1)
        return x >= 0 and self._is_alone_in_one(x)

    def _alike(self, ones: list[int], others: list[int], likeness: _Likeness) -> list[_Pair]:
        if len(ones) == len(others) == 1:  # the most frequent case; every likeness is one of the tags, too
            return [(ones[0], others[0])] if self.one[ones[0]].tag == self.other[others[0]].tag else []
        mine = [likeness(self.one[x]) or ("of one", x) for x in ones]
        theirs = [likeness(self.other[y]) or ("of other", y) for y in others]
        runs = common_runs(mine, theirs, self._steps)
        return [(ones[a + i], others[b + i]) for a, b, length in runs for i in range(length)]

    def _same_and_alone(self) -> Iterator[_Pair]:
        """In document order, what is the same and has no partner; each is paired before the next.

        Inside what came or went as a whole, only what the documents have once: each card has such a button.
        """
        mine = _by_form(self.one, self._anchors.weight_one, self._is_alone_in_one)
        theirs = _by_form(self.other, self._anchors.weight_other, self._is_alone_in_other)
        once_in_one, once_in_other = (_once(side, range(len(side))).keys() for side in (self.one, self.other))
        for form, ones in mine.items():
            others = theirs.get(form, [])
            once = form in once_in_one and form in once_in_other
            outer_ones = (x for x in ones if once or self.of_one[self.one[x].parent] >= 0)
            outer_others = (y for y in others if once or self.of_other[self.other[y].parent] >= 0)
            yield from (pair for pair in zip(outer_ones, outer_others, strict=False) if self._is_free(*pair))


def _by_form(
    elements: list[Element], weights: list[int], is_alone: Callable[[int], bool]
) -> dict[int, list[int]]:
    """The elements that are alone and have something to be known by, in document order."""
    found: dict[int, list[int]] = defaultdict(list)
    for number, element in enumerate(elements):
        if weights[number] >= _MIN_KNOWN_WEIGHT and is_alone(number):
            found[element.form].append(number)
    return found


def _once(elements: list[Element], numbers: Iterable[int]) -> dict[int, int]:
    """The forms that occur once among ``numbers``, and where."""
    places: dict[int, int] = {}
    for number in numbers:
        form = elements[number].form
        places[form] = -1 if form in places else number
    return {form: number for form, number in places.items() if number >= 0}


def _gaps(ones: list[int], others: list[int], pairs: Iterable[_Pair]) -> list[tuple[list[int], list[int]]]:
    """What is left of two rising lists between ``pairs``, which rise on both sides, where both have some."""
    gaps = []
    low_x = low_y = 0
    for x, y in [*pairs, (-1, -1)]:
        high_x = bisect_left(ones, x, low_x) if x >= 0 else len(ones)
        high_y = bisect_left(others, y, low_y) if y >= 0 else len(others)
        if low_x < high_x and low_y < high_y:
            gaps.append((ones[low_x:high_x], others[low_y:high_y]))
        low_x = high_x + (ones[high_x : high_x + 1] == [x])
        low_y = high_y + (others[high_y : high_y + 1] == [y])
    return gaps


_Likeness: TypeAlias = Callable[[Element], Hashable]
"""What two elements must have alike; nothing (None) is like nothing."""


def _form(element: Element) -> Hashable:
    return ("form", element.form)


def _name(element: Element) -> Hashable:
    for name in _NAMING:
        if name in element.attributes:
            return (element.tag, name, element.attributes[name])
    return None


def _class_and_text(element: Element) -> Hashable:
    return (element.tag, element.attributes.get("class"), *texts) if (texts := element.texts) else None


def _class(element: Element) -> Hashable:
    return (element.tag, element.attributes["class"]) if "class" in element.attributes else None


def _tag(element: Element) -> Hashable:
    return element.tag


_LIKENESSES: Final = (_form, _name, _class_and_text, _class, _tag)
