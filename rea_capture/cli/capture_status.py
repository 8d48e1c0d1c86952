"""The exit status of a capture whose Evidence was written.

Below: ``signals``. Above: ``capture_command``, ``stream``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rea_capture.cli.signals import STATUS_OF_SIGNAL

if TYPE_CHECKING:
    from rea_capture.contracts.capture_evidence import CaptureEvidence

INCOMPLETE_STATUS: Final = 2
"""As of a comparison that cannot say: one of such a capture finds a change, or comes to just that."""


def exit_status(evidence: CaptureEvidence, signal: int | None, *, require_complete: bool) -> int:
    """The status of a capture, which ``signal`` has ended if it is not None.

    A failed action is an observation and no error, so that is 0 unless ``require_complete`` asks for more.
    """
    if signal is not None:
        return STATUS_OF_SIGNAL + signal
    complete = evidence.normalized_result.completeness.status == "complete"
    return 0 if complete or not require_complete else INCOMPLETE_STATUS
