"""Which network transaction of one side became which of the other.

    1. Those alike, their redirects included, in any order.
    2. Those of the same method, URL and redirects: first those that have the most in common besides.
    3. Those of the same method and nearly the same URL: without its query, without its digits, elsewhere.
    4. By likeness of the URLs, the most alike first, among those of the same method and type; and the
       last one left of either side.

Of several with the same key the first goes with the first. All but step 4 takes linear time, and step 4 is
left out where it would take more than ``MAX_SCORED_PAIRS`` looks. The sides may be swapped: each then has
the same counterpart.

Below: ``common_runs``, ``step_events``. Above: ``transactions``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rea_capture.compare.explain.events.step_events import StepTransaction
from rea_capture.compare.explain.text.common_runs import Steps

MAX_SCORED_PAIRS: Final = 40_000
"""Pairs of URLs looked at for likeness in one step, a fifth of a second: two hundred by two hundred."""

MAX_LIKENESS_CHARACTERS: Final = 512
"""Of a URL that is looked at for likeness; what comes after is the content of a ``data:`` URL or a token."""

Pair = tuple[StepTransaction, StepTransaction]
_Key = Callable[[StepTransaction], Hashable | None]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Every transaction of a step, each once. ``unscored``: too many differ to look for likeness."""

    alike: tuple[Pair, ...]
    changed: tuple[Pair, ...]
    removed: tuple[StepTransaction, ...]
    added: tuple[StepTransaction, ...]
    unscored: bool

    @property
    def reordered(self) -> int:
        """How many of those alike came in another order: the fewest that must move to have the other one."""
        positions = [after.position for _, after in sorted(self.alike, key=lambda pair: pair[0].position)]
        return len(positions) - _longest_ascent(positions)


def paired(
    before: Sequence[StepTransaction], after: Sequence[StepTransaction], looks: Steps | None = None
) -> Pairing:
    """Pair the transactions of two steps, with as many looks for likeness as ``looks`` has."""
    rest = _Rest(list(before), list(after))
    alike = rest.paired_by(lambda one: one.fingerprint)
    changed = [pair for key in _KEYS for pair in rest.paired_by(key)]
    likely, unscored = _paired_by_likeness(rest, looks or Steps(MAX_SCORED_PAIRS))
    changed += likely
    changed += rest.paired_by(lambda one: (one.method, one.resource_type, one.origin), only_single=True)
    return Pairing(
        alike=tuple(alike),
        changed=tuple(sorted(changed, key=lambda pair: pair[0].position)),
        removed=tuple(rest.before),
        added=tuple(rest.after),
        unscored=unscored,
    )


@dataclass(slots=True)
class _Rest:
    """What has no counterpart yet, in the order of requests."""

    before: list[StepTransaction]
    after: list[StepTransaction]

    def paired_by(self, key: _Key, *, only_single: bool = False) -> list[Pair]:
        """Take those of which both sides have one with the same key; a key of None is like no other."""
        if not self.before or not self.after:
            return []
        groups, others = _grouped(self.before, key), _grouped(self.after, key)
        found: list[Pair] = []
        for name, ones in groups.items():
            counterparts = others.get(name, [])
            if only_single and (len(ones) != 1 or len(counterparts) != 1):
                continue
            found += zip(ones, counterparts, strict=False)
        self.take(found)
        return found

    def take(self, pairs: Iterable[Pair]) -> None:
        """Leave out those of ``pairs``."""
        pairs = list(pairs)
        gone_before = {before.position for before, _ in pairs}
        gone_after = {after.position for _, after in pairs}
        self.before = [one for one in self.before if one.position not in gone_before]
        self.after = [one for one in self.after if one.position not in gone_after]


def _grouped(transactions: Iterable[StepTransaction], key: _Key) -> dict[Hashable, list[StepTransaction]]:
    groups: dict[Hashable, list[StepTransaction]] = {}
    for one in transactions:
        if (name := key(one)) is not None:
            groups.setdefault(name, []).append(one)
    return groups


def _same(one: StepTransaction) -> tuple[Hashable, ...]:
    return one.method, one.url, one.chain


