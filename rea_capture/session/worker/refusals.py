"""What the worker, or the way to it, says of an operation that did not come to be.

Below: ``contracts.runtime.errors``. Above: the other files of this room, and ``transport``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rea_capture.contracts.runtime.errors import (
    BrowserErrorCode,
    BrowserErrorDetails,
    BrowserFault,
    BrowserOperationError,
    MutationState,
    Phase,
    RetryClass,
)
from rea_capture.errors import Fault
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import on_one_line, shortened

MAX_FAULTS_TOLD: Final = 50
"""Faults of one request that are told; nobody reads more, and the rest is counted."""

_ADVICE: Final[dict[BrowserErrorCode, tuple[RetryClass, str]]] = {
    "invalid_request": ("after_change", "Correct what each pointer names as its sentence says."),
    "unknown_operation": ("after_change", "Use one of the operations that the message lists."),
    "unknown_session": ("after_change", "Use a sessionId that open has answered with in this worker."),
    "session_closed": ("after_change", "Open another session."),
    "too_many": ("after_change", "Wait for answers, or close sessions, then ask again."),
    "unavailable": ("after_change", "Provide what the message names, then ask again."),
    "worker_gone": ("never", "Start another worker and open another session in it."),
    "origin_refused": ("after_change", "Ask for origins that the session's own policy allows."),
    "timeout": ("after_observe", "Look at the page, then decide whether to try again."),
    "cancelled": ("after_observe", "Look at the page before anything is done again."),
    "adapter_missing": ("after_change", "Give the step a ref, or open the session with an adapter."),
    "adapter_failed": ("after_change", "Give the step a ref of an observation."),
    "credential_unavailable": ("after_change", "Name a credential that the session was opened with."),
    "artifact_failed": ("after_change", "Ask for fewer artifacts at a time."),
    "defect": ("never", "Report it with the message and the request that led to it."),
}


def refusal(
    operation: str | None,
    phase: Phase,
    code: BrowserErrorCode,
    message: str,
    mutation_state: MutationState = "not_attempted",
    *,
    faults: Iterable[Fault] = (),
) -> BrowserOperationError:
    """The error to raise; ``message`` is put on one line and bounded here, and is redacted by now."""
    retry, recovery = _ADVICE[code]
    return BrowserOperationError(
        BrowserErrorDetails(
            operation=operation,
            phase=phase,
            code=code,
            message=_bounded(message),
            recovery=recovery,
            retry=retry,
            mutation_state=mutation_state,
            faults=_told(tuple(faults)),
        )
    )


def _told(faults: tuple[Fault, ...]) -> tuple[BrowserFault, ...]:
    told = tuple(
        BrowserFault(pointer=shortened(each.pointer, MAX_SENTENCE_CHARACTERS), message=_bounded(each.message))
        for each in faults[:MAX_FAULTS_TOLD]
    )
    rest = len(faults) - len(told)
    return told if rest <= 0 else (*told, BrowserFault(pointer="", message=f"has {rest:,} more faults"))


def _bounded(text: str) -> str:
    return shortened(on_one_line(text), MAX_SENTENCE_CHARACTERS)
