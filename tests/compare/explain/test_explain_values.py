"""What differs in a URL, a history, a storage or an action, in words."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import deepdiff
import orjson
import pytest

from rea_capture.canonical import record_bytes
from rea_capture.compare.explain.values.trees import Fields, Items
from rea_capture.compare.explain.values.values import (
    MAX_CHANGES,
    MAX_SUMMARY_CHANGES,
    MAX_VALUE_CHARACTERS,
    value_explanation,
)
from rea_capture.compare.explain.values.words import MAX_QUOTED_CHARACTERS
from rea_capture.contracts.explanation import ValueExplanation
from tests import builders as make

STATE_FIELDS = ("action", "after_url", "before_url", "error", "status")


def plain(value: Any) -> Any:
    return orjson.loads(record_bytes(value))


def action(**changes: Any) -> Any:
    step = make.step(**changes)
    return {name: plain(getattr(step, name)) for name in STATE_FIELDS}


def words(explanation: ValueExplanation) -> dict[str, str]:
    return {change.path: change.words for change in explanation.changes}


def test_a_url_that_gained_a_parameter_says_so() -> None:
    before, after = plain(make.url("/list?q=1")), plain(make.url("/list?page=2&q=1"))
    explanation = value_explanation(before, after)
    assert words(explanation) == {
        "/query_parameter_names/0": "the query parameter names gained 'page'",
        "/url": "the URL changed from 'http://shop.test/list?q=1' to 'http://shop.test/list?page=2&q=1'",
    }
    assert [(one.change, one.before, one.after) for one in explanation.changes] == [
        ("added", None, '"page"'),
        ("changed", '"http://shop.test/list?q=1"', '"http://shop.test/list?page=2&q=1"'),
    ]
    assert explanation.summary.startswith("The URL changed from")


def test_a_history_is_told_entry_by_entry() -> None:
    told = words(value_explanation(plain(make.history("/a").value), plain(make.history("/b", 2).value)))
    assert told == {
        "/current_url/url": "the current URL changed from 'http://shop.test/a' to 'http://shop.test/b'",
        "/length": "the number of history entries changed from 1 to 2",
        "/navigation_entries/0/name": (
            "navigation entry 1 changed its URL from 'http://shop.test/a' to 'http://shop.test/b'"
        ),
    }


def test_stored_things_are_known_by_what_identifies_them() -> None:
    before = plain(make.storage(["basket", "sid"], ["token"], cart="1", theme="dark").value)
    after = plain(make.storage(["sid"], ["token"], cart="2", welcome="1").value)
    after["cookies"][0] |= {"path": "/shop"}
    changes = value_explanation(before, after).changes
    assert [(change.path, change.words) for change in changes] == [
        ("/cookies/0", "cookie 'sid' for shop.test/shop came"),
        ("/cookies/0", "cookie 'basket' for shop.test went"),
        ("/cookies/1", "cookie 'sid' for shop.test went"),
        ("/local_storage/0/value_sha256", "local storage entry 'cart' changed its value"),
        ("/local_storage/1", "local storage entry 'welcome' came"),
        ("/local_storage/1", "local storage entry 'theme' went"),
    ]


@pytest.mark.parametrize(
    ("field", "values", "told"),
    [
        ("http_only", (False, True), "is now hidden from scripts (HttpOnly)"),
        ("http_only", (True, False), "is no longer hidden from scripts (HttpOnly)"),
        ("secure", (False, True), "is now sent over HTTPS only (Secure)"),
        ("same_site", ("Lax", "None"), "changed its SameSite from Lax to None"),
        ("value_sha256", ("a" * 64, "b" * 64), "changed its value"),
        (
            "value_sha256",
            ("a" * 64, None),
            "has a value that is recorded by its digest before and not recorded after",
        ),
        (
            "value_state",
            ("redacted-secret", "hashed"),
            "has a value that is a secret before and is no secret after",
        ),
    ],
)
def test_a_field_of_a_cookie_is_told_in_words(field: str, values: tuple[Any, Any], told: str) -> None:
    cookies = [plain(make.storage(["sid"]).value) for _ in range(2)]
    for side, value in zip(cookies, values, strict=True):
        side["cookies"][0][field] = value
    assert words(value_explanation(*cookies)) == {f"/cookies/0/{field}": f"cookie 'sid' for shop.test {told}"}


def test_an_action_that_failed_says_how() -> None:
    failed = action(status="failed", error="No element matches the locator.", after="/error")
    explanation = value_explanation(action(), failed)
    assert words(explanation) == {
        "/after_url/url": (
            "the URL after the action changed from 'http://shop.test/' to 'http://shop.test/error'"
        ),
        "/error": "the action failed: 'No element matches the locator.'",
        "/status": "the action completed before and failed after",
    }
    assert explanation.summary.startswith("The action failed: ")
    back = words(value_explanation(failed, action()))
    assert back["/error"] == "the action failed before and not after: 'No element matches the locator.'"
    assert back["/status"] == "the action failed before and completed after"


def test_an_action_that_was_cancelled_or_failed_otherwise_says_so() -> None:
    cancelled, failed = action(status="cancelled", error="Stopped."), action(status="failed", error="Lost.")
    assert words(value_explanation(action(), cancelled))["/error"] == "the action was cancelled: 'Stopped.'"
    assert words(value_explanation(failed, cancelled)) == {
        "/error": "the action's error changed from 'Lost.' to 'Stopped.'",
        "/status": "the action failed before and was cancelled after",
    }


def test_another_kind_of_action_and_a_redacted_url_are_told() -> None:
    before, after = action(action="click"), action(action="fill")
    after["before_url"]["redacted"] = True
    assert words(value_explanation(before, after)) == {
        "/action": "the kind of action changed from click to fill",
        "/before_url/redacted": "the URL before the action is now redacted",
    }


def test_things_that_only_changed_places_are_told_once() -> None:
    stored = plain(make.storage(["a", "b", "c"]).value)
    moved = stored | {"cookies": stored["cookies"][::-1]}
    (change,) = value_explanation(stored, moved).changes
    assert (change.change, change.path) == ("moved", "/cookies")
    assert change.words == "the cookies are in another order"


def test_true_and_one_differ_and_one_and_one_point_zero_do_not() -> None:
    assert words(value_explanation({"a": True}, {"a": 1})) == {"/a": "'a' changed from true to 1"}
    assert value_explanation({"a": 1}, {"a": 1.0}).changes == ()


@pytest.mark.parametrize("name", ["root['x']", "a/b~c", '"]', "__hidden", "1", "{}", "a.b[0]", "\x1b[31m"])
def test_a_name_that_looks_like_a_path_is_a_name(name: str) -> None:
    entries: list[Any] = [{"name": name, "value_sha256": digest * 64} for digest in "ab"]
    stored = [{"local_storage": [entry]} for entry in entries]
    (change,) = value_explanation(*stored).changes
    assert change.path == "/local_storage/0/value_sha256"
    (added,) = value_explanation({}, {name: "x"}).changes
    assert added.path == "/" + name.replace("~", "~0").replace("/", "~1")
    assert "\x1b" not in added.words


def big(names: range, digest: str = "a") -> Any:
    entries = [{"name": f"e{n}", "value_sha256": digest * 64, "value_state": "hashed"} for n in names]
    return {"cookies": [], "local_storage": entries, "session_storage": []}


@pytest.fixture
def seen_by_deepdiff(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What deepdiff was given to compare."""
    seen: list[Any] = []
    real = deepdiff.DeepDiff

    def recorded(before: Any, after: Any, **options: Any) -> Any:
        seen.extend((before, after))
        return real(before, after, **options)

    monkeypatch.setattr(deepdiff, "DeepDiff", recorded)
    return seen


