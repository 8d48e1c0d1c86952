"""How far an operation has come, for whoever has to say what it may have changed.

Below: ``contracts.runtime``. Above: ``session``, ``worker``.
"""

from __future__ import annotations

from dataclasses import dataclass

from rea_capture.contracts.runtime.errors import MutationState
from rea_capture.contracts.runtime.operation_table import maybe_changed


@dataclass(slots=True)
class Attempt:
    """One operation. From :meth:`begins` on, one that changes things may have done so."""

    operation: str
    mutation_state: MutationState = "not_attempted"

    def begins(self) -> None:
        """It is handed to the browser now."""
        self.mutation_state = maybe_changed(self.operation)
