"""Laws of explained values, over JSON values and over stored things in every order."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.canonical import canonical_bytes
from rea_capture.compare.explain.values import values as explained_values
from rea_capture.compare.explain.values.values import MAX_CHANGES, value_explanation
from rea_capture.contracts.explanation import ValueChange, ValueExplanation
from tests.fuzz.examples import examples

LAW = examples(100)
NAMES = ("sid", "__proto__", "a/b", "~", "root['x']", 'quo"te', "line\nbreak", "0", "")
OPPOSITE = {"added": "removed", "removed": "added", "changed": "changed", "moved": "moved"}


def plain_values() -> st.SearchStrategy[Any]:
    """JSON values that have a digest, with names that a path could be mistaken for."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 2),
        st.sampled_from((1.0, -0.0, 0.5)),
        st.sampled_from(NAMES),
    )
    names = st.sampled_from((*NAMES, "cookies", "query_parameter_names", "local_storage", "url", "error"))
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=8,
    )


def stored() -> st.SearchStrategy[Any]:
    """Storage artifacts with the same few names, twice now and then, in any order."""
    digest = st.sampled_from(("a" * 64, "b" * 64))
    name = st.sampled_from(NAMES)
    entry = st.fixed_dictionaries({"name": name, "value_sha256": digest})
    cookie = st.fixed_dictionaries(
        {
            "domain": st.sampled_from(("shop.test", ".test")),
            "name": name,
            "path": st.sampled_from(("/", "/a")),
            "secure": st.booleans(),
            "value_sha256": digest,
        }
    )
    return st.fixed_dictionaries(
        {
            "cookies": st.lists(cookie, max_size=4),
            "local_storage": st.lists(entry, max_size=4),
            "session_storage": st.just([]),
        }
    )


def pairs() -> st.SearchStrategy[tuple[Any, Any]]:
    return st.tuples(plain_values(), plain_values()) | st.tuples(stored(), stored())


def at_pointer(document: Any, pointer: str) -> Any:
    """The value at a JSON pointer (RFC 6901)."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document


def rows(explanation: ValueExplanation, *, swapped: bool = False) -> Counter[Any]:
    """The changes but for their sentences and paths, which of a changed item are those before."""
    if swapped:
        return Counter((OPPOSITE[one.change], one.after, one.before) for one in explanation.changes)
    return Counter((one.change, one.before, one.after) for one in explanation.changes)


@LAW
@given(pairs())
def test_there_is_a_change_exactly_where_the_digests_differ(values: tuple[Any, Any]) -> None:
    before, after = values
    explanation = value_explanation(before, after)
    assert bool(explanation.changes) is (canonical_bytes(before) != canonical_bytes(after))
    assert (explanation.summary == "Nothing differs.") is (not explanation.changes)


@LAW
@given(pairs())
def test_a_path_leads_to_the_value_that_is_shown(values: tuple[Any, Any]) -> None:
    before, after = values
    for change in value_explanation(before, after).changes:
        side, text = (after, change.after) if change.change == "added" else (before, change.before)
        assert text is not None
        found = at_pointer(side, change.path)
        if "… (" not in text:
            assert canonical_bytes(orjson.loads(text)) == canonical_bytes(found)


@LAW
@given(pairs())
def test_swapping_sides_swaps_the_changes_and_their_words(values: tuple[Any, Any]) -> None:
    before, after = values
    one, other = value_explanation(before, after), value_explanation(after, before)
    assert rows(one) == rows(other, swapped=True)
    assert one.omitted == other.omitted
    came, went = (
        {_words(change) for change in side.changes if change.change == "added"} for side in (one, other)
    )
    lost, gained = (
        {_words(change) for change in side.changes if change.change == "removed"} for side in (one, other)
    )
    assert {_opposite(words) for words in came} == gained
    assert {_opposite(words) for words in went} == lost


def _words(change: ValueChange) -> str:
    assert "\n" not in change.words
    return change.words


def _opposite(words: str) -> str:
    for one, other in ((" came", " went"), (" gained ", " lost ")):
        if one in words:
            return words.replace(one, other)
    raise AssertionError(words)


@pytest.mark.parametrize("shown", [1, 2, 5])
@LAW
@given(pairs())
def test_what_is_shown_and_what_is_omitted_are_all_differences(shown: int, values: tuple[Any, Any]) -> None:
    whole = value_explanation(*values)
    assert whole.omitted == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explained_values, "MAX_CHANGES", shown)
        bounded = value_explanation(*values)
    assert len(bounded.changes) == min(shown, len(whole.changes))
    assert len(bounded.changes) + bounded.omitted == len(whole.changes) <= MAX_CHANGES
    assert not rows(bounded) - rows(whole)


@LAW
@given(stored(), st.randoms(use_true_random=False))
def test_stored_things_in_another_order_are_moved_and_nothing_else(value: Any, random: Any) -> None:
    unique = {
        name: [*{(one.get("domain"), one.get("path"), one["name"]): one for one in items}.values()]
        for name, items in value.items()
    }
    shuffled = {name: random.sample(items, len(items)) for name, items in unique.items()}
    changes = value_explanation(unique, shuffled).changes
    assert [(change.change, change.path) for change in changes] == [
        ("moved", f"/{name}") for name in sorted(unique) if unique[name] != shuffled[name]
    ]
