"""What the session tools take and answer: the runtime's own requests and results, and the session's id.

Below: ``contracts.runtime``. Above: ``catalogue``, which makes schemas of them, and ``tools``.
"""

from __future__ import annotations

from pydantic import Field

from rea_capture.contracts.runtime.base import Handle, RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.frames import OpenResult
from rea_capture.contracts.runtime.operations import (
    ActRequest,
    AssertRequest,
    CaptureEvidenceRequest,
    CloseTabRequest,
    ListTabsRequest,
    NarrowOriginPolicyRequest,
    NavigateRequest,
    ObserveRequest,
    ReadRequest,
    ReloadRequest,
    SelectTabRequest,
    WaitPopupRequest,
)
from rea_capture.contracts.runtime.policy import OperationContext


class OfSession(RuntimeModel):
    """Every call but the first: which session, and what this call is narrowed to."""

    session_id: Handle = Field(description="As session_open gave it.")
    context: OperationContext | None = Field(
        default=None,
        description="What this call alone is narrowed to, from session_narrow_origin_policy.",
    )


class ObserveCall(OfSession, ObserveRequest):
    """``session_observe``."""


class ActCall(OfSession, ActRequest):
    """``session_act``."""


class ReadCall(OfSession, ReadRequest):
    """``session_read``."""


class AssertCall(OfSession, AssertRequest):
    """``session_assert``."""


class NavigateCall(OfSession, NavigateRequest):
    """``session_navigate``."""


class ReloadCall(OfSession, ReloadRequest):
    """``session_reload``."""


class ListTabsCall(OfSession, ListTabsRequest):
    """``session_list_tabs``."""


class SelectTabCall(OfSession, SelectTabRequest):
    """``session_select_tab``."""


class WaitPopupCall(OfSession, WaitPopupRequest):
    """``session_wait_popup``."""


class CloseTabCall(OfSession, CloseTabRequest):
    """``session_close_tab``."""


class CaptureEvidenceCall(OfSession, CaptureEvidenceRequest):
    """``session_capture_evidence``."""


class NarrowCall(OfSession, NarrowOriginPolicyRequest):
    """``session_narrow_origin_policy``."""


class CloseCall(RuntimeModel):
    """``session_close``."""

    session_id: Handle = Field(description="As session_open gave it.")


class SessionOpened(OpenResult):
    """A session that is ready."""

    idle_lifetime_s: float = Field(description="Seconds without a call after which the session is closed.")


class SessionRefusal(RuntimeModel):
    """Why an operation failed, what it may have changed, and what to do."""

    error: BrowserErrorDetails
