"""Network events: grouped by transaction, attributed to the requesting step, with their ancestry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import ArtifactDiff
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.network import NotExposed
from rea_capture.contracts.states import NOT_REQUESTED
from tests import builders as make
from tests.compare import reference

STEPS = [make.start(), make.step("a", 1), make.step("b", 2), make.step("c", 3)]


def captured(events: Sequence[AnyEvent], **changes: Any) -> CaptureResult:
    return make.capture(STEPS, events, **{"families": ["network"], **changes})


def rows(before: CaptureResult, after: CaptureResult) -> dict[str, ArtifactDiff]:
    """The events rows by step id; there are no others."""
    result = compare_captures(before, after)
    found = {step.step_id: row for step in result.steps for row in step.artifact_diffs}
    assert all(row.artifact == "events" for row in found.values())
    assert result.artifact_diffs.total == len(found)
    return found


def statuses(before: CaptureResult, after: CaptureResult) -> dict[str, str]:
    return {step_id: row.status for step_id, row in rows(before, after).items()}


def test_order_ids_and_landing_step_of_concurrent_transactions_do_not_matter() -> None:
    one, two = make.transaction(1, address="/x"), make.transaction(2, address="/y")
    other_two = make.transaction(1, address="/y", landed=2)
    other_one = make.transaction(2, address="/x", landed=3)
    before = captured([*one, *two])
    after = captured([other_two[0], other_one[0], *other_two[1:], *other_one[1:]])
    assert statuses(before, after) == {}


def test_a_transaction_belongs_to_the_step_that_sent_its_request() -> None:
    before = captured(make.transaction(1, 1, landed=3))
    after = captured(make.transaction(1, 1, landed=3, status=500))
    assert statuses(before, after) == {"a": "changed"}


def test_the_same_requests_sent_by_another_step_are_a_change_of_both_steps() -> None:
    assert statuses(captured(make.transaction(1, 1)), captured(make.transaction(1, 2))) == {
        "a": "changed",
        "b": "changed",
    }


def test_requests_of_one_url_stay_distinct() -> None:
    once = captured(make.transaction(1))
    twice = captured([*make.transaction(1), *make.transaction(2)])
    assert statuses(once, twice) == {"a": "changed"}


def test_events_do_not_wander_between_transactions() -> None:
    """Two transactions exchange their outcomes: the same events, other transactions."""

    def two(first: int, second: int) -> CaptureResult:
        return captured(
            [
                make.request(1, address="/x"),
                make.request(2, address="/y"),
                make.outcome("response", first, address="/same"),
                make.outcome("request-failed", second, address="/same", failure="net::ERR_FAILED"),
            ]
        )

    assert statuses(two(1, 2), two(2, 1)) == {"a": "changed"}


def test_content_is_part_of_its_transaction_whenever_it_arrives() -> None:
    early = captured([*make.transaction(1), make.content(1)])
    late = captured([*make.transaction(1), make.content(1, 3)])
    other = captured([*make.transaction(1), make.content(1, body=b"[]")])
    assert statuses(early, late) == {}
    assert statuses(early, other) == {"a": "changed"}


def test_the_order_and_the_repetition_of_headers_are_content() -> None:
    def with_headers(*headers: tuple[str, str]) -> CaptureResult:
        sent = make.content(1, phase="request", body=NOT_REQUESTED, headers=())
        return captured([*make.transaction(1), sent, make.content(1, headers=headers)])

    one = with_headers(("x", "1"), ("x", "2"))
    assert statuses(one, with_headers(("x", "2"), ("x", "1"))) == {"a": "changed"}
    assert statuses(one, with_headers(("x", "1"))) == {"a": "changed"}


def test_every_later_hop_of_a_redirect_carries_its_ancestors() -> None:
    def chain(status: int) -> CaptureResult:
        return captured(
            [
                *make.transaction(1, 1, address="/one", status=status),
                *make.transaction(2, 2, address="/two", status=302, after=1),
                *make.transaction(3, 3, address="/three", after=2),
            ]
        )

    assert statuses(chain(301), chain(301)) == {}
    assert statuses(chain(301), chain(302)) == {"a": "changed", "b": "changed", "c": "changed"}


def test_a_redirect_is_not_the_same_as_a_request_of_its_own() -> None:
    redirected = captured([*make.transaction(1), *make.transaction(2, 2, after=1)])
    direct = captured([*make.transaction(1), *make.transaction(2, 2)])
    assert statuses(redirected, direct)["b"] == "changed"


def test_a_predecessor_may_be_received_after_its_successor() -> None:
    one, two = make.transaction(1, status=302), make.transaction(2, after=1)
    assert statuses(captured([*one, *two]), captured([*two, *one])) == {}


LONG_CHAIN = 5_000
"""Transactions; five times the interpreter's recursion limit."""