def _if_any(*names: str) -> _Key:
    """The same method, URL and redirects, and the same content, if there is any."""

    def key(one: StepTransaction) -> Hashable | None:
        content = tuple(getattr(one, name) for name in names)
        return None if None in content else (*_same(one), *content)

    return key


_HEXADECIMAL: Final = re.compile(r"[0-9a-fA-F]++")
"""With a digit in it, a number or the digest that a build puts into a name."""


def _without_number(match: re.Match[str]) -> str:
    return match[0] if match[0].isalpha() else "0"


def _without_query(one: StepTransaction) -> Hashable | None:
    if one.url is None:
        return None
    return one.method, one.resource_type, one.url.partition("#")[0].partition("?")[0]


def _without_digits(one: StepTransaction) -> Hashable | None:
    if one.url is None:
        return None
    shape = _HEXADECIMAL.sub(_without_number, one.url[:MAX_LIKENESS_CHARACTERS])
    return one.method, one.resource_type, one.origin, shape


def _elsewhere(one: StepTransaction) -> Hashable | None:
    if one.url is None or one.origin is None:
        return None
    path = one.url.removeprefix(one.origin)
    return None if path in {"", "/"} else (one.method, one.resource_type, path)


_KEYS: Final[tuple[_Key, ...]] = (
    lambda one: (*_same(one), one.own),
    _if_any("request_content", "response_content"),
    _if_any("request_content"),
    _if_any("response_content"),
    lambda one: (*_same(one), one.status, one.failure),
    _same,
    lambda one: (one.method, one.url, one.resource_type),
    lambda one: (one.method, one.url),
    lambda one: None if one.chain is None else (one.method, one.resource_type, one.chain),
    _without_query,
    _without_digits,
    _elsewhere,
)
"""From the most to the least that two transactions have in common."""


def _paired_by_likeness(rest: _Rest, left: Steps) -> tuple[list[Pair], bool]:
    """Pairs of step 4, and whether there were too many to look at all of them."""
    groups, others = _grouped(rest.before, _kind), _grouped(rest.after, _kind)
    found: list[Pair] = []
    unscored = False
    for looks, name in sorted(
        (len(groups[name]) * len(others[name]), name) for name in groups if name in others
    ):
        if unscored := looks > left.left:
            break
        left.take(looks)
        found += _most_alike(groups[name], others[name])
    rest.take(found)
    return found, unscored


def _kind(one: StepTransaction) -> Hashable | None:
    return None if one.url is None else (one.method, one.resource_type)


def _most_alike(before: Sequence[StepTransaction], after: Sequence[StepTransaction]) -> list[Pair]:
    """Pairs of which more than half the parts of their URLs are the same, the most alike first."""
    parts = [url_parts(one.url or "") for one in before]
    others = [url_parts(one.url or "") for one in after]
    candidates: list[tuple[float, int, int]] = []
    for i, mine in enumerate(parts):
        for j, theirs in enumerate(others):
            likeness = 2 * len(mine & theirs) / (len(mine) + len(theirs))
            if likeness > 0.5:
                candidates.append((-likeness, i, j))
    taken_before, taken_after, found = set[int](), set[int](), []
    # Of two that share a transaction the same one is first from either side: swapping changes nothing.
    for _, i, j in sorted(candidates):
        if i in taken_before or j in taken_after:
            continue
        taken_before.add(i)
        taken_after.add(j)
        found.append((before[i], after[j]))
    return found


_HOST: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://([^/?#]*+)")
_SEPARATORS: Final = re.compile(r"[^0-9A-Za-z\u0080-\U0010ffff]++")


def url_parts(url: str) -> frozenset[str]:
    """The host, and the words of the rest."""
    text = url[:MAX_LIKENESS_CHARACTERS]
    found = _HOST.match(text)
    host, rest = (found[1], text[found.end() :]) if found else ("", text)
    return frozenset((f"//{host}", *filter(None, _SEPARATORS.split(rest))))


def _longest_ascent(numbers: Iterable[int]) -> int:
    """How long the longest strictly ascending subsequence is (patience sorting, n log n)."""
    ends: list[int] = []
    for number in numbers:
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
    return len(ends)
