"""What a worker needs of a browser session. ``browser.runtime`` has the real one.

Every method raises :class:`BrowserOperationError`, and nothing else but ``CancelledError``; one is called
at a time. ``policy`` is what the call may reach: the session's own, narrowed by its context.

Below: ``contracts.runtime``. Above: the worker.
"""

from __future__ import annotations

from typing import Protocol

from rea_capture.contracts.runtime.operations import (
    ActRequest,
    AssertRequest,
    CaptureEvidenceRequest,
    CloseTabRequest,
    ListTabsRequest,
    NavigateRequest,
    ObserveRequest,
    ReadRequest,
    ReloadRequest,
    SelectTabRequest,
    WaitPopupRequest,
)
from rea_capture.contracts.runtime.policy import OriginPolicy
from rea_capture.contracts.runtime.results import (
    ActResult,
    AssertResult,
    CaptureEvidencePayload,
    CloseTabResult,
    ListTabsResult,
    NavigateResult,
    ObserveResult,
    ReadResult,
    SelectTabResult,
    Tab,
    WaitPopupResult,
)


class Live(Protocol):
    """A browser session that is open."""

    @property
    def product(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def limitations(self) -> tuple[str, ...]: ...

    async def selected_tab(self) -> Tab: ...

    async def observe(self, request: ObserveRequest, policy: OriginPolicy) -> ObserveResult: ...

    async def act(self, request: ActRequest, policy: OriginPolicy, value: str | None) -> ActResult:
        """Do ``request.step``, whose ``ref`` is set; ``value`` is its value, resolved."""
        ...

    async def read(self, request: ReadRequest, policy: OriginPolicy) -> ReadResult: ...

    async def assert_(self, request: AssertRequest, policy: OriginPolicy) -> AssertResult: ...

    async def navigate(self, request: NavigateRequest, policy: OriginPolicy) -> NavigateResult: ...

    async def reload(self, request: ReloadRequest, policy: OriginPolicy) -> NavigateResult: ...

    async def list_tabs(self, request: ListTabsRequest, policy: OriginPolicy) -> ListTabsResult: ...

    async def select_tab(self, request: SelectTabRequest, policy: OriginPolicy) -> SelectTabResult: ...

    async def wait_popup(self, request: WaitPopupRequest, policy: OriginPolicy) -> WaitPopupResult: ...

    async def close_tab(self, request: CloseTabRequest, policy: OriginPolicy) -> CloseTabResult: ...

    async def capture_evidence(
        self, request: CaptureEvidenceRequest, policy: OriginPolicy
    ) -> CaptureEvidencePayload: ...

    def redact(self, secret_id: str, value: str) -> None:
        """From now on, nothing that is said or kept of this session shows ``value``."""
        ...

    async def close(self) -> tuple[str, ...]:
        """End the session; sentences for what went wrong. Never raises, takes :data:`TEARDOWN_MS` at most."""
        ...
