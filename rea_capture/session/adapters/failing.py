"""How an adapter says that it has no answer.

Below: ``contracts.runtime.errors``. Above: each adapter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.results import ObservedElement
from rea_capture.wording import listed, on_one_line, shortened

MAX_CANDIDATES_TOLD: Final = 8
MAX_CANDIDATE_CHARACTERS: Final = 60
"""A message is read, by a model perhaps; it is not to be the whole page again."""


def adapter_failed(message: str, recovery: str) -> BrowserOperationError:
    """The error of an adapter without an answer. Nothing was attempted."""
    return failure("act", "resolve", "adapter_failed", message, recovery=recovery)


def candidates(elements: Iterable[ObservedElement]) -> str:
    """``elements`` for a sentence, by role and name, bounded."""
    return listed(
        (
            f"{each.role} {shortened(on_one_line(each.name), MAX_CANDIDATE_CHARACTERS)!r} ({each.ref})"
            for each in elements
        ),
        MAX_CANDIDATES_TOLD,
    )
