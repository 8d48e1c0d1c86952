"""Failures of the runtime's operations are made in one way, and tell no more than is known."""

from __future__ import annotations

from typing import get_args

import pytest

from rea_capture.contracts.runtime.errors import BrowserErrorCode, MutationState, RetryClass
from rea_capture.contracts.runtime.failing import ADVICE, MAX_FAULTS_TOLD, failure
from rea_capture.contracts.runtime.operation_table import CHANGING, OPERATION_TABLE, maybe_changed
from rea_capture.contracts.runtime.operations import OPERATIONS
from rea_capture.errors import Fault
from rea_capture.limits import MAX_SENTENCE_CHARACTERS


def test_there_is_advice_for_every_code() -> None:
    assert set(ADVICE) == set(get_args(BrowserErrorCode))


@pytest.mark.parametrize("code", get_args(BrowserErrorCode))
@pytest.mark.parametrize("state", ["unknown", "verified"])
@pytest.mark.parametrize("retry", [None, "safe"])
def test_what_may_have_changed_the_page_is_never_safe_to_do_again(
    code: BrowserErrorCode, state: MutationState, retry: RetryClass | None
) -> None:
    assert failure("act", "execute", code, "It failed.", state, retry=retry).details.retry != "safe"


def test_a_message_is_one_bounded_line() -> None:
    said = failure("read", "execute", "defect", "a\nb" + "x" * 2 * MAX_SENTENCE_CHARACTERS).details.message
    assert said.startswith("a b")
    assert "\n" not in said
    assert len(said) < MAX_SENTENCE_CHARACTERS + 100


def test_faults_beyond_the_bound_are_counted() -> None:
    faults = [Fault(f"/{number}", "is wrong") for number in range(MAX_FAULTS_TOLD + 2)]
    told = failure(None, "request", "invalid_request", "It is wrong.", faults=faults).details.faults
    assert len(told) == MAX_FAULTS_TOLD + 1
    assert told[-1].message == "has 2 more faults"


def test_every_operation_is_in_the_table_under_its_own_name() -> None:
    assert set(OPERATION_TABLE) == set(OPERATIONS)
    for name, operation in OPERATION_TABLE.items():
        assert get_args(operation.asked.model_fields["op"].annotation) == (name,)


def test_looking_changes_nothing() -> None:
    assert not {"observe", "read", "assert", "listTabs", "waitPopup", "captureEvidence"} & CHANGING
    assert (maybe_changed("act"), maybe_changed("read")) == ("unknown", "not_attempted")