FAULTS: dict[str, tuple[Sequence[AnyEvent], str]] = {
    "an absent predecessor": (
        make.transaction(2, after=1),
        "continues a transaction that is not in the capture",
    ),
    "an unknown predecessor": (make.transaction(2, state="unknown"), "outside the capture"),
    "an unstated predecessor": (make.transaction(2, state=None), "does not say whether"),
    "its own predecessor": (make.transaction(2, after=2), "leads back to itself"),
    "a circle": ([*make.transaction(2, after=3), *make.transaction(3, after=2)], "leads back to itself"),
    "a repeated id": ([*make.transaction(2), *make.transaction(2)], "share one transaction_id"),
    "no request": (make.transaction(2)[1:], "whose request is not in the capture"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_transaction_of_unknown_ancestry_makes_its_step_unknown_and_no_other(fault: str) -> None:
    events, said = FAULTS[fault]
    elsewhere = make.transaction(9, 3)
    broken, whole = captured([*events, *elsewhere]), captured([*make.transaction(1), *elsewhere])
    for before, after, side in (
        (broken, broken, "before"),
        (broken, whole, "before"),
        (whole, broken, "after"),
    ):
        found = rows(before, after)
        assert {step_id: row.status for step_id, row in found.items()} == {"a": "unknown"}
        assert said in str(found["a"].reason)
        assert f"{side} side" in str(found["a"].reason)
        assert f"the {side}" in str(found["a"].recovery)
        assert (found["a"].before_sha256 is None) is (before is broken)
        assert compare_captures(before, after).overall_status == "unknown"


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "an absent predecessor"])
def test_what_descends_from_unknown_ancestry_is_unknown_too(fault: str) -> None:
    events, said = FAULTS[fault]
    capture = captured([*events, *make.transaction(7, 2, after=2), *make.transaction(8, 3, after=7)])
    found = rows(capture, capture)
    assert {step_id: row.status for step_id, row in found.items()} == {
        "a": "unknown",
        "b": "unknown",
        "c": "unknown",
    }
    assert said in str(found["c"].reason)


def test_events_without_a_request_are_unknown_in_each_step_that_received_them() -> None:
    response, finished = make.outcome("response", 1, 1), make.outcome("request-finished", 1, 3)
    capture = captured([response, finished])
    assert statuses(capture, capture) == {"a": "unknown", "c": "unknown"}


def test_a_repeated_request_is_unknown_in_each_step_that_sent_it() -> None:
    capture = captured([make.request(1, 1), make.request(1, 3)])
    assert statuses(capture, capture) == {"a": "unknown", "c": "unknown"}


def test_many_faults_of_a_step_are_counted_and_not_listed() -> None:
    events = [event for number in range(1, 1_000) for event in make.transaction(number, state="unknown")]
    [row] = rows(captured(events), captured(events)).values()
    assert "(transaction 1), and 998 more like it" in str(row.reason)
    assert len(str(row.reason)) < 500


@pytest.mark.parametrize("order", ["from the root", "from the end"])
def test_a_redirect_chain_of_any_length_needs_no_recursion(order: str) -> None:

    def chain(method: str) -> list[AnyEvent]:
        numbers = range(1, LONG_CHAIN + 1)
        hops = [
            make.request(
                number,
                1 if number < LONG_CHAIN else 2,
                method=method if number == 1 else "GET",
                after=number - 1 if number > 1 else None,
            )
            for number in (numbers if order == "from the root" else reversed(numbers))
        ]
        return [*hops, *(make.unfinished(number, 3) for number in numbers)]

    assert statuses(captured(chain("GET")), captured(chain("GET"))) == {}
    assert statuses(captured(chain("GET")), captured(chain("POST"))) == {"a": "changed", "b": "changed"}


def test_a_circle_of_any_length_needs_no_recursion() -> None:
    circle = [make.request(number, 1, after=number % LONG_CHAIN + 1) for number in range(1, LONG_CHAIN + 1)]
    assert statuses(captured(circle), captured(circle)) == {"a": "unknown"}


