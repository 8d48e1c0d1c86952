"""What fails in a run stops what follows, never what takes it down, and is told as it was."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.budgets import FAILURE_EVIDENCE
from rea_capture.contracts.runtime.operations import BrowserOperation, CaptureEvidenceOperation
from rea_capture.contracts.runtime.results import (
    ArtifactMetadata,
    ArtifactOwner,
    CaptureEvidenceResult,
    OperationResult,
    ReadResult,
)
from rea_capture.errors import UnavailableError
from rea_capture.session.scenario import running
from rea_capture.session.scenario.allowance import Allowance
from tests.session.scenario.scripted import (
    PAGE,
    ScriptedBrowsing,
    file_of,
    forever,
    noted,
    noting,
    python,
    refused,
    run,
    statuses,
    tab,
)
from tests.session.scenario.serving import asked, free_port, managed

HANGS = "import time; time.sleep(60)"
CLICK = {"op": "step", "step": {"instruction": "Continue", "action": "click"}}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


async def test_a_failed_operation_stops_the_rest_and_is_the_error_of_the_run(log: Path) -> None:
    browsing = ScriptedBrowsing(log, {"assert": refused(message="the title is another one")})
    title = {"op": "assert", "request": {"assertion": {"kind": "title", "value": "x"}}}
    report = await run(
        file_of({"op": "read"}, title, {"op": "observe"}, hooks={"cleanup": noting(log, "cleanup")}), browsing
    )
    assert [each.status for each in report.operations] == ["passed", "failed", "not_run"]
    assert report.status == "failed"
    assert report.error is not None
    assert report.error.message == "the title is another one"
    assert report.operations[1].error == report.error
    assert statuses(report)["operations"] == "failed"
    assert noted(log)[-3:] == ["close browser", "cleanup", "close store"]


async def test_what_can_be_seen_of_a_failure_is_kept_and_labelled(log: Path) -> None:
    artifact = ArtifactMetadata(
        artifact_id="a1",
        owner=ArtifactOwner(session_id="s1", run_id="run", operation="act"),
        kind="screenshot",
        content_type="image/png",
        path="kept.png",
        byte_length=1,
        sha256="0" * 64,
    )
    kept = CaptureEvidenceResult(status="partial", artifacts=(artifact,), limitations=())
    browsing = ScriptedBrowsing(log, {"act": refused("not_actionable"), "captureEvidence": kept})
    report = await run(file_of(CLICK), browsing)
    evidence = report.operations[0].evidence
    assert evidence is not None
    assert evidence.status == "partial"
    assert evidence.artifacts == (artifact,)
    request = browsing.requests[-1][0]
    assert isinstance(request, CaptureEvidenceOperation)
    assert request.request.operation == "act"
    assert request.request.run_id == report.run_id


async def test_evidence_of_a_failure_is_narrowed_as_its_operation_was(log: Path) -> None:
    browsing = ScriptedBrowsing(log, {"read": refused()})
    await run(file_of({"op": "read", "allowedOrigins": [PAGE]}), browsing)
    (read, of_read), (kept, of_kept) = browsing.requests[-2:]
    assert (read.op, kept.op) == ("read", "captureEvidence")
    assert of_read is not None
    assert of_kept == of_read


async def test_evidence_that_does_not_even_stop_is_not_waited_for(log: Path) -> None:
    leaving = asyncio.Event()

    async def stubborn(_: object) -> Any:
        while not leaving.is_set():
            with suppress(asyncio.CancelledError):
                await leaving.wait()

    browsing = ScriptedBrowsing(log, {"read": refused(message="first"), "captureEvidence": stubborn})
    began = time.monotonic()
    report = await run(file_of(), browsing)
    assert time.monotonic() - began < FAILURE_EVIDENCE.default_ms / 1000 + 2
    assert report.operations[0].evidence is not None
    assert report.operations[0].evidence.status == "unavailable"
    leaving.set()


async def test_evidence_that_fails_does_not_hide_the_failure(log: Path) -> None:
    browsing = ScriptedBrowsing(
        log, {"read": refused(message="first"), "captureEvidence": refused("artifact_failed", "second")}
    )
    report = await run(file_of(), browsing)
    assert report.error is not None
    assert report.error.message == "first"
    assert report.operations[0].evidence is not None
    assert report.operations[0].evidence.status == "unavailable"


async def test_evidence_that_hangs_takes_its_own_time_and_no_more(log: Path) -> None:
    browsing = ScriptedBrowsing(log, {"read": refused(message="first"), "captureEvidence": forever})
    began = time.monotonic()
    report = await run(file_of(), browsing)
    assert time.monotonic() - began < FAILURE_EVIDENCE.default_ms / 1000 + 2
    assert report.error is not None
    assert report.error.message == "first"


@pytest.mark.parametrize("code", ["browser_gone", "worker_gone"])
async def test_where_nobody_is_left_nobody_is_asked_for_evidence(log: Path, code: Any) -> None:
    report = await run(file_of(), ScriptedBrowsing(log, {"read": refused(code)}))
    assert "captureEvidence" not in noted(log)
    assert report.operations[0].evidence is None


async def test_a_setup_hook_that_fails_starts_neither_server_nor_browser(log: Path) -> None:
    hooks = {
        "setup": python("print('no database'); raise SystemExit(2)"),
        "reset": noting(log, "reset"),
        "cleanup": noting(log, "cleanup"),
    }
    report = await run(file_of(hooks=hooks, fixture=managed(log, free_port())), ScriptedBrowsing(log))
    assert noted(log) == ["close browser", "cleanup", "close store"]
    assert statuses(report) == {
        "setup": "failed",
        "server": "not_run",
        "reset": "not_run",
        "session": "not_run",
        "operations": "not_run",
        "cleanup": "passed",
        "shutdown": "passed",
    }
    assert report.phases[0].output == ("no database",)
    assert report.error is not None
    assert report.error.code == "hook_failed"


async def test_a_hook_that_hangs_is_stopped_at_its_own_timeout(log: Path) -> None:
    report = await run(
        file_of(hooks={"setup": python(HANGS, timeoutMs=200), "cleanup": noting(log, "cleanup")}),
        ScriptedBrowsing(log),
    )
    assert report.error is not None
    assert report.error.code == "timeout"
    assert "200 ms" in report.error.message
    assert "cleanup" in noted(log)


async def test_a_browser_that_does_not_open_fails_the_run(log: Path) -> None:
    browsing = ScriptedBrowsing(log, opening=refused("unavailable", "there is no browser"))
    report = await run(file_of(hooks={"cleanup": noting(log, "cleanup")}), browsing)
    assert statuses(report)["session"] == "failed"
    assert report.operations[0].status == "not_run"
    assert noted(log) == ["open", "close browser", "cleanup", "close store"]


async def test_the_budget_is_of_the_whole_run_and_begins_before_the_setup_hook(log: Path) -> None:
    report = await run(
        file_of(
            hooks={"setup": python(HANGS), "cleanup": noting(log, "cleanup")}, budgets={"timeoutMs": 400}
        ),
        ScriptedBrowsing(log),
    )
    assert report.error is not None
    assert report.error.code == "timeout"
    assert "the run's budget of 400 ms (budgets.timeoutMs) was used up during the phase setup" in (
        report.error.message
    )
    assert noted(log) == ["close browser", "cleanup", "close store"]


@pytest.mark.parametrize(("op", "state"), [("reload", "unknown"), ("read", "not_attempted")])
async def test_an_operation_that_the_budget_ends_says_what_it_may_have_changed(
    log: Path, op: str, state: str
) -> None:
    report = await run(
        file_of(
            {"op": op},
            {"op": "read"},
            budgets={"timeoutMs": 1_000},
            hooks={"cleanup": noting(log, "cleanup")},
        ),
        ScriptedBrowsing(log, {op: forever}),
    )
    assert report.operations[0].error is not None
    assert report.operations[0].error.code == "timeout"
    assert report.operations[0].error.mutation_state == state
    assert report.operations[1].status == "not_run"
    assert noted(log)[-4:] == ["captureEvidence", "close browser", "cleanup", "close store"]


async def test_a_cleanup_hook_that_fails_fails_a_run_that_had_passed(log: Path) -> None:
    report = await run(file_of(hooks={"cleanup": python("raise SystemExit(1)")}), ScriptedBrowsing(log))
    assert statuses(report) == {
        "setup": "not_run",
        "server": "not_run",
        "reset": "not_run",
        "session": "passed",
        "operations": "passed",
        "cleanup": "failed",
        "shutdown": "passed",
    }
    assert report.status == "failed"


async def test_a_cleanup_hook_that_fails_does_not_hide_the_first_failure(log: Path) -> None:
    report = await run(
        file_of(hooks={"cleanup": python("raise SystemExit(1)")}),
        ScriptedBrowsing(log, {"read": refused(message="first")}),
    )
    assert report.error is not None
    assert report.error.message == "first"
    assert statuses(report)["cleanup"] == "failed"


async def test_a_session_that_does_not_close_holds_up_nothing_else(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "CLOSING_S", 0.2)

    class Stuck(ScriptedBrowsing):
        async def close_browser(self) -> tuple[str, ...]:
            await asyncio.Event().wait()
            return ()

    report = await run(file_of(hooks={"cleanup": noting(log, "cleanup")}), Stuck(log))
    assert noted(log) == ["open", "read", "cleanup", "close store"]
    assert statuses(report)["shutdown"] == "failed"
    assert report.error is not None
    assert "the session was not closed" in report.error.message


async def test_what_could_not_be_taken_down_is_a_limitation(log: Path) -> None:
    report = await run(file_of(), ScriptedBrowsing(log, problems=("A profile was left.",)))
    assert report.limitations == ("A profile was left.",)
    assert report.status == "passed"


async def test_a_defect_of_the_session_still_stops_what_was_started(log: Path) -> None:
    port = free_port()

    async def breaks(_: BrowserOperation) -> OperationResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run(
            file_of(fixture=managed(log, port), hooks={"cleanup": noting(log, "cleanup")}),
            ScriptedBrowsing(log, {"read": breaks}),
        )
    assert noted(log)[-3:] == ["close browser", "cleanup", "close store"]
    assert asked(port, "/health") is None


async def test_a_run_that_is_asked_to_stop_takes_everything_down_and_is_cancelled(log: Path) -> None:
    port, allowance = free_port(), Allowance(60_000)

    async def stops(operation: BrowserOperation) -> OperationResult:
        allowance.stop("SIGTERM")
        return await forever(operation)

    report = await run(
        file_of(CLICK, fixture=managed(log, port), hooks={"cleanup": noting(log, "cleanup")}),
        ScriptedBrowsing(log, {"act": stops}),
        allowance=allowance,
    )
    assert report.status == "cancelled"
    assert report.error is not None
    assert report.error.message == "the run was stopped by SIGTERM during operation 0"
    assert report.error.mutation_state == "unknown"
    assert noted(log)[-4:] == ["act", "close browser", "cleanup", "close store"]
    assert asked(port, "/health") is None


async def test_a_cleanup_hook_has_less_time_once_somebody_asked_to_stop(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MAX_CLEANUP_AFTER_STOP_MS", 200)
    allowance = Allowance(60_000)
    allowance.stop("SIGINT")
    report = await run(file_of(hooks={"cleanup": python(HANGS)}), ScriptedBrowsing(log), allowance=allowance)
    assert report.status == "cancelled"
    assert noted(log) == ["close browser", "close store"]
    assert statuses(report)["cleanup"] == "failed"
    assert report.error is not None
    assert report.error.code == "cancelled"


async def test_a_caller_that_is_cancelled_leaves_nothing_running(log: Path) -> None:
    port = free_port()
    opened = asyncio.Event()

    async def hangs(operation: BrowserOperation) -> OperationResult:
        opened.set()
        return await forever(operation)

    file = file_of(fixture=managed(log, port), hooks={"cleanup": noting(log, "cleanup")})
    running_it = asyncio.ensure_future(run(file, ScriptedBrowsing(log, {"read": hangs})))
    await asyncio.wait_for(opened.wait(), 30)
    running_it.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running_it
    assert noted(log)[-3:] == ["close browser", "cleanup", "close store"]
    assert asked(port, "/health") is None


async def test_variables_that_are_not_set_are_all_told_before_anything_starts(log: Path) -> None:
    hooks = {
        "setup": noting(log, "setup", env={"A": {"variable": "ABSENT_A"}, "B": {"variable": "ABSENT_B"}})
    }
    with pytest.raises(UnavailableError) as caught:
        await run(file_of(hooks=hooks), ScriptedBrowsing(log), environ={})
    assert [fault.pointer for fault in caught.value.faults] == [
        "/hooks/setup/env/A/variable",
        "/hooks/setup/env/B/variable",
    ]
    assert noted(log) == []


async def test_values_of_variables_are_nowhere_in_the_report(log: Path) -> None:
    secret = "correct-horse-battery"
    reading = ReadResult(tab=tab(title=f"For {secret}"), text=f"Hello {secret}", omitted_characters=0)
    failing = python(
        "import os; print(os.environ['PASSWORD']); raise SystemExit(1)",
        env={"PASSWORD": {"variable": "TEST_PASSWORD"}},
    )
    report = await run(
        file_of({"op": "read"}, {"op": "observe"}, hooks={"cleanup": failing}),
        ScriptedBrowsing(log, {"read": reading, "observe": refused(message=f"no {secret} here")}),
        environ={"TEST_PASSWORD": secret},
    )
    text = report.model_dump_json()
    assert secret not in text
    assert text.count("[REDACTED:TEST_PASSWORD]") >= 4
