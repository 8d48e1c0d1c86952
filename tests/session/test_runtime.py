"""The runtime's own side: the order of calls, requests by keyword, the store, failures, the way out."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import rea_capture
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import (
    ActOperation,
    CloseOperation,
    CredentialValue,
    ObserveOperation,
    ObserveRequest,
    ReadOperation,
    ReadRequest,
    Step,
)
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import (
    ActResult,
    ArtifactMetadata,
    AssertResult,
    CloseResult,
    CloseTabResult,
    ListTabsResult,
    NarrowOriginPolicyResult,
    NavigateResult,
    OperationResult,
    SelectTabResult,
    WaitPopupResult,
)
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session import driven
from rea_capture.session.runtime import BrowserRuntime
from tests.session.scripted_transport import OBSERVED, TAB, Scripted, evidence, failed, failure, never, opened


@pytest.fixture
def worker() -> Scripted:
    return Scripted()


@pytest.fixture
async def browser(worker: Scripted, tmp_path: Path) -> AsyncIterator[BrowserRuntime]:
    async with await opened(worker, tmp_path) as runtime:
        yield runtime


def files_below(folder: Path) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file()]


def test_the_package_has_the_runtime() -> None:
    assert rea_capture.BrowserRuntime is BrowserRuntime


def content(artifact: ArtifactMetadata) -> bytes:
    return Path(artifact.path).read_bytes()


NAVIGATED = NavigateResult(tab=TAB, status=200)
HELD = {"kind": "text", "value": "Done"}


@pytest.mark.parametrize(
    ("method", "positional", "keywords", "answer", "asked"),
    [
        ("observe", (), {"tab": "t1"}, OBSERVED, {"op": "observe", "request": {"tab": "t1"}}),
        ("observe", (ObserveRequest(tab="t1"),), {}, OBSERVED, {"op": "observe", "request": {"tab": "t1"}}),
        (
            "act",
            ("Log in",),
            {"action": "click", "ref": "e1", "postcondition": HELD, "tab": "t1"},
            ActResult(tab=TAB, action="click", ref="e1", mutation_state="verified"),
            {
                "op": "act",
                "request": {
                    "tab": "t1",
                    "step": {
                        "instruction": "Log in",
                        "action": "click",
                        "ref": "e1",
                        "postcondition": {**HELD, "match": "contains"},
                    },
                },
            },
        ),
        (
            "act",
            (Step(instruction="Log in", action="click"),),
            {},
            ActResult(tab=TAB, action="click", ref="e1", mutation_state="unknown"),
            {"op": "act", "request": {"step": {"instruction": "Log in", "action": "click"}}},
        ),
        (
            "assert_",
            (HELD,),
            {"wait": "none"},
            AssertResult(tab=TAB, assertion={"kind": "text", "value": "Done"}),  # type: ignore[arg-type]
            {"op": "assert", "request": {"assertion": {**HELD, "match": "contains"}, "wait": "none"}},
        ),
        (
            "navigate",
            ("http://127.0.0.1/",),
            {},
            NAVIGATED,
            {"op": "navigate", "request": {"url": "http://127.0.0.1/"}},
        ),
        ("reload", (), {}, NAVIGATED, {"op": "reload", "request": {}}),
        (
            "list_tabs",
            (),
            {"select": {"kind": "index", "index": 1}},
            ListTabsResult(tabs=(TAB,), omitted=0),
            {"op": "listTabs", "request": {"select": {"kind": "index", "index": 1}}},
        ),
        ("select_tab", ("t1",), {}, SelectTabResult(tab=TAB), {"op": "selectTab", "request": {"tab": "t1"}}),
        (
            "wait_popup",
            (),
            {"opener": "t1"},
            WaitPopupResult(tab=TAB),
            {"op": "waitPopup", "request": {"opener": "t1"}},
        ),
        (
            "close_tab",
            ("t1",),
            {},
            CloseTabResult(closed="t1", selected=None),
            {"op": "closeTab", "request": {"tab": "t1"}},
        ),
        (
            "narrow_origin_policy",
            (["http://127.0.0.1"],),
            {},
            NarrowOriginPolicyResult(context=OperationContext(allowed_origins=("http://127.0.0.1",))),
            {"op": "narrowOriginPolicy", "request": {"allowedOrigins": ["http://127.0.0.1"]}},
        ),
    ],
)  # fmt: skip
async def test_each_method_asks_for_its_operation_with_its_fields(
    browser: BrowserRuntime,
    worker: Scripted,
    method: str,
    positional: tuple[Any, ...],
    keywords: dict[str, Any],
    answer: OperationResult,
    asked: dict[str, Any],
) -> None:
    worker.answers[str(asked["op"])] = answer
    context = OperationContext(allowed_origins=("http://127.0.0.1",))
    assert await getattr(browser, method)(*positional, **keywords, context=context) == answer
    ((operation, given),) = worker.asked
    assert operation.wire() == asked
    assert given == context


async def test_a_credential_goes_by_its_name(browser: BrowserRuntime, worker: Scripted) -> None:
    await failed(browser.act("Fill it", action="fill", ref="e1", value={"credential": "password"}))
    operation = worker.asked[0][0]
    assert isinstance(operation, ActOperation)
    assert operation.request.step.value == CredentialValue(credential="password")


@pytest.mark.parametrize(
    ("method", "positional", "keywords", "pointer"),
    [
        ("navigate", ("ftp://127.0.0.1/",), {}, "/url"),
        ("navigate", ("http://ada:hidden-9@127.0.0.1/",), {}, "/url"),
        ("act", ("Log in",), {"action": "dance"}, "/action"),
        ("act", ("Log in",), {}, "/action"),
        ("act", ("Log in",), {"action": "fill", "value": ["hidden-9"]}, "/value"),
        ("assert_", ({"kind": "script", "value": "hidden-9"},), {}, "/assertion/kind"),
        ("observe", (ObserveRequest(),), {"tab": "t1"}, ""),
        ("observe", (ReadRequest(),), {}, ""),
        ("capture_evidence", ("../up",), {}, "/run_id"),
        ("capture_evidence", ("r",), {"screenshot_timeout_ms": 60_001}, "/screenshot_timeout_ms"),
        ("narrow_origin_policy", ([],), {}, "/allowed_origins"),
    ],
)
async def test_a_bad_request_is_refused_here_with_its_place_and_without_its_values(
    browser: BrowserRuntime,
    worker: Scripted,
    method: str,
    positional: tuple[Any, ...],
    keywords: dict[str, Any],
    pointer: str,
) -> None:
    with pytest.raises(BrowserOperationError) as caught:
        await getattr(browser, method)(*positional, **keywords)
    details = caught.value.details
    assert (details.code, details.mutation_state) == ("invalid_request", "not_attempted")
    assert pointer in {fault.pointer for fault in details.faults}
    assert "hidden-9" not in details.model_dump_json() + "".join(traceback.format_exception(caught.value))
    assert caught.value.__context__ is None
    assert not worker.asked


async def test_calls_are_done_one_after_the_other_in_their_order(
    browser: BrowserRuntime, worker: Scripted
) -> None:
    calls = [browser.observe() if index % 2 else browser.read() for index in range(20)]
    await asyncio.gather(*calls)
    assert worker.most_under_way == 1
    assert worker.ops() == ["read", "observe"] * 10


async def test_an_answer_of_another_kind_is_a_defect(browser: BrowserRuntime, worker: Scripted) -> None:
    worker.answers["observe"] = CloseResult()
    details = await failed(browser.observe())
    assert (details.code, details.mutation_state) == ("defect", "unknown")


async def test_evidence_is_decoded_and_kept_privately(
    browser: BrowserRuntime, worker: Scripted, tmp_path: Path
) -> None:
    worker.answers["captureEvidence"] = evidence(b'{"a": 1}', b'{"b": 2}')
    result = await browser.capture_evidence("run-1", operation="navigate", include=["diagnostics"])
    assert [content(each) for each in result.artifacts] == [b'{"a": 1}', b'{"b": 2}']
    assert {each.owner.run_id for each in result.artifacts} == {"run-1"}
    assert {each.owner.operation for each in result.artifacts} == {"navigate"}
    assert {Path(each.path).parent for each in result.artifacts} == {tmp_path / "artifacts" / "s1" / "run-1"}


async def test_evidence_of_another_length_than_declared_is_refused_whole(
    browser: BrowserRuntime, worker: Scripted, tmp_path: Path
) -> None:
    worker.answers["captureEvidence"] = evidence(b"12345", b"1234", byte_length=5)
    assert (await failed(browser.capture_evidence("run-1"))).code == "artifact_failed"
    assert not files_below(tmp_path)


async def test_without_a_folder_artifacts_go_to_the_state_folder(
    worker: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with await BrowserRuntime.open(SessionSettings(), transport=worker) as browser:
        kept = await browser.capture_evidence("run-1")
    assert Path(kept.artifacts[0].path).is_relative_to(tmp_path / "rea-capture" / "artifacts" / "s1")


async def test_a_call_that_is_cancelled_is_cancelled_in_the_worker_and_the_next_goes_on(
    browser: BrowserRuntime, worker: Scripted
) -> None:
    worker.answers["observe"] = never
    task = asyncio.create_task(browser.observe())
    await asyncio.wait_for(worker.begun.wait(), 5)
    task.cancel()
    await asyncio.wait({task}, timeout=5)
    assert task.cancelled()
    assert worker.cancelled == ["observe"]
    worker.answers["observe"] = OBSERVED
    assert await browser.observe() == OBSERVED


async def test_closing_ends_what_is_under_way_and_what_waits(
    browser: BrowserRuntime, worker: Scripted
) -> None:
    worker.answers["navigate"] = never
    running = asyncio.create_task(failed(browser.navigate("http://127.0.0.1/")))
    await asyncio.wait_for(worker.begun.wait(), 5)
    waiting = asyncio.create_task(failed(browser.observe()))
    await asyncio.sleep(0)
    assert (await browser.close()).problems == ()
    first, second = await asyncio.wait_for(asyncio.gather(running, waiting), 5)
    assert (first.code, first.mutation_state) == ("session_closed", "unknown")
    assert (second.code, second.mutation_state) == ("session_closed", "not_attempted")
    assert worker.ops() == ["navigate", "close"]


async def test_closing_again_gives_the_same_and_asks_nobody(worker: Scripted, tmp_path: Path) -> None:
    worker.answers["close"] = CloseResult(problems=("A process would not end.",))
    browser = await opened(worker, tmp_path)
    first, second = await asyncio.gather(browser.close(), browser.close())
    assert first == second == await browser.dispatch(CloseOperation(op="close"))
    assert first.problems == ("A process would not end.",)
    assert worker.ops() == ["close"]
    assert (await failed(browser.observe())).code == "session_closed"


@pytest.mark.parametrize(("code", "problems"), [("unknown_session", 0), ("worker_gone", 1)])
async def test_closing_never_raises(worker: Scripted, tmp_path: Path, code: Any, problems: int) -> None:
    worker.answers["close"] = failure(code, "close")
    browser = await opened(worker, tmp_path)
    assert len((await browser.close()).problems) == problems


async def test_closing_is_finished_though_its_caller_is_cancelled(worker: Scripted, tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slowly() -> OperationResult:
        await release.wait()
        return CloseResult()

    worker.answers["close"] = slowly
    browser = await opened(worker, tmp_path)
    task = asyncio.create_task(browser.close())
    await asyncio.wait_for(worker.begun.wait(), 5)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    release.set()
    await asyncio.wait({task}, timeout=5)
    assert task.cancelled()
    assert not worker.cancelled


async def test_a_transport_that_was_given_stays_open(worker: Scripted, tmp_path: Path) -> None:
    await (await opened(worker, tmp_path)).close()
    assert worker.closed == 0


async def test_nothing_is_kept_once_the_store_is_closed(browser: BrowserRuntime, tmp_path: Path) -> None:
    await browser.close_store()
    assert (await failed(browser.capture_evidence("run-1"))).code == "artifact_failed"
    assert not files_below(tmp_path)


async def test_what_was_kept_is_there_after_closing(browser: BrowserRuntime) -> None:
    kept = await browser.capture_evidence("run-1")
    await browser.close()
    assert content(kept.artifacts[0]) == b"{}"


async def test_an_opening_that_fails_is_the_error_it_was(worker: Scripted, tmp_path: Path) -> None:
    worker.opening = failure("unavailable", "open")
    assert (await failed(opened(worker, tmp_path))).code == "unavailable"


async def test_settings_by_the_names_of_the_wire_are_what_this_call_says(
    worker: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("REA_BROWSER_HEADLESS", "false")
    monkeypatch.setenv("REA_BROWSER_PRODUCT", "vivaldi")
    monkeypatch.delenv("REA_EXECUTABLE_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    await BrowserRuntime.open({"browser": {"product": "chrome"}}, transport=worker)
    assert worker.opened_with is not None
    browser = worker.opened_with.settings.browser.wire()
    assert (browser["product"], browser["headless"]) == ("chrome", False)


async def test_a_bad_configuration_is_an_invalid_request(
    worker: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    details = await failed(BrowserRuntime.open({"browser": {"headles": True}}, transport=worker))
    assert (details.operation, details.code) == ("open", "invalid_request")
    assert [fault.pointer for fault in details.faults] == ["/browser/headles"]
    assert worker.opened_with is None


async def test_any_operation_can_be_dispatched_as_it_is(browser: BrowserRuntime, worker: Scripted) -> None:
    await browser.dispatch(ObserveOperation(op="observe"))
    await browser.dispatch(ReadOperation(op="read"))
    assert worker.ops() == ["observe", "read"]


@pytest.mark.parametrize("fails", [True, False])
async def test_a_worker_of_its_own_ends_with_the_session_or_with_its_opening(
    worker: Scripted, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    monkeypatch.setattr(driven, "_worker_process", lambda python: worker)
    if fails:
        worker.opening = failure("unavailable", "open")
        await failed(BrowserRuntime.open(SessionSettings()))
    else:
        await (await BrowserRuntime.open(SessionSettings())).close()
    assert worker.closed == 1


async def test_an_interpreter_that_is_not_there_is_said_and_no_other_takes_its_place(tmp_path: Path) -> None:
    details = await failed(BrowserRuntime.open(SessionSettings(), python=str(tmp_path / "absent")))
    assert (details.operation, details.code) == ("open", "unavailable")
    assert "absent" in details.message


async def test_where_the_working_folder_is_gone_nothing_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(BrowserOperationError, match="working folder") as caught:
        await BrowserRuntime.open({})
    assert caught.value.details.code == "unavailable"
    assert caught.value.__context__ is None
