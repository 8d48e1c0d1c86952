"""A browser that a program drives step by step.

    async with await BrowserRuntime.open() as browser:
        await browser.navigate("http://127.0.0.1:8000/")
        seen = await browser.observe()
        await browser.act("Log in", action="click", ref=seen.elements[0].ref)

Here is a method for each operation; the browser itself is the worker's, behind a transport.

Below: ``asking``, ``driven``. Above: programs, scenario files, MCP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.operations import (
    ActionName,
    ActRequest,
    Assertion,
    AssertRequest,
    CaptureEvidenceRequest,
    CloseTabRequest,
    CredentialValue,
    EvidenceKind,
    EvidenceOperationName,
    ListTabsRequest,
    NarrowOriginPolicyRequest,
    NavigateRequest,
    ObserveRequest,
    ReadRequest,
    ReloadRequest,
    SelectTabRequest,
    Step,
    TabPredicate,
    Wait,
    WaitPopupRequest,
)
from rea_capture.contracts.runtime.results import (
    ActResult,
    AssertResult,
    CaptureEvidenceResult,
    CloseTabResult,
    ListTabsResult,
    NarrowOriginPolicyResult,
    NavigateResult,
    ObserveResult,
    ReadResult,
    SelectTabResult,
    WaitPopupResult,
)
from rea_capture.session.asking import made, operation_of
from rea_capture.session.driven import DrivenSession, expected
from rea_capture.session.saying import ContextLike, TabLike, context_of, tab_id

Result = TypeVar("Result", bound=RuntimeModel)


class BrowserRuntime(DrivenSession):
    """A browser session, made by :meth:`open`.

    Every operation takes a request, or its fields by keyword, and ``context``, what this one call is
    narrowed to: the result of :meth:`narrow_origin_policy`, its ``context``, or a mapping of the same. A tab
    is a ``Tab`` of a result or its ``tab_id``. Calls are done one after the other. Every failure is a
    :class:`BrowserOperationError`, whose ``details`` say what became of the page.
    """

    async def observe(
        self,
        request: ObserveRequest | None = None,
        *,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> ObserveResult:
        """The visible elements that can be acted on, with a ``ref`` each, good for this document."""
        asked = made("observe", ObserveRequest, request, tab=tab_id(tab))
        return await self._result("observe", asked, ObserveResult, context)

    async def act(
        self,
        step: ActRequest | Step | str,
        *,
        action: ActionName | None = None,
        ref: str | None = None,
        document_id: str | None = None,
        value: str | CredentialValue | Mapping[str, str] | None = None,
        postcondition: Assertion | Mapping[str, Any] | None = None,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> ActResult:
        """Do one step, once. ``step`` may be its instruction, with the step's fields by keyword."""
        fields = {
            "action": action,
            "ref": ref,
            "document_id": document_id,
            "value": value,
            "postcondition": postcondition,
        }
        if isinstance(step, ActRequest):
            asked = made("act", ActRequest, step, tab=tab_id(tab), **fields)
        else:
            given = step if isinstance(step, Step) else None
            instruction = None if given else step
            whole = made("act", Step, given, instruction=instruction, **fields)
            asked = made("act", ActRequest, None, step=whole, tab=tab_id(tab))
        return await self._result("act", asked, ActResult, context)

    async def read(
        self,
        request: ReadRequest | None = None,
        *,
        wait: Wait | None = None,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> ReadResult:
        """Title, address and visible text. Never what inputs hold, hidden text or HTML."""
        asked = made("read", ReadRequest, request, wait=wait, tab=tab_id(tab))
        return await self._result("read", asked, ReadResult, context)

    async def assert_(
        self,
        assertion: AssertRequest | Assertion | Mapping[str, Any],
        *,
        wait: Wait | None = None,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> AssertResult:
        """That ``assertion`` holds; else the error ``assertion_failed``. Changes nothing."""
        if isinstance(assertion, AssertRequest):
            asked = made("assert", AssertRequest, assertion, wait=wait, tab=tab_id(tab))
        else:
            asked = made("assert", AssertRequest, None, assertion=assertion, wait=wait, tab=tab_id(tab))
        return await self._result("assert", asked, AssertResult, context)

    async def navigate(
        self,
        url: NavigateRequest | str,
        *,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> NavigateResult:
        """Go to ``url``, HTTP(S) and without credentials, whose origin the policy allows."""
        request = url if isinstance(url, NavigateRequest) else None
        address = None if request else url
        asked = made("navigate", NavigateRequest, request, url=address, tab=tab_id(tab))
        return await self._result("navigate", asked, NavigateResult, context)

    async def reload(
        self,
        request: ReloadRequest | None = None,
        *,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> NavigateResult:
        """Load the document again; its refs are good no more."""
        asked = made("reload", ReloadRequest, request, tab=tab_id(tab))
        return await self._result("reload", asked, NavigateResult, context)

    async def list_tabs(
        self,
        request: ListTabsRequest | None = None,
        *,
        select: TabPredicate | Mapping[str, Any] | None = None,
        context: ContextLike = None,
    ) -> ListTabsResult:
        """The tabs whose origins are allowed, oldest first. ``select`` picks one and selects none."""
        asked = made("listTabs", ListTabsRequest, request, select=select)
        return await self._result("listTabs", asked, ListTabsResult, context)

    async def select_tab(
        self, tab: SelectTabRequest | TabLike, *, context: ContextLike = None
    ) -> SelectTabResult:
        """From now on, ``tab`` is meant where no tab is named."""
        request, named = (tab, None) if isinstance(tab, SelectTabRequest) else (None, tab_id(tab))
        asked = made("selectTab", SelectTabRequest, request, tab=named)
        return await self._result("selectTab", asked, SelectTabResult, context)

    async def wait_popup(
        self,
        request: WaitPopupRequest | None = None,
        *,
        opener: TabLike | None = None,
        context: ContextLike = None,
    ) -> WaitPopupResult:
        """A popup that no earlier call has given. It is not selected by that."""
        asked = made("waitPopup", WaitPopupRequest, request, opener=tab_id(opener))
        return await self._result("waitPopup", asked, WaitPopupResult, context)

    async def close_tab(
        self, tab: CloseTabRequest | TabLike, *, context: ContextLike = None
    ) -> CloseTabResult:
        """Close ``tab``."""
        request, named = (tab, None) if isinstance(tab, CloseTabRequest) else (None, tab_id(tab))
        asked = made("closeTab", CloseTabRequest, request, tab=named)
        return await self._result("closeTab", asked, CloseTabResult, context)

    async def capture_evidence(
        self,
        run_id: CaptureEvidenceRequest | str,
        *,
        operation: EvidenceOperationName | None = None,
        include: Sequence[EvidenceKind] | None = None,
        screenshot_timeout_ms: int | None = None,
        tab: TabLike | None = None,
        context: ContextLike = None,
    ) -> CaptureEvidenceResult:
        """Keep what can be seen now, in the store, under ``run_id``."""
        request = run_id if isinstance(run_id, CaptureEvidenceRequest) else None
        asked = made(
            "captureEvidence",
            CaptureEvidenceRequest,
            request,
            run_id=None if request else run_id,
            operation=operation,
            include=None if include is None else tuple(include),
            screenshot_timeout_ms=screenshot_timeout_ms,
            tab=tab_id(tab),
        )
        return await self._result("captureEvidence", asked, CaptureEvidenceResult, context)

    async def narrow_origin_policy(
        self,
        allowed_origins: NarrowOriginPolicyRequest | Sequence[str],
        *,
        context: ContextLike = None,
    ) -> NarrowOriginPolicyResult:
        """A ``context`` to pass with the calls that it is meant for; the session's policy stays."""
        request = allowed_origins if isinstance(allowed_origins, NarrowOriginPolicyRequest) else None
        origins = allowed_origins if request is None else None
        asked = made("narrowOriginPolicy", NarrowOriginPolicyRequest, request, allowed_origins=origins)
        return await self._result("narrowOriginPolicy", asked, NarrowOriginPolicyResult, context)

    async def _result(
        self, op: str, request: RuntimeModel, kind: type[Result], context: ContextLike
    ) -> Result:
        return expected(op, await self.dispatch(operation_of(op, request), context_of(op, context)), kind)
