"""Elements that are known again wherever they are.

What is the same on both sides and occurs once on each; what has an id that occurs once on each; and an
element of which most is such, which is found by votes: each element that is known again says which parents
belong together, and they say so of theirs (as XyDiff and GumTree do).

Below: ``page_tree``. Above: ``pairs``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

from rea_capture.compare.explain.text.page_tree import Element

MIN_WEIGHT: Final = 24
"""What weighs less is not followed to another place: cells that say 5 are not one cell that moved."""

_MAX_TEXT_WEIGHT: Final = 40
"""A text weighs as much as it has characters, and no more than this."""

_ATTRIBUTE_WEIGHT: Final = 4
"""An element weighs 1, and this for each attribute."""


class Anchors:
    """``of_one`` and ``of_other``: the anchors of either document, and what became of them in the other."""

    def __init__(self, one: list[Element], other: list[Element]) -> None:
        self.one, self.other = one, other
        self.of_one: dict[int, int] = {}
        self.of_other: dict[int, int] = {}
        self.weight_one, self.weight_other = weights(one), weights(other)
        small = self._by_form()
        self._by_id()
        self._by_votes(small)

    def _add(self, x: int, y: int) -> None:
        if x not in self.of_one and y not in self.of_other:
            self.of_one[x], self.of_other[y] = y, x

    def _by_form(self) -> dict[int, int]:
        """The largest subtrees that are the same. Gives those that weigh too little to be anchors."""
        mine, theirs = _forms_once(self.one), _forms_once(self.other)
        small: dict[int, int] = {}
        x = 0
        while x < len(self.one):
            form = self.one[x].form
            if mine.get(form) == x and form in theirs:
                if self.weight_one[x] >= MIN_WEIGHT:
                    self._add(x, theirs[form])
                else:
                    small[x] = theirs[form]
                x = self.one[x].end
            else:
                x += 1
        return small

    def _by_id(self) -> None:
        mine, theirs = _ids_once(self.one), _ids_once(self.other)
        for name, x in mine.items():
            if (y := theirs.get(name, -1)) >= 0 and self.one[x].tag == self.other[y].tag:
                self._add(x, y)

    def _by_votes(self, small: dict[int, int]) -> None:
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        chosen: dict[int, tuple[int, int]] = {}
        for x in range(len(self.one) - 1, 0, -1):
            y, weight = self._voted(x, small, votes.pop(x, None))
            if y <= 0:
                continue
            votes[self.one[x].parent][self.other[y].parent] += weight
            if x not in small and self._is_most(x, y, weight) and chosen.get(y, (0, 0))[0] <= weight:
                chosen[y] = (weight, x)
        for y, (_, x) in sorted(chosen.items()):
            self._add(x, y)

    def _voted(self, x: int, small: dict[int, int], cast: Counter[int] | None) -> tuple[int, int]:
        """What ``x`` became as far as is known, and the weight of it; -1 where nothing is."""
        y = self.of_one.get(x, small.get(x, -1))
        if y >= 0:
            return y, self.weight_one[x]
        if not cast:
            return -1, 0
        weight, y = max((weight, -y) for y, weight in cast.items())
        return -y, weight

    def _is_most(self, x: int, y: int, weight: int) -> bool:
        alike = self.one[x].tag == self.other[y].tag
        return alike and 2 * weight > max(self.weight_one[x], self.weight_other[y])


def weights(elements: list[Element]) -> list[int]:
    """How much each element has to be known by, with all that is in it."""
    found = [
        1
        + _ATTRIBUTE_WEIGHT * len(element.attributes)
        + sum(min(len(text), _MAX_TEXT_WEIGHT) for text in element.texts)
        for element in elements
    ]
    for number in range(len(elements) - 1, 0, -1):
        found[elements[number].parent] += found[number]
    return found


def _forms_once(elements: list[Element]) -> dict[int, int]:
    """The forms that occur once, and where."""
    places: dict[int, int] = {}
    for number, element in enumerate(elements):
        places[element.form] = -1 if element.form in places else number
    return {form: number for form, number in places.items() if number >= 0}


def _ids_once(elements: list[Element]) -> dict[str, int]:
    """The ids that occur once, and where."""
    places: dict[str, int] = {}
    for number, element in enumerate(elements):
        if name := element.attributes.get("id"):
            places[name] = -1 if name in places else number
    return {name: number for name, number in places.items() if number >= 0}
