"""The same two captures are explained alike by every version of Python, whose Unicode tables differ."""

from __future__ import annotations

import re

import pytest

from rea_capture.compare.explain.events.pairing import url_parts
from rea_capture.compare.explain.shown_text import shown_text
from rea_capture.compare.explain.values.trees import Fields, ItemKey, Narrowing, tree_of
from rea_capture.compare.explain.values.values import value_explanation
from rea_capture.wording import on_one_line, sentence
from tests.project.tree import ROOT

LATER = "\U0001fae8"
"""A sign that is printable for Python 3.12 and not for 3.11."""

TABLES = re.compile(
    r"\.(?:is(?:printable|alpha|alnum|space|digit|numeric|decimal|identifier|lower|upper|title)|casefold|lower"
    r"|upper|title|capitalize|swapcase|splitlines|(?:split|r?strip|lstrip)(?=\(\)))\("
    r"|unicodedata|urlsplit|unescape|locale|![ra]\b|\brepr\(|\\[wWdDsSbB]|key=str|IGNORECASE"
)
"""What asks the interpreter about a sign, or leaves it the spelling of one."""

JUDGED = {
    ("line_splits.py", "splitlines"): "named where it says why it is not used",
    ("ascii_case.py", "lower"): "named where it says why it is not used",
    ("pairing.py", "isalpha"): "of hexadecimal digits",
    ("css_paths.py", "isdigit"): "of what is ASCII",
    ("words.py", "isalnum"): "of what is ASCII",
    ("parse_cost.py", "IGNORECASE"): "with ASCII beside it",
    ("wording.py", "upper"): "of what is ASCII",
    ("shift.py", "lower"): "of a picture",
    ("tolerance.py", "lower"): "of a picture",
}


NAMED = ("wording.py", "visible.py", "contracts/line_splits.py")
"""What explains a change, besides the room that does."""


def test_nothing_that_explains_asks_the_interpreter_what_a_sign_is() -> None:
    room = ROOT / "rea_capture" / "compare" / "explain"
    files = [*room.rglob("*.py"), *(ROOT / "rea_capture" / name for name in NAMED)]
    found = {
        (path.name, hit.strip(".("))
        for path in files
        for hit in TABLES.findall(path.read_text("utf-8").replace("``str.", "``."))
    }
    assert found <= set(JUDGED)


def test_a_sign_of_a_later_edition_is_shown_as_it_is() -> None:
    assert shown_text(f"a{LATER}", 10) == f"a{LATER}"
    (change,) = value_explanation({"a": f"x{LATER}"}, {"a": f"y{LATER}"}).changes
    assert change.words == f"'a' changed from 'x{LATER}' to 'y{LATER}'"
    (added,) = value_explanation({}, {LATER: 1}).changes
    assert (added.path, added.words) == (f"/{LATER}", f"'{LATER}' came: '1'")


def test_what_has_room_depends_on_no_spelling_of_a_key() -> None:
    one, other = ({"cookies": [{"domain": "d", "path": "/", "name": name}]} for name in (LATER, "~"))
    _, kept = Narrowing(room=1).narrowed(tree_of(one), tree_of(other))
    assert isinstance(kept, Fields)
    assert list(kept["cookies"]) == [ItemKey(("d", "/", "~"), 0)]


WHITE_SPACE = "\t\n\x0b\x0c\r\x1c\x1f \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"


@pytest.mark.parametrize("space", WHITE_SPACE, ids=ascii)
def test_white_space_is_a_list_of_ours(space: str) -> None:
    assert on_one_line(f"{space}a{space}{space}b{space}") == "a b"


@pytest.mark.parametrize("sign", "\u200b\u180e\ufeff\u2060\u2800", ids=ascii)
def test_what_is_no_white_space_stays(sign: str) -> None:
    assert on_one_line(f"a{sign}b") == f"a{sign}b"


def test_only_letters_of_english_get_a_capital() -> None:
    words = ("a b", "\xdf", "\u0242", "\u1c8a", "")
    assert [sentence(each) for each in words] == ["A b.", "\xdf.", "\u0242.", "\u1c8a.", "."]


def test_a_host_is_found_without_asking_how_its_signs_compose() -> None:
    """``urllib`` refuses a host by the Unicode table of the interpreter, and brackets by its version."""
    assert url_parts(f"https://a{LATER}\u2100b:1/c/d?e#f") == {f"//a{LATER}\u2100b:1", "c", "d", "e", "f"}
    assert url_parts("http://[x]/a") == {"//[x]", "a"}
    assert url_parts("data:a/b") == {"//", "data", "a", "b"}
