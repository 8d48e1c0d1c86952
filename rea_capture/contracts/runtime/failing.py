"""Failures of operations, and what to do about each: one way to make them, and one table of advice.

Below: ``errors``. Above: everybody who runs operations.
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

ADVICE: Final[dict[BrowserErrorCode, tuple[RetryClass, str]]] = {
    "invalid_request": ("after_change", "Correct the request as the message and each of the faults say."),
    "unknown_operation": ("after_change", "Use one of the operations that the message lists."),
    "unknown_session": ("after_change", "Use a sessionId that open has answered with in this worker."),
    "session_closed": ("after_change", "Open another session."),
    "session_expired": ("after_change", "Open another session."),
    "too_many": ("after_change", "Wait for answers, or close tabs or sessions, then ask again."),
    "unavailable": ("after_change", "Provide what the message names; `rea doctor` lists browsers."),
    "unsupported": ("after_change", "Ask for what is supported; the message says what is not."),
    "in_use": ("safe", "Wait until the other session is closed, or attach to another browser."),
    "browser_gone": ("never", "Close this session and open a new one."),
    "worker_gone": ("never", "Start another worker and open another session in it."),
    "unknown_tab": ("after_change", "List the tabs and name one of them."),
    "stale_document": ("after_observe", "Observe again and use a ref of that observation."),
    "unknown_ref": ("after_observe", "Observe again and use a ref of that observation."),
    "not_actionable": ("after_observe", "Observe again; something else may have to be done first."),
    "origin_refused": ("after_change", "Stay within allowedOrigins, or allow that origin."),
    "navigation_failed": ("after_change", "See that the address can be reached, then navigate again."),
    "timeout": ("safe", "Look at the page, then decide whether to try again."),
    "cancelled": (
        "safe",
        "Ask again if it is wanted; look first where the page may have changed.",
    ),
    "verification_failed": ("after_observe", "Observe again to see what the page did with it."),
    "postcondition_failed": ("after_observe", "Read the page; what was done is not undone."),
    "assertion_failed": ("safe", "Read the page to see what is there instead."),
    "no_popup": ("safe", "Do what opens the popup, then wait for it again."),
    "adapter_missing": ("after_change", "Give the step a ref, or open the session with an adapter."),
    "adapter_failed": ("after_change", "Give the step a ref of an observation."),
    "credential_unavailable": (
        "after_change",
        "Provide what the message names, where the session's worker runs; then ask again.",
    ),
    "artifact_failed": (
        "after_change",
        "Make room, name another private folder for artifacts, or ask for fewer; then ask again.",
    ),
    "hook_failed": ("after_change", "Correct the hook, or the machine it runs on; run it by itself first."),
    "server_failed": ("after_change", "Correct the server or its readiness; start it by itself first."),
    "defect": ("never", "Report it with the message and the request that led to it."),
}
"""For each code, whether to ask again while the page is as it was, and what to do about it."""


def failure(
    operation: str | None,
    phase: Phase,
    code: BrowserErrorCode,
    message: str,
    mutation_state: MutationState = "not_attempted",
    *,
    recovery: str | None = None,
    retry: RetryClass | None = None,
    faults: Iterable[Fault] = (),
    advice_of: BrowserErrorCode | None = None,
) -> BrowserOperationError:
    """The error to raise. ``message`` is redacted by now, and is put on one line and bounded here.

    What to do about it is what :data:`ADVICE` has for ``advice_of``, by default for ``code``, except for what
    is said here. What may have changed the page is never called safe to do again, whoever says so.
    """
    advised_retry, advised_recovery = ADVICE[advice_of or code]
    retry = retry or advised_retry
    if retry == "safe" and mutation_state != "not_attempted":
        retry = "after_observe"
    return BrowserOperationError(
        BrowserErrorDetails(
            operation=operation,
            phase=phase,
            code=code,
            message=_bounded(message),
            recovery=recovery or advised_recovery,
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
