"""How far an operation has come, for whoever has to say what it may have changed.

Below: ``contracts.runtime``. Above: ``session``, ``worker``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rea_capture.contracts.runtime.errors import MutationState

CHANGING: Final = frozenset({"open", "act", "navigate", "reload", "selectTab", "closeTab", "close"})
"""What may change a page, a tab or a session. The others only look, and a failed look has changed nothing."""


@dataclass(slots=True)
class Attempt:
    """One operation. From :meth:`begins` on, one that changes things may have done so."""

    operation: str
    mutation_state: MutationState = "not_attempted"

    def begins(self) -> None:
        """It is handed to the browser now."""
        if self.operation in CHANGING:
            self.mutation_state = "unknown"
