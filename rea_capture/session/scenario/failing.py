"""Failures of a run that are no operation's: of hooks, servers, budgets, and of whoever stops it.

Below: ``contracts.runtime.errors``. Above: the other files of this room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rea_capture.contracts.runtime import failing
from rea_capture.contracts.runtime.errors import (
    BrowserErrorCode,
    BrowserErrorDetails,
    BrowserOperationError,
    MutationState,
    Phase,
    RetryClass,
)

_ADVICE: Final[dict[BrowserErrorCode, tuple[RetryClass, str]]] = {
    "timeout": ("after_change", "Look at what took so long; budgets and timeouts are in the file."),
    "cancelled": ("safe", "Run the file again."),
    "unknown_tab": ("after_change", "Look at the results of the operation that the reference names."),
    "invalid_request": ("after_change", "Correct the file."),
}
"""What is to be done here, where it is not what is to be done about an operation of that code."""


class RunFailedError(BrowserOperationError):
    """A part of the run failed. ``output`` is what its program said last."""

    def __init__(self, details: BrowserErrorDetails, output: Sequence[str] = ()) -> None:
        super().__init__(details)
        self.output = tuple(output)


def failure(
    code: BrowserErrorCode,
    phase: Phase,
    message: str,
    *,
    operation: str | None = None,
    mutation_state: MutationState = "not_attempted",
    output: Sequence[str] = (),
) -> RunFailedError:
    """The failure as it is reported; ``output`` is repeated at the end of the message."""
    said = f"{message}; it last said: {' / '.join(output)}" if output else message
    retry, recovery = _ADVICE.get(code, (None, None))
    error = failing.failure(operation, phase, code, said, mutation_state, retry=retry, recovery=recovery)
    return RunFailedError(error.details, output)
