"""A JSON value as a tree of mappings, so that what belongs together is compared with each other.

    1. An object is a mapping by field name, a list of things with an identity one by that identity: cookies
       by domain, path and name, stored entries by name, query parameters by themselves. Any other list is
       one by position.
    2. Every other value is its RFC 8785 text. Then 1 and 1.0 are alike and true and 1 are not, as for the
       digest that called them changed; and no text has a line of its own.
    3. Of two trees only what differs is kept, up to a number of differences; the rest is counted.

Linear in the size of both.

Below: ``canonical``. Above: ``values``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from rea_capture.canonical import canonical_bytes

_IDENTITY: Final[Mapping[str, tuple[str, ...]]] = {
    "cookies": ("domain", "path", "name"),
    "local_storage": ("name",),
    "session_storage": ("name",),
    "query_parameter_names": (),
}
"""Fields that make the identity of the items of a list, by the list's name; none: the item itself."""


class ItemKey(NamedTuple):
    """Which item of a list: its identity, and the how manyth of that identity (caller rules can make two)."""

    identity: tuple[str, ...]
    occurrence: int


Key: TypeAlias = str | int | ItemKey
Path: TypeAlias = tuple[Key, ...]


class Fields(dict[Key, "Tree"]):
    """An object."""

    def __eq__(self, other: object) -> bool:
        return type(other) is Fields and dict.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # a mapping that can change has none


class Items(dict[Key, "Tree"]):
    """A list; its keys are in the order of its items, and ``positions`` says where each is."""

    def __init__(self, items: Iterable[tuple[Key, Tree]]) -> None:
        super().__init__(items)
        self.positions = {key: position for position, key in enumerate(self)}

    def __eq__(self, other: object) -> bool:
        return type(other) is Items and dict.__eq__(self, other) and list(self) == list(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # a mapping that can change has none


Tree: TypeAlias = Fields | Items | str


def tree_of(value: Any, name: str = "") -> Tree:
    """The tree of the JSON ``value``, which is the field ``name`` of an object, if of any."""
    if isinstance(value, dict):
        return Fields((key, tree_of(item, key)) for key, item in value.items())
    if isinstance(value, list):
        return Items(zip(_keys(value, _IDENTITY.get(name)), (tree_of(item) for item in value), strict=True))
    return canonical_bytes(value).decode("utf-8")


def _keys(items: list[Any], names: tuple[str, ...] | None) -> Iterator[Key]:
    identities = [None if names is None else _identity(item, names) for item in items]
    if any(identity is None for identity in identities):
        yield from range(len(items))
        return
    met: dict[tuple[str, ...], int] = {}
    for identity in identities:
        assert identity is not None
        yield ItemKey(identity, met.setdefault(identity, 0))
        met[identity] += 1


def _identity(item: Any, names: tuple[str, ...]) -> tuple[str, ...] | None:
    if not names:
        return (item,) if isinstance(item, str) else None
    if not isinstance(item, dict):
        return None
    found = tuple(part for name in names if isinstance(part := item.get(name), str))
    return found if len(found) == len(names) else None


def json_text(tree: Tree) -> str:
    """The JSON text that ``tree`` is made of."""
    if isinstance(tree, Items):
        return f"[{','.join(map(json_text, tree.values()))}]"
    if isinstance(tree, Fields):
        parts = (f"{canonical_bytes(str(key)).decode()}:{json_text(item)}" for key, item in tree.items())
        return f"{{{','.join(parts)}}}"
    return tree


def tokens(tree: Tree, path: Path) -> tuple[str | int, ...]:
    """The tokens of the JSON pointer to ``path`` in ``tree``: field names, and positions in lists."""
    found: list[str | int] = []
    for key in path:
        assert not isinstance(tree, str)
        found.append(tree.positions[key] if isinstance(tree, Items) else str(key))
        tree = tree[key]
    return tuple(found)


@dataclass(slots=True)
class Narrowing:
    """What differs between two trees: up to ``room`` differences, how many ``omitted``, and lists ``moved``.

    A list is moved where the items that both sides have came in another order.
    """

    room: int
    omitted: int = 0
    moved: list[tuple[Path, Tree, Tree]] = field(default_factory=list)

    def narrowed(self, before: Tree, after: Tree, path: Path = ()) -> tuple[Tree, Tree]:
        """``before`` and ``after`` without what they have in common and without what there is no room for."""
        if isinstance(before, str) or isinstance(after, str) or type(before) is not type(after):
            self.room -= 1
            return before, after
        self._note_order(before, after, path)
        kept_before: list[tuple[Key, Tree]] = []
        kept_after: list[tuple[Key, Tree]] = []
        for key in _in_document_order(before, after):
            one, other = before.get(key), after.get(key)
            if one == other:
                continue
            if self.room <= 0:
                self.omitted += _differences(one, other)
                continue
            if one is None or other is None:
                self.room -= 1
            else:
                one, other = self.narrowed(one, other, (*path, key))
            if one is not None:
                kept_before.append((key, one))
            if other is not None:
                kept_after.append((key, other))
        return _like(before, kept_before), _like(after, kept_after)

    def _note_order(self, before: Fields | Items, after: Fields | Items, path: Path) -> None:
        if not isinstance(before, Items) or not isinstance(after, Items):
            return
        if [key for key in before if key in after] == [key for key in after if key in before]:
            return
        if self.room <= 0:
            self.omitted += 1
            return
        self.room -= 1
        self.moved.append((path, before, after))


def _like(tree: Fields | Items, kept: list[tuple[Key, Tree]]) -> Tree:
    return Items(kept) if isinstance(tree, Items) else Fields(kept)


def _in_document_order(before: Fields | Items, after: Fields | Items) -> list[Key]:
    """The keys of both, alike whichever side is the first."""
    if isinstance(before, Items) and isinstance(after, Items):
        first, second = before.positions, after.positions
        return sorted(
            {**before, **after},
            key=lambda key: (
                min(first.get(key, second.get(key, 0)), second.get(key, first.get(key, 0))),
                first.get(key, 0) + second.get(key, 0),
                _spelled(key),
            ),
        )
    return sorted({**before, **after}, key=_spelled)


def _spelled(key: Key) -> tuple[tuple[str, ...], str | int]:
    return (key.identity, key.occurrence) if isinstance(key, ItemKey) else ((), key)


def _differences(before: Tree | None, after: Tree | None) -> int:
    """How many differences there are, counted as :class:`Narrowing` does."""
    if before == after:
        return 0
    if before is None or after is None or isinstance(before, str) or isinstance(after, str):
        return 1
    if type(before) is not type(after):
        return 1
    counting = Narrowing(room=0)
    counting.narrowed(before, after)
    return counting.omitted
