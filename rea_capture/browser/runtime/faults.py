"""Failures of operations, with what to do about each, stated once.

Below: ``contracts.runtime``, ``redaction``. Above: every file of this package.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.runtime.errors import (
    BrowserErrorCode,
    BrowserErrorDetails,
    BrowserOperationError,
    MutationState,
    Phase,
    RetryClass,
)

_ADVICE: Final[dict[BrowserErrorCode, tuple[RetryClass, str]]] = {
    "invalid_request": ("after_change", "Correct the request."),
    "unavailable": ("after_change", "Correct the settings of the browser; `rea doctor` lists browsers."),
    "unsupported": ("after_change", "Ask for what is supported; the message says what is not."),
    "in_use": ("safe", "Wait until the other session is closed, or attach to another browser."),
    "browser_gone": ("never", "Close this session and open a new one."),
    "too_many": ("after_change", "Close a tab first."),
    "unknown_tab": ("after_change", "List the tabs and name one of them."),
    "stale_document": ("after_observe", "Observe again and use a ref of that observation."),
    "unknown_ref": ("after_observe", "Observe again and use a ref of that observation."),
    "not_actionable": ("after_observe", "Observe again; something else may have to be done first."),
    "origin_refused": ("after_change", "Stay within allowedOrigins, or allow that origin."),
    "navigation_failed": ("after_change", "See that the address can be reached, then navigate again."),
    "timeout": ("safe", "Look at the page, then decide whether to try again."),
    "cancelled": ("after_observe", "Look at the page before anything is done again."),
    "verification_failed": ("after_observe", "Observe again to see what the page did with it."),
    "postcondition_failed": ("after_observe", "Read the page; what was done is not undone."),
    "assertion_failed": ("safe", "Read the page to see what is there instead."),
    "no_popup": ("safe", "Do what opens the popup, then wait for it again."),
    "defect": ("never", "Report it with the message."),
}


def failure(
    operation: str,
    phase: Phase,
    code: BrowserErrorCode,
    message: str,
    mutation_state: MutationState = "not_attempted",
    *,
    recovery: str | None = None,
) -> BrowserOperationError:
    """The error to raise; ``message`` is redacted and bounded by now.

    What may have changed the page is never called safe to do again, whatever its code.
    """
    retry, advice = _ADVICE.get(code, ("never", "See the message."))
    if retry == "safe" and mutation_state != "not_attempted":
        retry = "after_observe"
    return BrowserOperationError(
        BrowserErrorDetails(
            operation=operation,
            phase=phase,
            code=code,
            message=message,
            recovery=recovery or advice,
            retry=retry,
            mutation_state=mutation_state,
        )
    )
