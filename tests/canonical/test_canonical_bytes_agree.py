"""The fast path and the reference give the same bytes, whatever the value."""

from __future__ import annotations

import json
from typing import Any

import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from rea_capture.canonical import canonical_bytes, record_bytes
from rea_capture.contracts.capture import CaptureResult
from rea_capture.errors import InputError
from tests.compare.strategies import captures

ANY_TEXT = st.text(st.characters(codec=None), max_size=8)
"""Lone surrogates, NUL and non-characters included."""

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53) - 2, 2**53 + 2),
    st.floats(),
    ANY_TEXT,
    st.sampled_from(("\ud800", "\u2028", "\x7f", "\x00", "é", '"\\/', "\U0010ffff", "</script>")),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(ANY_TEXT, inner, max_size=4),
        st.dictionaries(st.sampled_from(("b", "a", "B", "_", "aa", "€", "\U0001f600", "\ufb33")), inner),
    ),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(values)
def test_canonical_bytes_are_those_of_the_reference(value: Any) -> None:
    try:
        expected = rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError):
        expected = None
    try:
        actual = canonical_bytes(value)
    except InputError:
        actual = None
    assert actual == expected


@settings(max_examples=30, deadline=None)
@given(captures())
def test_the_bytes_of_a_record_are_those_of_the_reference(capture: CaptureResult) -> None:
    data = record_bytes(capture)
    assert rfc8785.dumps(json.loads(data)) == data
