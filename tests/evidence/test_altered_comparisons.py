"""A comparison that contradicts itself is refused where it does, though its id recomputes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from rea_capture.errors import InputError
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.compare import compare
from tests import builders as make
from tests.evidence.sealed import ZERO_SHA256, plain, resealed, sealed_capture

BEFORE = sealed_capture(make.capture([make.start(), make.step("a", dom=make.text("one")), make.step("b", 2)]))
AFTER = sealed_capture(make.capture([make.start(), make.step("a", dom=make.text("two")), make.step("b", 2)]))
RULES = {"rules": [{"rule_id": "r", "artifacts": ["url"], "match": "x", "replacement": "y"}]}
CHANGED = plain(compare(BEFORE, AFTER, RULES))
UNCHANGED = plain(compare(BEFORE, BEFORE))
RESULT = "/normalized_result"
LINK = "ev_" + "1" * 64

Change = Callable[[dict[str, Any]], object]


def pointers(document: dict[str, Any], change: Change) -> list[str]:
    altered = copy.deepcopy(document)
    change(altered)
    with pytest.raises(InputError) as caught:
        parse(resealed(altered), "evidence")
    return [fault.pointer for fault in caught.value.faults]


def result(**members: object) -> Change:
    return lambda document: document["normalized_result"].update(members)


def alignment(**members: object) -> Change:
    return lambda document: document["normalized_result"]["alignment"].update(members)


def step(position: int, **members: object) -> Change:
    return lambda document: document["normalized_result"]["steps"][position].update(members)


def failure(code: str) -> dict[str, object]:
    return {"code": code, "reason": "Because.", "step_id": "a"}


def test_what_is_altered_below_is_accepted_as_it_is() -> None:
    for document in (CHANGED, UNCHANGED):
        assert parse(resealed(document), "evidence").evidence_id == document["evidence_id"]
    assert parse(evidence_bytes(compare(BEFORE, AFTER)), "evidence").evidence_id


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["normalized_result"]["normalization"].update(sha256=ZERO_SHA256),
        lambda document: document["normalized_result"]["normalization"].update(rules=[]),
        lambda document: document["normalized_result"]["normalization"]["built_in_rules"].pop(),
        lambda document: document["normalized_result"]["normalization"]["rules"][0].update(match="z"),
    ],
)
def test_a_normalization_digest_that_is_not_of_its_rules_is_refused(change: Change) -> None:
    assert pointers(CHANGED, change) == [f"{RESULT}/normalization"]


def test_parameters_of_another_normalization_are_refused() -> None:
    assert pointers(
        CHANGED, lambda document: document["parameters"].update(normalization_sha256=ZERO_SHA256)
    ) == [""]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(evidence_links=[]),
        lambda document: document["evidence_links"].reverse(),
        lambda document: document["evidence_links"].append(document["evidence_links"][0]),
        lambda document: document["evidence_links"].append(LINK),
        lambda document: document["parameters"].update(before_evidence_id=None),
        lambda document: document["parameters"].update(after_evidence_id=LINK),
    ],
)
def test_links_are_the_ids_of_the_compared_evidence_in_order_and_once(change: Change) -> None:
    assert pointers(CHANGED, change) == [""]


@pytest.mark.parametrize(
    ("document", "change", "pointer"),
    [
        (CHANGED, step(1, status="unchanged"), "/steps/1"),
        (CHANGED, step(1, status="unknown"), "/steps/1"),
        (CHANGED, step(1, artifact_diffs=[]), "/steps/1"),
        (CHANGED, step(2, status="changed"), "/steps/2"),
        (CHANGED, step(2, status="unknown"), "/steps/2"),
        (CHANGED, result(overall_status="unchanged"), ""),
        (CHANGED, result(overall_status="unknown"), ""),
        (CHANGED, result(artifact_diffs={"total": 0}), ""),
        (UNCHANGED, result(overall_status="changed"), ""),
        (UNCHANGED, result(steps=[]), ""),
        (UNCHANGED, alignment(aligned_steps=2), ""),
        (UNCHANGED, alignment(aligned_steps=0), "/alignment"),
        (UNCHANGED, alignment(status="partial"), "/alignment"),
        (UNCHANGED, alignment(failures=[failure("action_mismatch")]), "/alignment"),
        (UNCHANGED, alignment(failures=[failure("action_mismatch")], status="partial"), ""),
        (UNCHANGED, alignment(failures=[failure("missing_after_step")], status="partial"), "/alignment"),
        (UNCHANGED, alignment(before_only=["c"]), "/alignment"),
        (UNCHANGED, alignment(after_only=["c"]), "/alignment"),
    ],
)
def test_a_status_that_does_not_follow_from_what_it_sums_up_is_refused(
    document: dict[str, Any], change: Change, pointer: str
) -> None:
    assert pointers(document, change) == [f"{RESULT}{pointer}"]


def test_unknown_is_always_allowed_where_nothing_changed() -> None:
    """A capture that was not eligible for equality may be the reason, and is not in the result."""
    altered = copy.deepcopy(UNCHANGED)
    altered["normalized_result"]["overall_status"] = "unknown"
    assert parse(resealed(altered), "evidence").evidence_id
