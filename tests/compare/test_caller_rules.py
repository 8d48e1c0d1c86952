"""Caller rules: where they reach, in which order, and what they leave alone."""

from __future__ import annotations

from typing import Any

import pytest

from rea_capture.compare import compare_captures, compare_prepared, normalization_record, prepare
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.normalization import Normalization, Rule
from rea_capture.errors import DefectError
from tests import builders as make
from tests.compare import reference


def rule(match: str, replacement: str, *artifacts: Any, rule_id: str = "r") -> Rule:
    return Rule(rule_id=rule_id, artifacts=artifacts, match=match, replacement=replacement)


def verdict(before: CaptureResult, after: CaptureResult, *rules: Rule) -> str:
    return compare_captures(before, after, Normalization(rules=rules)).overall_status


def pair(name: str, one: Any, two: Any) -> tuple[CaptureResult, CaptureResult]:
    return make.capture([make.start(**{name: one})]), make.capture([make.start(**{name: two})])


@pytest.mark.parametrize(
    ("artifact", "one", "two"),
    [
        ("dom", make.text("total 41"), make.text("total 42")),
        ("accessibility", make.text("total 41"), make.text("total 42")),
        ("url", make.location("/?total=41"), make.location("/?total=42")),
        ("history", make.history("/?total=41"), make.history("/?total=42")),
        ("storage", make.storage(["total-41"]), make.storage(["total-42"])),
    ],
)
def test_a_rule_reaches_the_artifact_it_names_and_no_other(artifact: Any, one: Any, two: Any) -> None:
    before, after = pair(artifact, one, two)
    others: set[Any] = {"action_state", "dom", "accessibility", "url", "history", "storage", "events"}
    named = [rule("41", "N", artifact, rule_id="a"), rule("42", "N", artifact, rule_id="b")]
    unnamed = [
        rule("41", "N", *sorted(others - {artifact}), rule_id="a"),
        rule("42", "N", *sorted(others - {artifact}), rule_id="b"),
    ]
    assert verdict(before, after) == "changed"
    assert verdict(before, after, *unnamed) == "changed"
    if artifact == "storage":  # the digests of the values differ too, and stay
        assert verdict(before, after, *named) == "changed"
    else:
        assert verdict(before, after, *named) == "unchanged"


def test_a_rule_reaches_the_names_in_storage() -> None:
    one = make.storage(["sid"])
    [cookie] = one.value.cookies
    renamed = type(one)(
        value=type(one.value)(
            cookies=(type(cookie)(**{**_fields(cookie), "name": "sid-7"}),),
            local_storage=(),
            session_storage=(),
        )
    )
    before, after = pair("storage", one, renamed)
    assert verdict(before, after, rule("sid-7", "sid", "storage")) == "unchanged"


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in type(record).__annotations__}


def test_a_rule_reaches_urls_and_errors_of_an_action() -> None:
    before = make.capture([make.start(), make.step(after="/?v=1")])
    after = make.capture([make.start(), make.step(after="/?v=2")])
    assert verdict(before, after) == "changed"
    assert verdict(before, after, rule("v=1", "v=2", "action_state")) == "unchanged"


def test_a_rule_reaches_every_text_of_events() -> None:
    before = make.capture(events=[make.console("took 12 ms"), *make.transaction(address="/?t=12")])
    after = make.capture(events=[make.console("took 13 ms"), *make.transaction(address="/?t=13")])
    assert verdict(before, after) == "changed"
    assert verdict(before, after, rule("12", "13", "events")) == "unchanged"


def test_a_rule_never_turns_one_kind_of_event_into_another() -> None:
    before = make.capture(events=[make.websocket("websocket-opened")])
    after = make.capture(events=[make.websocket("websocket-closed")])
    assert verdict(before, after, rule("websocket-opened", "websocket-closed", "events")) == "changed"


def test_a_rule_never_matches_inside_the_base64_of_a_body_and_the_result_says_so() -> None:
    one, two = b"\x00\x00\x00", b"\x00\x00\x01"  # AAAA and AAAB
    before = make.capture(events=[*make.transaction(), make.content(body=one)])
    after = make.capture(events=[*make.transaction(), make.content(body=two)])
    rules = (rule("AAAA", "AAAB", "events"),)
    result = compare_captures(before, after, Normalization(rules=rules))
    assert result.overall_status == "changed"
    [row] = result.steps[1].artifact_diffs
    assert row.before_sha256 == reference.events_digest(reference.plain(before), 1)
    assert any("do not look inside network bodies" in sentence for sentence in result.limitations)


def test_a_rule_never_changes_a_key() -> None:
    before, after = pair("history", make.history(), make.history())
    assert verdict(before, after, rule("length", "", "history")) == "unchanged"
    result = compare_captures(*pair("history", make.history(length=1), make.history(length=2)))
    ruled = compare_captures(
        *pair("history", make.history(length=1), make.history(length=2)),
        Normalization(rules=(rule("length", "size", "history"),)),
    )
    assert result.steps == ruled.steps


@pytest.mark.parametrize("literal", ['"', "\\", "\n", "\t", "\x00", "é", "\u2028", "😀", "</p>", '\\"', "/"])
def test_a_rule_matches_text_however_json_spells_it(literal: str) -> None:
    before = make.capture(events=[make.console(f"a{literal}b")])
    after = make.capture(events=[make.console("a-b")])
    assert verdict(before, after, rule(literal, "-", "events")) == "unchanged"


def test_rules_apply_in_the_order_of_their_ids_each_to_the_result_of_the_one_before() -> None:
    before, after = pair("dom", make.text("one"), make.text("three"))
    first, second = rule("one", "two", "dom", rule_id="1"), rule("two", "three", "dom", rule_id="2")
    assert verdict(before, after, first, second) == "unchanged"
    assert verdict(before, after, second, first) == "unchanged"
    late = rule("one", "two", "dom", rule_id="3")
    assert verdict(before, after, late, second) == "changed"


def test_the_normalization_record_is_sorted_and_commits_to_the_rules() -> None:
    some = Normalization(
        rules=(rule("x", "y", "url", "dom", "url", rule_id="b"), rule("x", "y", "dom", rule_id="a"))
    )
    record = normalization_record(some)
    assert [(one.rule_id, one.artifacts) for one in record.rules] == [("a", ("dom",)), ("b", ("dom", "url"))]
    assert record.sha256 != normalization_record(Normalization()).sha256
    assert compare_captures(make.capture(), make.capture(), some).normalization == record


def test_a_side_prepared_with_other_rules_is_refused() -> None:
    ruled = Normalization(rules=(rule("x", "y", "dom"),))
    with pytest.raises(DefectError):
        compare_prepared(prepare(make.capture()), prepare(make.capture(), ruled.rules), ruled)


def test_the_result_counts_the_rules_that_equal_means_equal_after() -> None:
    result = compare_captures(make.capture(), make.capture(), Normalization(rules=(rule("x", "y", "dom"),)))
    assert any("1 caller rule" in sentence for sentence in result.limitations)
