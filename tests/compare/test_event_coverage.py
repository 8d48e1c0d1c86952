"""Coverage of events: what was selected, what was kept, and what is said when something was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.events import AnyEvent
from tests import builders as make

STEPS = [make.start(), make.step("a", 1), make.step("b", 2), make.step("c", 3)]
EVERY_STEP = ["scenario_start", "a", "b", "c"]


def captured(events: Sequence[AnyEvent] = (), **changes: Any) -> CaptureResult:
    return make.capture(**{"steps": STEPS, "events": events, "families": ["console", "network"], **changes})


def event_rows(before: CaptureResult, after: CaptureResult) -> dict[str, Any]:
    return {
        step.step_id: row
        for step in compare_captures(before, after).steps
        for row in step.artifact_diffs
        if row.artifact == "events"
    }


# What was selected


def test_events_that_nobody_asked_for_have_no_row() -> None:
    nothing = captured(families=())
    assert event_rows(nothing, nothing) == {}
    assert compare_captures(nothing, nothing).overall_status == "unchanged"


def test_other_families_make_the_events_of_every_step_unknown() -> None:
    before = captured([make.console("one", 1), make.console("three", 3)])
    after = captured([make.console("one", 1)], families=["console"])
    found = event_rows(before, after)
    assert list(found) == EVERY_STEP
    for row in found.values():
        assert row.status == "unknown"
        assert "console and network before, console after" in row.reason
        assert "same capture.events" in row.recovery
    limitations = compare_captures(before, after).limitations
    assert sum("Events were compared in no step" in sentence for sentence in limitations) == 1


def test_no_step_is_unchanged_when_other_families_saw_no_event() -> None:
    before, after = captured(families=["console"]), captured(families=())
    found = event_rows(before, after)
    assert list(found) == EVERY_STEP
    assert {(row.before_state, row.after_state) for row in found.values()} == {("captured", "not_requested")}
    assert {step.status for step in compare_captures(before, after).steps} == {"unknown"}
    assert compare_captures(before, after).overall_status == "unknown"


def test_a_capture_that_does_not_record_its_families_is_unknown() -> None:
    older, newer = captured([make.console()], families=None), captured([make.console()])
    for before, after, who in (
        (older, newer, "before"),
        (newer, older, "after"),
        (older, older, "before and the after"),
    ):
        found = event_rows(before, after)
        assert list(found) == EVERY_STEP
        for row in found.values():
            assert row.status == "unknown"
            assert f"The {who} capture does not record" in row.reason
            assert row.recovery


def test_other_network_content_is_unknown_and_not_a_change() -> None:
    before = captured([*make.transaction()])
    after = captured(
        [*make.transaction(), make.content()], content_selection=make.network_content(response_body=True)
    )
    found = event_rows(before, after)
    assert list(found) == EVERY_STEP
    for row in found.values():
        assert row.status == "unknown"
        assert "nothing before, response_body after" in row.reason
        assert "same capture.network" in row.recovery


def test_selected_network_content_counts_as_a_request_for_events() -> None:
    selecting = captured(families=(), content_selection=make.network_content(header_values=True))
    found = event_rows(captured(families=()), selecting)
    assert list(found) == EVERY_STEP
    assert {(row.status, row.before_state, row.after_state) for row in found.values()} == {
        ("unknown", "not_requested", "captured")
    }


def test_a_difference_elsewhere_is_still_a_change() -> None:
    before = captured(steps=[make.start(dom=make.text("one"))], families=["console"])
    after = captured(steps=[make.start(dom=make.text("two"))], families=["network"])
    assert compare_captures(before, after).overall_status == "changed"


# What was not seen


@pytest.mark.parametrize("section", ["events", "frames", "workers", "popups", "websockets"])
@pytest.mark.parametrize("how", ["missing", "truncated"])
def test_a_step_that_did_not_see_all_events_is_unknown(section: str, how: str) -> None:
    poorer_steps = [*STEPS[:2], make.step("b", 2, **{how: (section,)}), STEPS[3]]  # type: ignore[arg-type]
    whole, poorer = captured([make.console()]), captured([make.console()], steps=poorer_steps)
    for before, after in ((whole, poorer), (poorer, whole), (poorer, poorer)):
        found = event_rows(before, after)
        assert list(found) == ["b"]
        assert found["b"].status == "unknown"
        assert section in found["b"].reason
        assert how in {found["b"].before_state, found["b"].after_state}


def test_a_difference_in_events_that_were_not_all_seen_proves_nothing() -> None:
    poorer_steps = [STEPS[0], make.step("a", 1, missing=("events",)), *STEPS[2:]]
    before, after = captured([make.console("one")]), captured([make.console("two")], steps=poorer_steps)
    assert [row.status for row in event_rows(before, after).values()] == ["unknown"]


def test_a_gap_in_the_sequence_marks_the_steps_it_may_lie_in() -> None:
    events = [make.console("one", 1), make.console("two", 2), make.console("three", 3)]
    kept = [events[0], events[2]]
    poorer = captured(kept, skipped=(2,), omitted=make.omissions({"console": 1}))
    found = event_rows(captured(events), poorer)
    assert list(found) == ["a", "b", "c"]
    assert {row.after_state for row in found.values()} == {"truncated"}
    assert "capture.limits" in found["b"].recovery


def test_a_gap_at_the_end_marks_the_steps_from_the_last_event_on() -> None:
    events = [make.console("one", 1), make.console("two", 2)]
    poorer = captured(events[:1], omitted=make.omissions({"console": 1}))
    assert list(event_rows(captured(events), poorer)) == ["a", "b", "c"]


def test_a_step_that_admits_its_gap_speaks_for_the_others() -> None:
    events = [make.console("one", 1), make.console("two", 2), make.console("three", 3)]
    admitting = [*STEPS[:2], make.step("b", 2, truncated=("events",)), STEPS[3]]
    poorer = captured(
        [events[0], events[2]], steps=admitting, skipped=(2,), omitted=make.omissions({"console": 1})
    )
    assert list(event_rows(captured(events), poorer)) == ["b"]


def test_a_late_event_that_was_not_kept_concerns_the_requesting_step() -> None:
    """The response was dropped during the last step; the request was sent in the first."""
    events = make.transaction(1, 1, landed=3)
    admitting = [*STEPS[:3], make.step("c", 3, truncated=("events",))]
    poorer = captured(
        events[:2],
        steps=admitting,
        omitted=make.omissions({"request-finished": 1}, transactions={1: ("request-finished",)}),
    )
    found = event_rows(poorer, poorer)
    assert list(found) == ["a", "c"]
    assert found["a"].before_state == "truncated"
    assert "some events of a transaction were not kept (transaction 1)" in found["a"].reason


def test_what_was_redirected_from_a_transaction_with_omissions_is_unknown_too() -> None:
    events = [*make.transaction(1, 1)[:2], *make.transaction(2, 2, after=1)]
    admitting = [STEPS[0], make.step("a", 1, truncated=("events",)), *STEPS[2:]]
    poorer = captured(
        events,
        steps=admitting,
        omitted=make.omissions({"request-finished": 1}, transactions={1: ("request-finished",)}),
    )
    assert list(event_rows(poorer, poorer)) == ["a", "b"]


def test_transactions_beyond_the_limit_are_unknown_in_their_step() -> None:
    admitting = [*STEPS[:3], make.step("c", 3, truncated=("events",))]
    poorer = captured(
        make.transaction(1, 1),
        steps=admitting,
        omitted=make.omissions({"request": 2}, first_last=(2, 3)),
    )
    assert list(event_rows(poorer, poorer)) == ["c"]


def test_an_attached_capture_is_told_to_be_made_in_launch_mode() -> None:
    steps = [make.start(missing=("events",)), make.step("a", 1, missing=("events",))]
    attached = captured(steps=steps, mode="connect")
    for found in (
        [row.recovery for row in event_rows(attached, attached).values()],
        [row.recovery for row in event_rows(*[captured(missing=("events",), mode="connect")] * 2).values()],
        compare_captures(attached, attached).limitations,
    ):
        said = [words for words in found if words and "attached to a running browser" in words]
        assert said
        for side in ("before", "after"):
            assert any(f"The {side} capture attached" in words for words in said)
        assert all("to be told unchanged, capture both sides in launch mode." in words for words in said)
        assert not any("for the cause, remove it" in words for words in said)


def test_a_gap_that_no_step_admits_may_be_in_any_of_them() -> None:
    poorer = captured([make.console("one", 2)], missing=("popups",))
    found = event_rows(poorer, poorer)
    assert list(found) == EVERY_STEP
    assert "did not fully see popups, and does not say in which step" in found["b"].reason
    for poorer in (captured(missing=("events",)), captured(truncated=("events",))):
        found = event_rows(poorer, captured())
        assert list(found) == EVERY_STEP
        assert {row.status for row in found.values()} == {"unknown"}
        assert "does not say in which step" in found["a"].reason


# What cannot be


def test_other_events_in_another_order_are_a_change() -> None:
    one, two = make.console("one"), make.console("two")
    [row] = event_rows(captured([one, two]), captured([two, one])).values()
    assert row.status == "changed"


def test_a_capture_that_holds_events_cannot_deny_having_looked() -> None:
    denying = captured([make.console("one")], families=())
    found = event_rows(denying, denying)
    assert list(found) == EVERY_STEP
    assert {row.status for row in found.values()} == {"unknown"}
    assert {row.before_state for row in found.values()} == {"captured"}
