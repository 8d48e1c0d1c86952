"""Failures of operations, as the files of this package make them.

Below: ``contracts.runtime.failing``. Above: every file of this package.
"""

from __future__ import annotations

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import shortened

__all__ = ["failure", "with_remarks"]


def with_remarks(error: BrowserOperationError, remarks: tuple[str, ...]) -> BrowserOperationError:
    """``error``, whose message says too what may have been the cause, if there is something."""
    if not remarks:
        return error
    message = shortened(" ".join((error.details.message, *remarks)), MAX_SENTENCE_CHARACTERS)
    return BrowserOperationError(error.details.model_copy(update={"message": message}))