def leaves(tree: Any) -> list[str]:
    if isinstance(tree, str):
        return [tree]
    assert isinstance(tree, Fields | Items)
    return [leaf for item in tree.values() for leaf in leaves(item)]


def test_ten_thousand_entries_are_counted_and_few_are_compared(seen_by_deepdiff: list[Any]) -> None:
    explanation = value_explanation(big(range(10_000)), big(range(10_000), "b"))
    assert (len(explanation.changes), explanation.omitted) == (MAX_CHANGES, 10_000 - MAX_CHANGES)
    assert explanation.changes[0].path == "/local_storage/0/value_sha256"
    assert explanation.summary.endswith(f"; {10_000 - MAX_SUMMARY_CHANGES:,} more changes.")
    assert [len(leaves(tree)) for tree in seen_by_deepdiff] == [MAX_CHANGES, MAX_CHANGES]


def test_one_entry_in_front_of_ten_thousand_is_one_change() -> None:
    explanation = value_explanation(big(range(1, 10_000)), big(range(10_000)))
    assert [(one.change, one.words) for one in explanation.changes] == [
        ("added", "local storage entry 'e0' came")
    ]


def test_deepdiff_sees_no_text_of_several_lines_and_no_list(seen_by_deepdiff: list[Any]) -> None:
    before, after = ("\n".join(str(number * step % 997) for number in range(5_000)) for step in (1, 7))
    explanation = value_explanation({"error": before, "x": [1, 2]}, {"error": after, "x": [2]})
    assert {change.path for change in explanation.changes} == {"/error", "/x/0", "/x/1"}
    seen = [leaf for tree in seen_by_deepdiff for leaf in leaves(tree)]
    assert seen
    assert not any("\n" in leaf for leaf in seen)


def test_long_values_are_cut_and_what_is_cut_is_counted() -> None:
    (change,) = value_explanation({"url": "x" * 5_000}, {"url": "y" * 5_000}).changes
    assert change.before is not None
    assert change.before.startswith('"xxx')
    assert change.before.endswith(f"… ({5_002 - MAX_VALUE_CHARACTERS:,} more characters)")
    assert len(change.words) < 3 * MAX_QUOTED_CHARACTERS


def test_deepdiff_is_imported_where_something_differs_and_not_before() -> None:
    script = (
        "import sys; from rea_capture.compare.explain.values.values import value_explanation as explain;"
        "explain({'a': 1}, {'a': 1}); assert 'deepdiff' not in sys.modules;"
        "explain({'a': 1}, {'a': 2}); assert 'deepdiff' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
