"""Parts of a document by JSON Pointer, whole or a page at a time."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.canonical import canonical_bytes
from rea_capture.canonical.jcs import Json
from rea_capture.contracts.json_text import pointer_of
from rea_capture.errors import InputError
from rea_capture.mcp_server.limits import MAX_MEMBERS
from rea_capture.mcp_server.paging import NoSuchPartError, page_of, part_of, text_of

NAMES = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
ARRAY_OF_2 = "which is not there: it is an array of 2"


@given(VALUES, st.integers(1, 9))
def test_pages_one_after_the_other_are_the_canonical_text(value: Json, length: int) -> None:
    data = json.dumps(value).encode()
    pages, offset = [], 0
    while True:
        page = page_of(data, "ev", "", offset, length)
        pages.append(page.text)
        if page.next_offset is None:
            break
        offset = page.next_offset
    assert "".join(pages).encode() == canonical_bytes(value)


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=4))
def test_the_pointers_of_members_lead_to_them(value: dict[str, object]) -> None:
    data = json.dumps({"top": [value]}).encode()
    page = page_of(data, "ev", "/top/0", 0, 1)
    assert [part_of(data, member.pointer) for member in page.members] == list(value.values())
    assert [len(text_of(each)) for each in value.values()] == [member.characters for member in page.members]
    assert part_of(data, pointer_of(("top", 0))) == value


def test_of_many_members_the_first_are_listed_and_the_rest_counted() -> None:
    data = json.dumps(list(range(MAX_MEMBERS + 5))).encode()
    page = page_of(data, "ev", "", 0, 10)
    assert (len(page.members), page.members_omitted, page.type) == (MAX_MEMBERS, 5, "array")
    assert page_of(data, "ev", "", 0, 10_000).members == ()


@pytest.mark.parametrize(
    ("pointer", "sentence"),
    [
        ("a", "must be empty or begin with /"),
        ("/no", "names 'no' at the top, which is not there: it has a and b"),
        ("/a/2", "names '2' at /a, which is not there: it is an array of 2"),
        ("/a/01", "names '01' at /a, which is not there: it is an array of 2"),
        ("/a/-1", "names '-1' at /a, which is not there: it is an array of 2"),
        ("/a/" + "9" * 5_000, f"names '{'9' * 80}… (4,920 more characters)' at /a, {ARRAY_OF_2}"),
        ("/b/x", "names 'x' at /b, which is not there: it is a string"),
    ],
)
def test_a_pointer_to_nothing_says_what_is_there(pointer: str, sentence: str) -> None:
    data = b'{"a": [1, 2], "b": "text"}'
    with pytest.raises(NoSuchPartError) as none:
        part_of(data, pointer)
    assert str(none.value) == sentence
    with pytest.raises(InputError) as refused:
        page_of(data, "ev", pointer, 0, 1)
    assert [(each.pointer, each.message) for each in refused.value.faults] == [("/pointer", sentence)]


def test_an_offset_beyond_the_end_is_refused() -> None:
    with pytest.raises(InputError, match="/offset: must be at most 2"):
        page_of(b"{}", "ev", "", 3, 1)
