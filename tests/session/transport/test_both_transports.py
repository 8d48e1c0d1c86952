"""One body for both ways to a worker: the same results, the same errors, the same end."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

import pytest

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.frames import OpenRequest, OpenResult
from rea_capture.contracts.runtime.operations import (
    ActOperation,
    ActRequest,
    AssertOperation,
    AssertRequest,
    BrowserOperation,
    CaptureEvidenceOperation,
    CaptureEvidenceRequest,
    CloseOperation,
    CloseTabOperation,
    CloseTabRequest,
    CredentialValue,
    ListTabsOperation,
    NarrowOriginPolicyOperation,
    NarrowOriginPolicyRequest,
    NavigateOperation,
    NavigateRequest,
    ObserveOperation,
    ReadOperation,
    ReloadOperation,
    SelectTabOperation,
    SelectTabRequest,
    Step,
    TitleAssertion,
    WaitPopupOperation,
)
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import CaptureEvidencePayload, CloseResult, ReadResult
from rea_capture.contracts.runtime.settings import LiteralCredential, SessionSettings
from rea_capture.session.transport.answers import RESULT_OF
from rea_capture.session.transport.framed import FramedTransport
from tests.session.worker.scripted import PICTURE
from tests.session.worker.served import has_begun, said, until

PATIENCE_S = 40
READ = ReadOperation(op="read")
CLOSE = CloseOperation(op="close")
TITLE = TitleAssertion(kind="title", value="x")
SECRET = "correct-horse-battery"


def navigate(word: str) -> NavigateOperation:
    return NavigateOperation(op="navigate", request=NavigateRequest(url=f"http://{word}.test"))


def fill(value: str | CredentialValue, instruction: str = "Fill") -> ActOperation:
    step = Step(instruction=instruction, action="fill", ref="e2", value=value)
    return ActOperation(op="act", request=ActRequest(step=step))


async def opened(transport: FramedTransport, **settings: object) -> str:
    request = OpenRequest(settings=SessionSettings.model_validate(settings))
    return (await asyncio.wait_for(transport.open(request), PATIENCE_S)).session_id


async def error_of(
    transport: FramedTransport, session: str, operation: BrowserOperation
) -> BrowserOperationError:
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(transport.dispatch(session, operation), PATIENCE_S)
    return caught.value


async def begun(events: Path) -> None:
    await asyncio.to_thread(until, lambda: has_begun(events), "the navigation")


async def test_every_operation_has_the_result_that_belongs_to_it(transport: FramedTransport) -> None:
    opening = await asyncio.wait_for(transport.open(OpenRequest()), PATIENCE_S)
    assert isinstance(opening, OpenResult)
    assert opening.limitations == ("There is no browser.",)
    operations: list[BrowserOperation] = [
        ObserveOperation(op="observe"),
        fill("plain"),
        READ,
        AssertOperation(
            op="assert", request=AssertRequest(assertion=TitleAssertion(kind="title", value="x"))
        ),
        navigate("fine"),
        ReloadOperation(op="reload"),
        ListTabsOperation(op="listTabs"),
        SelectTabOperation(op="selectTab", request=SelectTabRequest(tab="t1")),
        WaitPopupOperation(op="waitPopup"),
        CloseTabOperation(op="closeTab", request=CloseTabRequest(tab="t1")),
        CaptureEvidenceOperation(op="captureEvidence", request=CaptureEvidenceRequest(run_id="run")),
        NarrowOriginPolicyOperation(
            op="narrowOriginPolicy", request=NarrowOriginPolicyRequest(allowed_origins=("http://a.test",))
        ),
        CLOSE,
    ]
    for operation in operations:
        result = await transport.dispatch(opening.session_id, operation)
        assert type(result) is RESULT_OF[operation.op]
        if isinstance(result, CaptureEvidencePayload):
            [artifact] = result.artifacts
            assert base64.b64decode(artifact.data_base64) == PICTURE
            assert artifact.byte_length == len(PICTURE)
    assert {each.op for each in operations} | {"open", "cancel"} == set(RESULT_OF)


async def test_a_context_goes_with_its_call(transport: FramedTransport) -> None:
    session = await opened(transport, allowed_origins=("http://a.test",))
    nowhere = OperationContext(allowed_origins=("http://b.test",))
    with pytest.raises(BrowserOperationError) as caught:
        await transport.dispatch(session, READ, nowhere)
    assert caught.value.details.code == "origin_refused"
    assert isinstance(await transport.dispatch(session, READ), ReadResult)


async def test_an_error_comes_as_the_worker_gave_it(transport: FramedTransport) -> None:
    session = await opened(transport)
    details = (await error_of(transport, session, navigate("fails"))).details
    assert (details.operation, details.code, details.mutation_state) == (
        "navigate",
        "navigation_failed",
        "unknown",
    )
    details = (await error_of(transport, "nobody", READ)).details
    assert (details.code, details.mutation_state) == ("unknown_session", "not_attempted")


async def test_a_credential_is_in_no_result_and_no_error(transport: FramedTransport) -> None:
    credentials = {"password": LiteralCredential(source="literal", value=SECRET)}
    session = await opened(transport, credentials=credentials)
    acted = await transport.dispatch(session, fill(CredentialValue(credential="password")))
    read = await transport.dispatch(session, READ)
    failed = await error_of(transport, session, fill(CredentialValue(credential="password"), "fail"))
    told = f"{acted!r}{read!r}{failed!r}{failed.details!r}"
    assert SECRET not in told
    assert told.count("[REDACTED:password]") >= 3


async def test_a_call_that_is_cancelled_ends_when_it_is_over_in_the_worker(
    transport: FramedTransport, events: Path
) -> None:
    session = await opened(transport)
    call = asyncio.ensure_future(transport.dispatch(session, navigate("hang")))
    await begun(events)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(call, PATIENCE_S)
    assert said(events)[-1] == "s0 cancelled hang"
    assert isinstance(await transport.dispatch(session, READ), ReadResult)


async def test_a_call_that_waits_for_another_can_be_cancelled_too(
    transport: FramedTransport, events: Path
) -> None:
    session = await opened(transport)
    first = asyncio.ensure_future(transport.dispatch(session, navigate("hang")))
    await begun(events)
    second = asyncio.ensure_future(transport.dispatch(session, navigate("b")))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    first.cancel()
    await asyncio.wait({first}, timeout=PATIENCE_S)
    assert "b.test" not in str(said(events))


async def test_sessions_run_side_by_side(transport: FramedTransport, events: Path) -> None:
    first, second = await opened(transport), await opened(transport)
    held = asyncio.ensure_future(transport.dispatch(first, navigate("hang")))
    await begun(events)
    assert isinstance(await transport.dispatch(second, READ), ReadResult)
    assert not held.done()
    held.cancel()
    await asyncio.wait({held}, timeout=PATIENCE_S)


async def test_closing_ends_every_session_and_what_is_under_way(
    transport: FramedTransport, events: Path
) -> None:
    session = await opened(transport)
    await opened(transport)
    held = asyncio.ensure_future(transport.dispatch(session, navigate("hang")))
    await begun(events)
    await asyncio.wait_for(asyncio.gather(transport.close(), transport.close()), PATIENCE_S)
    with pytest.raises(BrowserOperationError) as caught:
        await held
    assert caught.value.details.code == "cancelled"
    assert caught.value.details.mutation_state == "unknown"
    ended = said(events)
    assert ended.index("s0 cancelled hang") < ended.index("s0 close")
    assert {"s0 close", "s1 close"} <= set(ended)
    await transport.close()
    details = (await error_of(transport, session, READ)).details
    assert (details.code, details.mutation_state) == ("worker_gone", "not_attempted")
    with pytest.raises(BrowserOperationError):
        await transport.open(OpenRequest())


async def test_one_that_was_never_used_is_closed_as_well(transport: FramedTransport) -> None:
    await asyncio.wait_for(transport.close(), PATIENCE_S)


async def test_a_session_is_closed_once_and_again(transport: FramedTransport) -> None:
    session = await opened(transport)
    for _ in range(2):
        assert await transport.dispatch(session, CLOSE) == CloseResult()
