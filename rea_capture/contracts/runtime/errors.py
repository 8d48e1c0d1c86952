"""What is said of an operation that failed: always safe to report, and always what it may have changed.

Below: ``base``. Above: everybody who runs operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.errors import Fault, ReaError

if TYPE_CHECKING:
    from rea_capture.contracts.runtime.results import FailureEvidence

MutationState = Literal["not_attempted", "verified", "unknown"]
"""Whether the page was changed: nothing was tried, the change was seen, or nobody knows."""

RetryClass = Literal["safe", "after_observe", "after_change", "never"]
"""``safe``: as it is; ``after_observe``: look again first; ``after_change``: correct the request or the
configuration first; ``never``: it would fail again, or do something twice."""

Phase = Literal[
    "request", "policy", "startup", "resolve", "execute", "verify", "capture", "shutdown", "transport"
]

BrowserErrorCode = Literal[
    "invalid_request",
    "unknown_operation",
    "unknown_session",
    "session_closed",
    "session_expired",
    "too_many",
    "unavailable",
    "unsupported",
    "in_use",
    "browser_gone",
    "worker_gone",
    "unknown_tab",
    "stale_document",
    "unknown_ref",
    "not_actionable",
    "origin_refused",
    "navigation_failed",
    "timeout",
    "cancelled",
    "verification_failed",
    "postcondition_failed",
    "assertion_failed",
    "no_popup",
    "adapter_missing",
    "adapter_failed",
    "credential_unavailable",
    "artifact_failed",
    "hook_failed",
    "server_failed",
    "defect",
]


class BrowserFault(RuntimeModel):
    """One thing wrong with a request; ``pointer`` is a JSON Pointer into it."""

    pointer: str
    message: str


class BrowserErrorDetails(RuntimeModel):
    """A failure as it is reported. ``operation`` is null for what is no operation, such as a bad line."""

    operation: str | None = None
    phase: Phase
    code: BrowserErrorCode
    message: str
    """What happened and where, in one sentence, without anything secret."""
    recovery: str
    """What to do about it."""
    retry: RetryClass
    mutation_state: MutationState
    faults: tuple[BrowserFault, ...] = Field(default=())


class BrowserOperationError(ReaError):
    """An operation failed. ``details`` is all there is to say; no raw exception is behind it.

    ``code``, ``recovery`` and ``faults`` are those of the details.
    """

    code = "browser_operation"
    exit_status: ClassVar[int] = 69

    def __init__(self, details: BrowserErrorDetails) -> None:
        super().__init__(details.message, [Fault(each.pointer, each.message) for each in details.faults])
        self.details = details
        self.code = details.code
        self.recovery = details.recovery
        self.evidence: FailureEvidence | None = None
        """What was kept of the failure, where the session keeps such evidence."""

    def __str__(self) -> str:
        return f"{self.message} {self.recovery}".strip()
