"""Which texts name a key."""

from __future__ import annotations

import pytest

from rea_capture.browser.runtime.keys import is_key


@pytest.mark.parametrize(
    "text", ["Enter", "a", "A", " ", "+", "Control+A", "Control++", "Shift+Alt+F5", "Shift"]
)
def test_a_key_is_named_with_modifiers_or_without(text: str) -> None:
    assert is_key(text)


@pytest.mark.parametrize(
    "text", ["", "Return", "é", "ab", "a+b", "Control+", "Enter+Control", "++", "F13", "Control+ Enter"]
)
def test_anything_else_is_no_key(text: str) -> None:
    assert not is_key(text)
