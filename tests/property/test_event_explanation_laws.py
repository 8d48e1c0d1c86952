"""Laws of explained events, over generated captures with network graphs of every shape."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.canonical import record_bytes, sha256_hex
from rea_capture.compare.event_digest import event_bytes
from rea_capture.compare.events import prepared_events
from rea_capture.compare.explain.events.pairing import paired
from rea_capture.compare.explain.events.step_events import StepEvents, StepTransaction
from rea_capture.compare.explain.events.transactions import events_explanation
from rea_capture.compare.rules import Replacements, recorded_rules
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.explanation import EventsExplanation, TextDiff, TransactionChange
from rea_capture.contracts.normalization import Rule
from rea_capture.contracts.selection import EVENT_FAMILIES
from tests import builders as make
from tests.compare.strategies import captures, interleaved, others, rules, steps, transactions
from tests.fuzz.examples import examples

LAW = examples(30)
NONE = Replacements((), ())


def replacements(chosen: list[Rule]) -> Replacements:
    return Replacements.of(recorded_rules(chosen), "events")


def shared_steps(before: CaptureResult, after: CaptureResult) -> range:
    return range(min(len(before.steps), len(after.steps)))


def explained(
    before: CaptureResult, after: CaptureResult, applied: Replacements = NONE
) -> list[EventsExplanation]:
    one, other = StepEvents.of(before, applied), StepEvents.of(after, applied)
    return [events_explanation(one, other, at, at) for at in shared_steps(before, after)]


def says_nothing(explanation: EventsExplanation) -> bool:
    network = explanation.network
    return not (
        network.items
        or network.added
        or network.removed
        or network.changed
        or explanation.families
        or explanation.interleaved
    )


@LAW
@given(captures(), rules())
def test_the_events_of_a_step_are_exactly_those_of_its_digest(
    capture: CaptureResult, chosen: list[Rule]
) -> None:
    applied = replacements(chosen)
    events = StepEvents.of(capture, applied)
    for at, prepared in enumerate(prepared_events(capture, applied)):
        others_of_step = [event_bytes(event, applied) for event in events.others(at)]
        fingerprints = sorted(one.fingerprint for one in events.transactions(at))
        whole = (
            b'{"events":[' + b",".join(others_of_step) + b'],"network":' + record_bytes(fingerprints) + b"}"
        )
        assert prepared.sha256 in {None, sha256_hex(whole)}


@LAW
@given(captures(), st.lists(st.integers(0, 3), max_size=2))
def test_events_indexed_for_some_steps_are_those_indexed_for_all(
    capture: CaptureResult, chosen: list[int]
) -> None:
    every, some = StepEvents.of(capture, NONE), StepEvents.of(capture, NONE, chosen)
    for at in range(len(capture.steps)):
        expected = (every.others(at), every.transactions(at)) if at in chosen else ((), ())
        assert (some.others(at), some.transactions(at)) == expected


@LAW
@given(captures(sound=True), captures(sound=True), rules())
def test_an_explanation_says_nothing_exactly_where_the_digests_are_equal(
    before: CaptureResult, after: CaptureResult, chosen: list[Rule]
) -> None:
    applied = replacements(chosen)
    one, other = prepared_events(before, applied), prepared_events(after, applied)
    for at, explanation in enumerate(explained(before, after, applied)):
        assert says_nothing(explanation) is (one[at].sha256 == other[at].sha256)
        assert (explanation.summary == "Nothing differs.") <= says_nothing(explanation)


@LAW
@given(st.data())
def test_the_same_events_in_any_order_of_receipt_give_no_item(data: st.DataObject) -> None:
    made = data.draw(steps(complete=True))
    lanes = data.draw(transactions(len(made), sound=True))
    lanes += [data.draw(others(len(made)))]
    before, after = (
        make.capture(made, data.draw(interleaved(lanes)), families=EVENT_FAMILIES) for _ in range(2)
    )
    for explanation in explained(before, after):
        assert says_nothing(explanation)


def swapped(change: TransactionChange) -> dict[str, Any]:
    """All of ``change`` but its sentence and what it has of one side only, seen from the other side."""
    opposite = {"added": "removed", "removed": "added", "changed": "changed"}
    return {
        "change": opposite[change.change],
        "sides": (
            (change.after_id, change.after_status, change.after_url),
            (change.before_id, change.before_status, change.before_url),
        ),
        "fields": Counter((one.event, one.field, one.after, one.before) for one in change.fields),
        "omitted_fields": change.omitted_fields,
        "method": change.method if change.change != "changed" else None,
    }


def as_it_is(change: TransactionChange) -> dict[str, Any]:
    return {
        "change": change.change,
        "sides": (
            (change.before_id, change.before_status, change.before_url),
            (change.after_id, change.after_status, change.after_url),
        ),
        "fields": Counter((one.event, one.field, one.before, one.after) for one in change.fields),
        "omitted_fields": change.omitted_fields,
        "method": change.method if change.change != "changed" else None,
    }


def opposite_words(change: TransactionChange) -> str:
    came, went = " added", " removed"
    assert (came in change.words) is (change.change == "added")
    assert (went in change.words) is (change.change == "removed")
    if change.change == "added":
        return change.words.replace(came, went)
    return change.words.replace(went, came)


def line_counts(diff: TextDiff) -> tuple[int, int]:
    return diff.added_lines, diff.removed_lines


@LAW
@given(captures(), captures(), rules())
def test_swapping_sides_swaps_words(before: CaptureResult, after: CaptureResult, chosen: list[Rule]) -> None:
    applied = replacements(chosen)
    for one, other in zip(explained(before, after, applied), explained(after, before, applied), strict=True):
        assert (one.network.added, one.network.removed) == (other.network.removed, other.network.added)
        assert (one.network.changed, one.network.reordered) == (
            other.network.changed,
            other.network.reordered,
        )
        mirrored = [swapped(change) for change in other.network.items]
        assert all(as_it_is(change) in mirrored for change in one.network.items)
        once = {change.words for change in other.network.items if change.change != "changed"}
        lonely = [change for change in one.network.items if change.change != "changed"]
        assert {opposite_words(change) for change in lonely} == once
        assert one.interleaved is other.interleaved
        assert [row.family for row in one.families] == [row.family for row in other.families]
        for mine, theirs in zip(one.families, other.families, strict=True):
            assert line_counts(mine.diff) == tuple(reversed(line_counts(theirs.diff)))


@LAW
@given(captures(), captures())
def test_counts_are_those_of_the_items_and_of_the_transactions(
    before: CaptureResult, after: CaptureResult
) -> None:
    one, other = StepEvents.of(before, NONE), StepEvents.of(after, NONE)
    for at, explanation in enumerate(explained(before, after)):
        network = explanation.network
        assert len(network.items) + network.omitted == network.added + network.removed + network.changed
        counts = Counter(change.change for change in network.items)
        assert (counts["added"], counts["removed"], counts["changed"]) == (
            network.added,
            network.removed,
            network.changed,
        )
        alike = len(one.transactions(at)) - network.removed - network.changed
        assert alike == len(other.transactions(at)) - network.added - network.changed
        assert network.reordered <= max(0, alike - 1)


@LAW
@given(captures(), captures())
def test_a_changed_transaction_differs_and_is_told_once(before: CaptureResult, after: CaptureResult) -> None:
    one, other = StepEvents.of(before, NONE), StepEvents.of(after, NONE)
    for at, explanation in enumerate(explained(before, after)):
        mine = {transaction.transaction_id: transaction for transaction in one.transactions(at)}
        theirs = {transaction.transaction_id: transaction for transaction in other.transactions(at)}
        items = explanation.network.items
        for change in items:
            if change.before_id is None or change.after_id is None:
                continue
            first, second = mine[change.before_id], theirs[change.after_id]
            assert first.fingerprint != second.fingerprint
            assert first.method == second.method
            differs_itself = bool(change.fields) or first.status != second.status
            assert differs_itself is (first.own != second.own)
            assert all(field.before != field.after for field in change.fields)
        for ids in ([change.before_id for change in items], [change.after_id for change in items]):
            assert max(Counter(filter(None, ids)).values(), default=1) == 1


@LAW
@given(captures(), captures())
def test_two_captures_have_one_explanation_of_lines_without_breaks(
    before: CaptureResult, after: CaptureResult
) -> None:
    first = explained(before, after)
    assert first == explained(before, after)
    for explanation in first:
        sentences = [explanation.summary, *(change.words for change in explanation.network.items)]
        assert all("\n" not in sentence and sentence for sentence in sentences)


def segments() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(("shop", "cart", "item", "1", "2", "3fa9")), max_size=4).map(
        lambda parts: "/" + "/".join(parts)
    )


def requested() -> st.SearchStrategy[list[tuple[str, str, str]]]:
    """URLs with much in common, methods and types; more than one of most."""
    one = st.tuples(segments(), st.sampled_from(("GET", "POST")), st.sampled_from(("fetch", "image")))
    return st.lists(one, max_size=9)


def step_of(rows: list[tuple[str, str, str]]) -> tuple[StepTransaction, ...]:
    sent = [
        dataclasses.replace(make.request(number, address=address, method=method), resource_type=resource)
        for number, (address, method, resource) in enumerate(rows, 1)
    ]
    return StepEvents.of(make.capture(events=sent), NONE).transactions(1)


@examples(150)
@given(requested(), requested())
def test_a_transaction_has_the_same_counterpart_whichever_side_is_the_first(
    before: list[tuple[str, str, str]], after: list[tuple[str, str, str]]
) -> None:
    one, other = paired(step_of(before), step_of(after)), paired(step_of(after), step_of(before))
    for name in ("alike", "changed"):
        pairs = {(first.position, second.position) for first, second in getattr(one, name)}
        assert pairs == {(second.position, first.position) for first, second in getattr(other, name)}
    assert (one.added, one.removed) == (other.removed, other.added)
    assert one.reordered == other.reordered
    assert len(one.alike) + len(one.changed) + len(one.removed) == len(before)


@examples(50)
@given(requested(), st.randoms(use_true_random=False))
def test_as_many_came_in_another_order_as_must_move_to_get_it(
    rows: list[tuple[str, str, str]], random: Any
) -> None:
    shuffled = random.sample(rows, len(rows))
    pairing = paired(step_of(rows), step_of(shuffled))
    assert len(pairing.alike) == len(rows)
    assert (pairing.reordered == 0) is (rows == shuffled)
    positions = [
        second.position for first, second in sorted(pairing.alike, key=lambda pair: pair[0].position)
    ]
    ascents = [0]
    for at, position in enumerate(positions):
        ascents.append(1 + max((ascents[b + 1] for b in range(at) if positions[b] < position), default=0))
    assert pairing.reordered == len(positions) - max(ascents)
