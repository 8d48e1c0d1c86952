"""Failures of a run that are no operation's: of hooks, servers, budgets, and of whoever stops it.

Below: ``contracts.runtime.errors``. Above: the other files of this room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rea_capture.contracts.runtime.errors import (
    BrowserErrorCode,
    BrowserErrorDetails,
    BrowserOperationError,
    MutationState,
    Phase,
)
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import on_one_line, shortened

_RECOVERIES: Final[dict[BrowserErrorCode, str]] = {
    "hook_failed": "Correct the hook, or the machine it runs on; run it by itself to see all that it says.",
    "server_failed": "Correct the server or its readiness; start it by itself to see all that it says.",
    "timeout": "Look at what took so long; budgets and timeouts are in the file.",
    "cancelled": "Run the file again.",
    "unknown_tab": "Look at the results of the operation that the reference names.",
    "invalid_request": "Correct the file.",
}


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
    details = BrowserErrorDetails(
        operation=operation,
        phase=phase,
        code=code,
        message=shortened(on_one_line(said), MAX_SENTENCE_CHARACTERS),
        recovery=_RECOVERIES[code],
        retry="after_change" if code != "cancelled" else "safe",
        mutation_state=mutation_state,
    )
    return RunFailedError(details, output)