def test_the_digest_of_a_step_is_the_one_a_reader_recomputes() -> None:
    events = [
        *make.transaction(1, 1, status=302),
        *make.transaction(2, 2, after=1),
        make.content(2, 3),
        make.content(1, 3),
        make.console('é "quoted" \n', 2),
        make.request(3, 2, method="POST"),
        make.unfinished(3, 3),
    ]
    before = make.capture(STEPS, events, families=["network", "console"])
    after = make.capture(
        STEPS,
        [make.console("other", 2)],
        families=["network", "console"],
        content_selection=make.network_content(response_body=True),
    )
    [one, two] = rows(before, after).values()
    for row, index in ((one, 1), (two, 2)):
        assert row.before_sha256 == reference.events_digest(reference.plain(before), index)
        assert row.after_sha256 == reference.events_digest(reference.plain(after), index)


# Content that was not kept


@pytest.mark.parametrize(
    ("content", "state", "reason", "recovery"),
    [
        ({"body": make.unavailable("body-read-failed")}, "missing", "could not be read", "redirect"),
        ({"body": make.unavailable("request-failed")}, "missing", "could not be read", "redirect"),
        ({"body": make.unavailable("body-size-limit")}, "truncated", "larger than their limit", "limits"),
        ({"body": make.unavailable("body-allocation-limit")}, "truncated", "larger than", "limits"),
        ({"headers": make.headers_unavailable()}, "missing", "could not be read", "redirect"),
        ({"headers": make.headers_unavailable("header-bytes-limit")}, "truncated", "larger than", "limits"),
    ],
)
def test_content_that_is_not_there_proves_nothing_though_the_capture_calls_itself_complete(
    content: dict[str, Any], state: str, reason: str, recovery: str
) -> None:
    sent = make.content(1, 2, phase="request", body=NOT_REQUESTED, headers=())
    selection = make.network_content(header_values=True, response_body=True)

    def captured_with(**parts: Any) -> CaptureResult:
        received = make.content(1, 2, **{"headers": (), **parts})
        events = [*make.transaction(1, 1, landed=2), sent, received]
        return captured(events, content_selection=selection)

    poorer = captured_with(**content)
    assert poorer.completeness.equality_eligible
    found = rows(poorer, poorer)
    assert list(found) == ["a"]
    assert (found["a"].status, found["a"].before_state, found["a"].after_state) == ("unknown", state, state)
    assert reason in str(found["a"].reason)
    assert "(transaction 1)" in str(found["a"].reason)
    assert recovery in str(found["a"].recovery)
    whole = captured_with()
    assert statuses(whole, poorer) == statuses(poorer, whole) == {"a": "unknown"}


def test_what_was_redirected_from_content_that_is_not_there_proves_nothing_either() -> None:
    events = [
        *make.transaction(1, 1, status=302),
        make.content(1, 1, body=make.unavailable()),
        *make.transaction(2, 2, after=1),
    ]
    assert statuses(captured(events), captured(events)) == {"a": "unknown", "b": "unknown"}


def test_a_request_body_that_no_browser_exposes_is_compared_as_such() -> None:
    events = [*make.transaction(1), make.content(1, phase="request", body=NotExposed())]
    assert statuses(captured(events), captured(events)) == {}


def test_a_message_of_which_only_the_beginning_was_kept_proves_nothing() -> None:
    poorer = captured([make.frame("hel", 2, truncated=True)], families=["websockets"])
    assert poorer.completeness.equality_eligible
    found = rows(poorer, poorer)
    assert list(found) == ["b"]
    assert (found["b"].status, found["b"].before_state) == ("unknown", "truncated")
    assert "only the beginning of a WebSocket message" in str(found["b"].reason)
    assert found["b"].recovery


def test_the_order_of_reasons_is_always_the_same() -> None:
    """Also between processes, in which a set of faults has another order each time."""
    unread = [*make.transaction(1), make.content(1, body=make.unavailable())]
    unknown = [
        *make.transaction(2, state="unknown"),
        make.content(2, body=make.unavailable("body-size-limit")),
    ]
    for events in ([*unread, *unknown], [*unknown, *unread]):
        reason = str(rows(captured(events), captured(events))["a"].reason)
        places = [
            reason.index(words) for words in ("outside the capture", "could not be read", "larger than")
        ]
        assert places == sorted(places)
