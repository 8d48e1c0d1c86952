"""What differs inside ``url``, ``history``, ``storage`` or ``action_state``: where, and in words.

    1. Both values become trees in which what belongs together has one key (``trees``).
    2. Only what differs is kept, up to ``MAX_CHANGES``; the rest is counted.
    3. deepdiff compares what is left. It sees mappings and JSON texts alone, never a list, a number or a
       text of several lines, for which it takes quadratic time; nothing is ever evaluated.
    4. Each difference gets its JSON pointer and its words, in document order.

deepdiff takes longer to import than a comparison; whoever imports this waits for it at the first difference.

Below: ``bounds``, ``trees``, ``words``, deepdiff. Above: ``explain``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from rea_capture.compare.explain.bounds import Bounds
from rea_capture.compare.explain.text.common_runs import Steps
from rea_capture.compare.explain.values.trees import Narrowing, Path, Tree, json_text, tokens, tree_of
from rea_capture.compare.explain.values.words import Difference, moved_words, words
from rea_capture.contracts.explanation import ValueChange, ValueExplanation
from rea_capture.wording import counted, sentence, shortened

MAX_CHANGES: Final = 200
"""Changes shown of one artifact: more than anybody reads, and found in a twentieth of a second."""

MAX_VALUE_CHARACTERS: Final = 400
"""Of a JSON text before and after: a long URL whole, a digest, the start of anything else."""

MAX_SUMMARY_CHANGES: Final = 3
"""Changes that a summary tells itself; a reader finds the others below it."""

_TELLING: Final = {"error": 0, "status": 1, "url": 2}
"""Fields whose changes a summary tells first: what failed and where it ended explain most of the others."""

_Token = str | int


def value_explanation(before: Any, after: Any, *, bounds: Bounds | None = None) -> ValueExplanation:
    """The differences between two JSON values, which caller rules have been applied to already.

    ``bounds`` are those of the whole comparison. Raises :class:`SpentError`.
    """
    with (bounds or Bounds()).some("changes", MAX_CHANGES) as room:
        return _explanation(before, after, room)


def _explanation(before: Any, after: Any, room: Steps) -> ValueExplanation:
    one, other = tree_of(before), tree_of(after)
    narrowing = Narrowing(room.left)
    found: list[tuple[tuple[_Token, ...], ValueChange]] = []
    if one != other:
        narrowed = narrowing.narrowed(one, other)
        found += (_change(difference, one, other) for difference in _differences(*narrowed, (one, other)))
        found += (_moved(*moved, one) for moved in narrowing.moved)
    found.sort(key=lambda placed: (_order(placed[0]), placed[1].change))
    changes = tuple(change for _, change in found)
    room.take(len(changes))
    return ValueExplanation(
        changes=changes, omitted=narrowing.omitted, summary=_summary(changes, narrowing.omitted)
    )


def _differences(before: Tree, after: Tree, roots: tuple[Tree, Tree]) -> Iterator[Difference]:
    """What deepdiff finds between two trees of which little is left."""
    from deepdiff import DeepDiff  # noqa: PLC0415 - see above

    found = DeepDiff(
        before,
        after,
        view="tree",
        ignore_private_variables=False,  # a field may begin with two underscores
        threshold_to_diff_deeper=0,  # else objects with little in common are one difference
    )
    for kind, levels in found.items():
        for level in levels:
            yield Difference(
                path=tuple(level.path(output_format="list")),
                before=None if kind == "dictionary_item_added" else level.t1,
                after=None if kind == "dictionary_item_removed" else level.t2,
                roots=roots,
            )


def _change(difference: Difference, before: Tree, after: Tree) -> tuple[tuple[_Token, ...], ValueChange]:
    change: Literal["added", "removed", "changed"] = "changed"
    if difference.before is None:
        change = "added"
    elif difference.after is None:
        change = "removed"
    place = tokens(after if change == "added" else before, difference.path)
    return place, ValueChange(
        after=_shown(difference.after),
        before=_shown(difference.before),
        change=change,
        path=_pointer(place),
        words=words(difference),
    )


def _moved(path: Path, before: Tree, after: Tree, root: Tree) -> tuple[tuple[_Token, ...], ValueChange]:
    place = tokens(root, path)
    return place, ValueChange(
        after=_shown(after),
        before=_shown(before),
        change="moved",
        path=_pointer(place),
        words=moved_words(path),
    )


def _shown(tree: Tree | None) -> str | None:
    return None if tree is None else shortened(json_text(tree), MAX_VALUE_CHARACTERS)


def _pointer(place: tuple[_Token, ...]) -> str:
    """The JSON pointer of RFC 6901 section 3."""
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in place)


def _order(place: tuple[_Token, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((token, "") if isinstance(token, int) else (-1, token) for token in place)


def _summary(changes: tuple[ValueChange, ...], omitted: int) -> str:
    ranked = sorted(changes, key=lambda change: _TELLING.get(change.path.rpartition("/")[2], len(_TELLING)))
    told = [change.words for change in ranked[:MAX_SUMMARY_CHANGES]]
    rest = len(changes) - len(told) + omitted
    if rest:
        told.append(counted(rest, "more change"))
    return sentence("; ".join(told) or "nothing differs")
