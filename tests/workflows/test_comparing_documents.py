"""Comparing: every form of a side, bound to what was compared, and every fault at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rea_capture.canonical import value_sha256
from rea_capture.contracts.normalization import Normalization, Rule
from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.compare import (
    Side,
    compare,
    compare_documents,
    compare_input,
    read_normalization,
)
from tests.evidence.sealed import plain, resealed, rich_capture, sealed_capture, sealed_comparison

BEFORE = sealed_capture()
AFTER = sealed_capture(rich_capture("<main>Sold out</main>"))
RULES = {"rules": [{"rule_id": "a", "artifacts": ["dom"], "match": "Sold out", "replacement": "Shop"}]}


def test_every_form_of_a_side_gives_the_same_comparison(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    path.write_bytes(evidence_bytes(BEFORE))
    data = evidence_bytes(BEFORE)
    forms: tuple[Side, ...] = (BEFORE, data, data.decode(), plain(BEFORE), path)
    results = [compare(form, AFTER) for form in forms]
    assert all(result == results[0] for result in results)
    assert results[0].normalized_result.overall_status == "changed"


def test_the_result_is_evidence_that_verifies() -> None:
    comparison = compare(BEFORE, AFTER)
    assert parse(evidence_bytes(comparison), "comparison").document == comparison


def test_a_comparison_is_bound_to_what_it_compared() -> None:
    parameters = compare(BEFORE, AFTER).parameters
    assert parameters.before_sha256 == value_sha256(plain(BEFORE)["normalized_result"])
    assert parameters.after_sha256 == value_sha256(plain(AFTER)["normalized_result"])
    assert (parameters.before_evidence_id, parameters.after_evidence_id) == (
        BEFORE.evidence_id,
        AFTER.evidence_id,
    )
    assert compare(BEFORE, AFTER).evidence_links == (BEFORE.evidence_id, AFTER.evidence_id)


def test_bare_results_are_compared_by_digest_without_links() -> None:
    bare = compare(BEFORE.normalized_result, AFTER.normalized_result)
    whole = compare(BEFORE, AFTER)
    assert bare.normalized_result == whole.normalized_result
    assert bare.parameters.before_sha256 == whole.parameters.before_sha256
    assert bare.parameters.before_evidence_id is None
    assert bare.evidence_links == ()
    mixed = compare(BEFORE.normalized_result, AFTER)
    assert mixed.evidence_links == (AFTER.evidence_id,)


def test_different_comparisons_never_share_an_id() -> None:
    other = sealed_capture(replace(rich_capture("<main>Sold out</main>"), duration_ms=1))
    comparisons = [
        compare(BEFORE, AFTER),
        compare(AFTER, BEFORE),
        compare(BEFORE, other),
        compare(BEFORE.normalized_result, AFTER),
        compare(BEFORE, AFTER, RULES),
        compare(BEFORE, BEFORE),
    ]
    assert len({comparison.evidence_id for comparison in comparisons}) == len(comparisons)


def test_rules_can_be_a_model_or_a_plain_value() -> None:
    rule = Rule(rule_id="a", artifacts=("dom",), match="Sold out", replacement="Shop")
    for rules in (RULES, Normalization(rules=(rule,))):
        comparison = compare(BEFORE, AFTER, rules)
        assert comparison.normalized_result.overall_status == "unchanged"
        assert comparison.parameters.normalization_sha256 == comparison.normalized_result.normalization.sha256


def test_a_comparison_input_is_the_same_comparison() -> None:
    document = {"before_scenario": plain(BEFORE), "after_scenario": plain(AFTER), "normalization": RULES}
    from_input = compare_input(json.dumps(document, indent=1).encode())
    assert from_input == compare(BEFORE, AFTER, RULES)
    rules = read_normalization(json.dumps(RULES).encode())
    assert from_input == compare_documents(
        lambda: evidence_bytes(BEFORE), lambda: evidence_bytes(AFTER), rules
    )


def test_one_side_is_dropped_before_the_other_is_read() -> None:
    order: list[str] = []

    def side(name: str, evidence: Any) -> Callable[[], bytes]:
        def read() -> bytes:
            order.append(name)
            return evidence_bytes(evidence)

        return read

    compare_documents(side("before", BEFORE), side("after", AFTER), explain=False)
    assert order == ["before", "after"]
    compare_documents(side("before", BEFORE), side("after", AFTER))
    assert order == ["before", "after"] * 3, "to be explained, each is read once more"


def refusals(work: Callable[[], object]) -> list[str]:
    with pytest.raises(InputError) as caught:
        work()
    return [fault.pointer for fault in caught.value.faults]


def test_faults_of_both_sides_and_of_the_rules_come_together() -> None:
    wrong_id = replace(BEFORE, evidence_id="ev_" + "0" * 64)
    rules = {"rules": [{"rule_id": "a"}]}
    assert refusals(lambda: compare(wrong_id, b"", rules)) == [
        "/normalization/rules/0/artifacts",
        "/normalization/rules/0/match",
        "/normalization/rules/0/replacement",
        "/before_scenario/evidence_id",
        "/after_scenario",
    ]


def test_a_comparison_is_no_side() -> None:
    comparison = plain(sealed_comparison())
    for form in (comparison, comparison["normalized_result"]):
        assert refusals(lambda form=form: compare(BEFORE, form)) == ["/after_scenario"]  # type: ignore[misc]


def test_null_for_an_absent_field_is_refused_in_a_comparison_input() -> None:
    before = plain(BEFORE)
    before["parameters"]["command_timeout_ms"] = None
    document = {"before_scenario": before, "after_scenario": plain(AFTER)}
    pointers = refusals(lambda: compare_input(json.dumps(document).encode()))
    assert pointers == ["/before_scenario/parameters/command_timeout_ms"]


@pytest.mark.parametrize("data", [b"[]", b"null", b"1"])
def test_a_comparison_input_is_an_object(data: bytes) -> None:
    assert refusals(lambda: compare_input(data)) == [""]


def test_a_value_that_is_no_json_is_refused() -> None:
    assert refusals(lambda: compare(BEFORE, {"browser": {1, 2}})) == ["/after_scenario"]
    assert refusals(lambda: compare(BEFORE, {"duration_ms": float("nan")})) == ["/after_scenario"]


def test_an_unknown_member_is_named_by_its_json_pointer() -> None:
    document = {"before_scenario": plain(BEFORE), "after_scenario": plain(AFTER), "a/b~c": 1}
    assert refusals(lambda: compare_input(json.dumps(document).encode())) == ["/a~1b~0c"]


@pytest.mark.parametrize(
    ("written", "pointer"),
    [
        ('"retained":6.0', "/normalized_result/events/retained"),
        ('"duration_ms":345.0', "/normalized_result/duration_ms"),
        ('"duration_ms":1e400', "/normalized_result/duration_ms"),
        ('"isolation":"\\ud800"', ""),
    ],
)
def test_a_side_that_is_refused_in_a_file_is_refused_in_a_comparison_input(
    written: str, pointer: str
) -> None:
    name = written.partition(":")[0]
    document = re.sub(f"{name}:[^,}}]+", lambda _: written, evidence_bytes(BEFORE).decode(), count=1)
    both = f'{{"before_scenario":{document},"after_scenario":{evidence_bytes(AFTER).decode()}}}'
    with pytest.raises(InputError):
        parse(document.encode(), "evidence")
    [found] = refusals(lambda: compare_input(both.encode()))
    assert found.startswith("/before_scenario")
    if "e400" not in written:
        assert found == f"/before_scenario{pointer}"


def test_a_side_in_any_order_and_language_is_the_same_in_a_comparison_input() -> None:
    after = sealed_capture(rich_capture("<main>Ausverkauft: 売り切れ</main>"))
    document = {"before_scenario": plain(BEFORE), "after_scenario": dict(reversed(plain(after).items()))}
    for ensure_ascii in (True, False):
        data = json.dumps(document, indent=1, ensure_ascii=ensure_ascii).encode()
        assert compare_input(data) == compare(BEFORE, after)


def test_a_comparison_of_a_capture_with_itself_says_so() -> None:
    limitations = compare(BEFORE, BEFORE).normalized_result.limitations
    assert any("the same capture" in sentence for sentence in limitations)
    other = compare(BEFORE, AFTER).normalized_result.limitations
    assert not any("the same capture" in sentence for sentence in other)


def test_a_comparison_of_different_scenarios_says_so() -> None:
    parameters = replace(BEFORE.parameters, scenario_sha256="f" * 64)
    other = resealed(plain(replace(AFTER, parameters=parameters)))
    said = compare(BEFORE, other).normalized_result.limitations
    assert any("different scenarios" in sentence for sentence in said)
    same = compare(BEFORE, AFTER).normalized_result.limitations
    assert not any("different scenarios" in sentence for sentence in same)
