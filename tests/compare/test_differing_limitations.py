"""What only a limitation tells, such as the text of a dialog, is never passed over."""

from __future__ import annotations

import inspect

import pytest

from rea_capture.browser import launch, profile
from rea_capture.compare import compare_captures
from rea_capture.compare.stated import MAX_NAMED_SENTENCES, MAX_QUOTED_CHARACTERS, OF_THE_END
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import ComparisonResult
from rea_capture.contracts.normalization import Normalization, Rule
from tests import builders as make

SAVED = "A page opened a dialog of type alert ('Saved'); it was dismissed."
FAILED = "A page opened a dialog of type alert ('FAILED to save'); it was dismissed."
OTHER = "The driver does not report WebSocket messages without any content; they are not in the events."
BEGINNING = "The captures do not state the same limitations"


def stating(*limitations: str) -> CaptureResult:
    steps = [make.start(), make.step("save"), make.step("look", 2, dom=make.text())]
    return make.capture(steps, limitations=limitations)


def differences(result: ComparisonResult) -> list[str]:
    return [one for one in result.limitations if one.startswith(BEGINNING)]


@pytest.mark.parametrize(
    ("before", "after"), [((SAVED,), (FAILED,)), ((), (FAILED,)), ((SAVED, OTHER), (OTHER,))]
)
def test_captures_that_differ_in_a_limitation_only_are_unknown_with_a_reason_and_a_recovery(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    result = compare_captures(stating(*before), stating(*after))
    assert result.overall_status == "unknown"
    assert [step.status for step in result.steps] == ["unchanged", "unchanged", "unknown"]
    [row] = result.steps[-1].artifact_diffs
    assert (row.artifact, row.status, row.before_state) == ("action_state", "unknown", "captured")
    assert row.before_sha256 == row.after_sha256
    assert row.reason is not None
    assert row.reason.startswith(BEGINNING)
    for sentence in {*before} ^ {*after}:
        assert f"“{sentence}”" in row.reason
    for sentence in {*before} & {*after}:
        assert sentence not in row.reason
    assert row.recovery is not None
    assert row.recovery.startswith("Look at the limitations that differ")
    assert differences(result) == [f"{row.reason} {row.recovery}"]


def test_each_side_is_named_with_what_only_it_states() -> None:
    [sentence] = differences(compare_captures(stating(SAVED, OTHER), stating(FAILED, OTHER)))
    assert f"only the before capture states “{SAVED}”" in sentence
    assert f"only the after capture states “{FAILED}”" in sentence


def test_the_same_limitations_in_another_order_are_no_difference() -> None:
    result = compare_captures(stating(SAVED, OTHER), stating(OTHER, SAVED))
    assert result.overall_status == "unchanged"
    assert differences(result) == []


def test_a_limitation_stated_twice_is_not_one_stated_once() -> None:
    assert compare_captures(stating(SAVED), stating(SAVED, SAVED)).overall_status == "unknown"


def test_a_change_stays_a_change() -> None:
    after = make.capture(
        [make.start(), make.step("save"), make.step("look", 2, dom=make.text("another"))],
        limitations=[FAILED],
    )
    result = compare_captures(stating(SAVED), after)
    assert result.overall_status == "changed"
    assert len(differences(result)) == 1


def test_incomplete_captures_say_the_difference_and_get_no_row_for_it() -> None:
    before = make.capture(missing=("events",), limitations=["It took 17 ms."])
    after = make.capture(missing=("events",), limitations=["It took 18 ms."])
    result = compare_captures(before, after)
    assert result.overall_status == "unknown"
    assert result.artifact_diffs.total == 0
    assert len(differences(result)) == 1


def test_a_row_of_the_last_action_names_the_difference_with_what_it_says_itself() -> None:
    def ending(action: str, limitation: str) -> CaptureResult:
        return make.capture([make.start(), make.step("end", action=action)], limitations=[limitation])

    [row] = compare_captures(ending("click", SAVED), ending("check", FAILED)).steps[-1].artifact_diffs
    assert row.reason is not None
    assert row.reason.startswith("The step is a click before and a check after")
    assert BEGINNING in row.reason


def test_what_is_quoted_is_bounded_and_the_rest_counted() -> None:
    many = [f"{number}{'x' * 2 * MAX_QUOTED_CHARACTERS}" for number in range(MAX_NAMED_SENTENCES + 4)]
    [sentence] = differences(compare_captures(stating(*many), stating()))
    assert "and 4 more" in sentence
    assert len(sentence) < (MAX_NAMED_SENTENCES + 1) * (MAX_QUOTED_CHARACTERS + 50) + 500


def test_a_rule_for_action_state_takes_out_what_differs_each_time() -> None:
    rules = tuple(
        Rule(rule_id=f"order-{number}", artifacts=("action_state",), match=number, replacement="N")
        for number in ("17", "18")
    )
    before, after = stating("A dialog ('Order 17')."), stating("A dialog ('Order 18').")
    assert compare_captures(before, after).overall_status == "unknown"
    assert compare_captures(before, after, Normalization(rules=rules)).overall_status == "unchanged"


def test_the_random_part_of_a_blob_address_is_no_difference() -> None:
    def refused(blob_id: str) -> CaptureResult:
        return stating(f"A page asked to register the service worker 'blob:http://a.test/{blob_id}'; no.")

    one, other = (
        refused("0" * 8 + "-0000" * 3 + "-" + "0" * 12),
        refused("1" * 8 + "-0000" * 3 + "-" + "1" * 12),
    )
    assert compare_captures(one, other).overall_status == "unchanged"


def test_how_the_browser_ended_is_no_difference_and_the_sentences_are_those_of_captures() -> None:
    result = compare_captures(stating(), stating(*sorted(OF_THE_END)))
    assert result.overall_status == "unchanged"
    assert differences(result) == []
    stated = (inspect.getsource(launch) + inspect.getsource(profile)).lower()
    for sentence in OF_THE_END:
        assert f'"{sentence.rstrip(".")}'.lower() in stated
