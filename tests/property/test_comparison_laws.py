"""Laws that hold for every comparison, over generated captures with network graphs of every shape."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.canonical import record_bytes
from rea_capture.compare import compare_captures, normalization_record
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import ArtifactDiff, ComparisonResult
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.normalization import Normalization, Rule
from rea_capture.contracts.selection import ARTIFACT_NAMES, EVENT_FAMILIES
from tests import builders as make
from tests.compare import reference
from tests.compare.strategies import captures, interleaved, others, rules, steps, transactions, without_event
from tests.fuzz.examples import examples

LAW = examples(40)


def verdict(before: CaptureResult, after: CaptureResult) -> str:
    return compare_captures(before, after).overall_status


@LAW
@given(captures())
def test_a_capture_equals_itself_exactly_when_it_is_eligible_and_its_events_are_sound(
    capture: CaptureResult,
) -> None:
    expected = capture.completeness.equality_eligible and reference.is_sound(reference.plain(capture))
    assert verdict(capture, capture) == ("unchanged" if expected else "unknown")


@LAW
@given(captures(sound=True))
def test_a_sound_capture_equals_itself_without_a_row(capture: CaptureResult) -> None:
    result = compare_captures(capture, capture)
    assert result.overall_status == "unchanged"
    assert result.artifact_diffs.total == 0


_OTHER_CODE = {
    "duplicate_before_step_id": "duplicate_after_step_id",
    "duplicate_after_step_id": "duplicate_before_step_id",
    "missing_before_step": "missing_after_step",
    "missing_after_step": "missing_before_step",
}


def _row(row: ArtifactDiff, *, swapped: bool) -> tuple[Any, ...]:
    before = (row.before_state, row.before_sha256)
    after = (row.after_state, row.after_sha256)
    sides = (after, before) if swapped else (before, after)
    return row.artifact, row.status, *sides, row.reason is None, row.recovery is None


def _shape(result: ComparisonResult, *, swapped: bool = False) -> Any:
    """All that a comparison says but its sentences, seen from the other side if ``swapped``."""
    alignment = result.alignment
    only = (alignment.before_only, alignment.after_only)
    failures = {
        (_OTHER_CODE.get(one.code, one.code) if swapped else one.code, one.step_id)
        for one in alignment.failures
    }
    rows = {
        step.step_id: (
            step.status,
            (step.after_action, step.before_action) if swapped else (step.before_action, step.after_action),
            tuple(_row(row, swapped=swapped) for row in step.artifact_diffs),
        )
        for step in result.steps
    }
    return (
        result.overall_status,
        alignment.status,
        alignment.aligned_steps,
        only[::-1] if swapped else only,
        failures,
        rows,
        result.normalization,
        len(result.limitations),
    )


@LAW
@given(captures(), captures())
def test_swapping_the_sides_swaps_the_sides(before: CaptureResult, after: CaptureResult) -> None:
    assert _shape(compare_captures(before, after)) == _shape(compare_captures(after, before), swapped=True)


@LAW
@given(captures(), captures())
def test_every_row_says_enough(before: CaptureResult, after: CaptureResult) -> None:
    result = compare_captures(before, after)
    for step in result.steps:
        for row in step.artifact_diffs:
            if row.status == "unknown":
                assert row.reason
                assert row.recovery
            else:
                assert row.before_state == row.after_state == "captured"
                assert row.before_sha256 != row.after_sha256
                assert None not in (row.before_sha256, row.after_sha256)
            assert {row.before_state, row.after_state} != {"not_requested"}
        statuses = {row.status for row in step.artifact_diffs}
        expected = "changed" if "changed" in statuses else "unknown" if "unknown" in statuses else "unchanged"
        assert step.status == expected
    if result.overall_status == "unknown":
        rows = [row for step in result.steps for row in step.artifact_diffs]
        incomplete = any(
            "is not complete" in sentence or "contradicts itself" in sentence
            for sentence in result.limitations
        )
        assert rows or result.alignment.failures or incomplete


@LAW
@given(captures(sound=True), st.data())
def test_taking_an_artifact_away_from_one_side_never_leaves_unchanged(
    capture: CaptureResult, data: st.DataObject
) -> None:
    position = data.draw(st.integers(0, len(capture.steps) - 1))
    step = capture.steps[position]
    name = data.draw(st.sampled_from(ARTIFACT_NAMES))
    lesser: Any = data.draw(st.sampled_from((make.missing(), make.truncated(), make.artifacts().url)))
    if getattr(step.artifacts, name).state == lesser.state:
        lesser = make.missing()
    states = {one: getattr(step.artifacts, one) for one in ARTIFACT_NAMES} | {name: lesser}
    replaced = make.step(
        step.step_id,
        step.step_index,
        action=step.action,
        before=step.before_url.url,
        after=step.after_url.url,
        **states,
    )
    other_steps = [*capture.steps[:position], replaced, *capture.steps[position + 1 :]]
    poorer = make.capture(
        other_steps,
        capture.events.items,
        families=EVENT_FAMILIES,
        content_selection=capture.scenario.network_content,
    )
    assert verdict(capture, poorer) == "unknown"
    assert verdict(poorer, capture) == "unknown"
    if lesser.state != "not_requested":
        assert verdict(poorer, poorer) == "unknown"


@LAW
@given(captures(sound=True), st.data())
def test_dropping_an_event_never_leaves_unchanged(capture: CaptureResult, data: st.DataObject) -> None:
    items = capture.events.items or (make.console("only", 0),)
    whole = make.capture(capture.steps, items, families=EVENT_FAMILIES)
    arguments = without_event(items, data.draw(st.integers(0, len(items) - 1)))
    poorer = make.capture(capture.steps, families=EVENT_FAMILIES, **arguments)
    assert verdict(whole, poorer) == "unknown"
    assert verdict(poorer, whole) == "unknown"
    assert verdict(poorer, poorer) == "unknown"
    rows = [row for step in compare_captures(whole, poorer).steps for row in step.artifact_diffs]
    assert {row.artifact for row in rows} == {"events"}


@LAW
@given(captures(sound=True), st.data())
def test_dropping_an_event_and_recounting_is_refused(capture: CaptureResult, data: st.DataObject) -> None:
    items = capture.events.items or (make.console("only", 0),)
    whole = make.capture(capture.steps, items, families=EVENT_FAMILIES)
    dropped = data.draw(st.integers(0, len(items) - 1))
    kept = whole.events.items[:dropped] + whole.events.items[dropped + 1 :]
    with pytest.raises(ValueError, match=r"sequence|accounted for"):
        dataclasses.replace(whole, events=dataclasses.replace(whole.events, items=kept, retained=len(kept)))


@LAW
@given(captures(sound=True), st.data())
def test_taking_a_step_away_never_leaves_unchanged(capture: CaptureResult, data: st.DataObject) -> None:
    gone = data.draw(st.integers(1, len(capture.steps) - 1))
    kept = [
        dataclasses.replace(step, step_index=step.step_index - (position > gone))
        for position, step in enumerate(capture.steps)
        if position != gone
    ]
    whole = make.capture(capture.steps)
    poorer = make.capture(kept, families=())
    assert verdict(whole, poorer) == "unknown"
    assert verdict(poorer, whole) == "unknown"


@LAW
@given(captures(sound=True), st.sampled_from(EVENT_FAMILIES))
def test_taking_an_event_family_away_from_one_side_never_leaves_unchanged(
    capture: CaptureResult, family: str
) -> None:
    fewer = [one for one in EVENT_FAMILIES if one != family]
    scenario = dataclasses.replace(capture.scenario, event_families=tuple(sorted(fewer)))
    poorer = dataclasses.replace(capture, scenario=scenario)
    for before, after in ((capture, poorer), (poorer, capture)):
        result = compare_captures(before, after)
        assert result.overall_status == "unknown"
        for step in result.steps:
            assert step.status == "unknown"
            assert [row.artifact for row in step.artifact_diffs] == ["events"]


@LAW
@given(captures(), captures(), rules(), st.randoms())
def test_the_order_of_rules_never_matters(
    before: CaptureResult, after: CaptureResult, drawn: list[Rule], random: Any
) -> None:
    shuffled = list(drawn)
    random.shuffle(shuffled)
    reversed_artifacts = [rule.model_copy(update={"artifacts": rule.artifacts[::-1]}) for rule in shuffled]
    one = compare_captures(before, after, Normalization(rules=tuple(drawn)))
    other = compare_captures(before, after, Normalization(rules=tuple(reversed_artifacts)))
    assert one == other


@st.composite
def two_receipts(draw: st.DrawFn) -> tuple[CaptureResult, CaptureResult]:
    """The same page twice: other order of receipt, other transaction ids, other landing steps."""
    made = draw(steps(complete=True))
    lanes = draw(transactions(len(made), sound=True))
    rest = draw(others(len(made)))
    ids = draw(st.permutations(range(1, len(lanes) + 1)))
    renamed = {number: ids[number - 1] for number in range(1, len(lanes) + 1)}
    other_lanes = [[_renamed(event, renamed, draw, len(made)) for event in lane] for lane in lanes]
    first = draw(interleaved([*lanes, rest]))
    second = draw(interleaved([*draw(st.permutations(other_lanes)), rest]))
    return (
        make.capture(made, first, families=EVENT_FAMILIES),
        make.capture(made, second, families=EVENT_FAMILIES),
    )


def _renamed(event: Any, renamed: dict[int, int], draw: st.DrawFn, step_count: int) -> AnyEvent:
    changes: dict[str, Any] = {"transaction_id": renamed[event.transaction_id]}
    if event.kind == "request":
        predecessor = event.redirected_from_transaction_id
        changes["redirected_from_transaction_id"] = None if predecessor is None else renamed[predecessor]
    else:
        changes["step_index"] = draw(st.integers(event.step_index, step_count - 1))
    changed: AnyEvent = dataclasses.replace(event, **changes)
    return changed


@LAW
@given(two_receipts())
def test_receipt_order_transaction_ids_and_later_landing_never_matter(
    pair: tuple[CaptureResult, CaptureResult],
) -> None:
    assert verdict(*pair) == "unchanged"


def _rule_documents(drawn: Sequence[Rule]) -> list[Any]:
    return [rule.model_dump(mode="json") for rule in drawn]


@LAW
@given(captures(), captures(), rules())
def test_every_digest_is_the_one_a_reader_recomputes(
    before: CaptureResult, after: CaptureResult, drawn: list[Rule]
) -> None:
    result = compare_captures(before, after, Normalization(rules=tuple(drawn)))
    documents = _rule_documents(drawn)
    sides = (reference.plain(before), reference.plain(after))
    for step in result.steps:
        for row in step.artifact_diffs:
            for side, index, state, stated in (
                (sides[0], step.before_step_index, row.before_state, row.before_sha256),
                (sides[1], step.after_step_index, row.after_state, row.after_sha256),
            ):
                if state == "not_requested":
                    expected = None
                elif row.artifact == "events":
                    expected = reference.events_digest(side, index, documents)
                else:
                    expected = reference.artifact_digest(side["steps"][index], row.artifact, documents)
                assert stated == expected, row.artifact


@LAW
@given(captures(), captures(), rules())
def test_no_row_means_that_a_reader_finds_equal_digests(
    before: CaptureResult, after: CaptureResult, drawn: list[Rule]
) -> None:
    result = compare_captures(before, after, Normalization(rules=tuple(drawn)))
    documents = _rule_documents(drawn)
    one, other = reference.plain(before), reference.plain(after)
    for step in result.steps:
        rows = {row.artifact for row in step.artifact_diffs}
        mine, theirs = one["steps"][step.before_step_index], other["steps"][step.after_step_index]
        lopsided = {
            name
            for name in ARTIFACT_NAMES
            if (mine["artifacts"][name]["state"] == "not_requested")
            != (theirs["artifacts"][name]["state"] == "not_requested")
        }
        assert not lopsided or rows & lopsided
        for artifact in {"action_state", *ARTIFACT_NAMES} - rows - lopsided:
            assert reference.artifact_digest(mine, artifact, documents) == reference.artifact_digest(
                theirs, artifact, documents
            )


@LAW
@given(rules())
def test_the_normalization_digest_is_the_one_a_reader_recomputes(drawn: list[Rule]) -> None:
    record = json.loads(record_bytes(normalization_record(Normalization(rules=tuple(drawn)))))
    stated = record.pop("sha256")
    assert stated == reference.digest(record)
    assert [rule["rule_id"] for rule in record["rules"]] == sorted(rule.rule_id for rule in drawn)
