"""A failure leaves evidence where that is asked for, and evidence never stands in a failure's way."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import CaptureEvidenceOperation
from rea_capture.contracts.runtime.policy import OperationContext
from tests.session.scripted_transport import OBSERVED, Scripted, evidence, failed, failure, never, opened


@pytest.fixture
def worker() -> Scripted:
    return Scripted()


async def test_a_failure_leaves_evidence_under_the_run_that_was_named(
    worker: Scripted, tmp_path: Path
) -> None:
    worker.answers["act"] = failure("not_actionable", "act", "unknown")
    context = OperationContext(allowed_origins=("http://127.0.0.1",))
    async with await opened(worker, tmp_path, failure_run_id="failures") as browser:
        with pytest.raises(BrowserOperationError, match="not_actionable") as caught:
            await browser.act("Log in", action="click", ref="e1", tab="t7", context=context)
    kept = caught.value.evidence
    assert kept is not None
    assert (kept.status, kept.mutation_state) == ("complete", "unknown")
    assert Path(kept.artifacts[0].path).parent.name == "failures"
    operation, given = worker.asked[1]
    assert isinstance(operation, CaptureEvidenceOperation)
    assert (operation.request.operation, operation.request.tab, given) == ("act", "t7", context)


async def test_without_being_asked_to_nothing_is_kept_of_a_failure(worker: Scripted, tmp_path: Path) -> None:
    worker.answers["observe"] = failure("timeout")
    browser = await opened(worker, tmp_path)
    with pytest.raises(BrowserOperationError) as caught:
        await browser.observe()
    assert caught.value.evidence is None
    assert worker.ops() == ["observe"]


@pytest.mark.parametrize("answer", [failure("timeout", "captureEvidence"), evidence(b"1", byte_length=2)])
async def test_evidence_that_fails_does_not_hide_the_failure(
    worker: Scripted, tmp_path: Path, answer: Any
) -> None:
    worker.answers.update(observe=failure("not_actionable"), captureEvidence=answer)
    async with await opened(worker, tmp_path, failure_run_id="failures") as browser:
        with pytest.raises(BrowserOperationError, match="not_actionable") as caught:
            await browser.observe()
    assert caught.value.evidence is not None
    assert caught.value.evidence.status == "unavailable"


async def test_evidence_that_hangs_is_given_up_in_its_budget(worker: Scripted, tmp_path: Path) -> None:
    worker.answers.update(observe=failure("not_actionable"), captureEvidence=never)
    async with await opened(worker, tmp_path, failure_run_id="failures") as browser:
        begun = time.monotonic()
        with pytest.raises(BrowserOperationError, match="not_actionable"):
            await browser.observe()
        assert 1.9 < time.monotonic() - begun < 4
        worker.answers["observe"] = OBSERVED
        assert await browser.observe() == OBSERVED
    assert worker.cancelled == ["captureEvidence"]


@pytest.mark.parametrize("code", ["browser_gone", "worker_gone", "session_closed", "cancelled"])
async def test_nobody_is_asked_for_evidence_where_nobody_is_left(
    worker: Scripted, tmp_path: Path, code: Any
) -> None:
    worker.answers["observe"] = failure(code)
    async with await opened(worker, tmp_path, failure_run_id="failures") as browser:
        await failed(browser.observe())
    assert worker.ops() == ["observe", "close"]
