"""How many examples a test tries, and JSON values of every kind for it to try.

Below: hypothesis, the package's errors. Above: the tests of this folder and of ``tests/property``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rea_capture.errors import ReaError

USUAL_EXAMPLES: Final = 100
"""What hypothesis tries unless told otherwise; a profile with more makes every test here try more."""

Place = tuple[str | int, ...]

WORDS: Final = (
    "", "launch", "connect", "captured", "missing", "complete", "http://127.0.0.1:1/", "javascript:1", "http://[",
    "http://a:b@c/", "\x00", "\ud800", "é", "https://xn--/", "1", "-1", "null", "__proto__", "a" * 5_000,
)  # fmt: skip


def examples(count: int) -> settings:
    """``count`` examples in the suite, as many times more as the loaded profile has more than usual."""
    profile = settings.default
    assert profile is not None
    many = max(1, count * profile.max_examples // USUAL_EXAMPLES)
    return settings(max_examples=many, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, those that programs stumble over more often than chance would have it."""
    numbers = st.sampled_from([0, 1, -1, 1.0, 1.5, 2**31, 2**53, 2**64, 10**40, -0.0, 1e308])
    leaves = st.one_of(
        st.none(), st.booleans(), numbers, st.integers(), st.sampled_from(WORDS[:-1]), st.text(max_size=20)
    )

    def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3))

    return st.recursive(leaves, containers, max_leaves=8)


def check_refusal(error: ReaError) -> None:
    """A refusal is a sentence, and of each fault a pointer into the document and a sentence."""
    for text in (error.message, *(fault.message for fault in error.faults)):
        assert text
        assert "\n" not in text
        assert "\r" not in text
    assert all(fault.pointer == "" or fault.pointer.startswith("/") for fault in error.faults)


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """The path of every value inside ``value``."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def found_at(document: Any, place: Place) -> Any:
    """The value at ``place``."""
    for part in place:
        document = document[part]
    return document


def altered(document: Any, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """``document`` with one value replaced, moved, left out or doubled, or one unknown field more."""

    @st.composite
    def one(draw: st.DrawFn) -> Any:  # a strategy without arguments, since these would be printed whole
        return _altered(draw, document, values)

    return one()


def _altered(draw: st.DrawFn, document: Any, values: st.SearchStrategy[Any]) -> Any:
    place = draw(st.sampled_from(list(places(document))))
    changed = copy.deepcopy(document)
    parent: Any = found_at(changed, place[:-1])
    last: Any = place[-1]
    elsewhere = st.sampled_from(list(places(document))).map(
        lambda other: copy.deepcopy(found_at(document, other))
    )
    what = draw(st.sampled_from(("replace", "replace", "move", "remove", "add")))
    if what == "replace":
        parent[last] = draw(values)
    elif what == "move":
        parent[last] = draw(elsewhere)
    elif what == "remove":
        del parent[last]
    elif isinstance(parent, list):
        parent.append(copy.deepcopy(parent[last]))
    else:
        parent[draw(st.text(max_size=5))] = draw(values)
    return changed
