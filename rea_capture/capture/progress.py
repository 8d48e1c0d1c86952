"""What a capture tells while it runs; each record reads as one sentence.

Below: ``contracts``. Above: the runner and the workflows, which send these, and whoever shows them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the command line shows progress, and its --help need not wait for the contracts
    from rea_capture.contracts.artifacts import Artifacts
    from rea_capture.contracts.capture import Completeness
    from rea_capture.contracts.step_kinds import ActionKind


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step is under way."""

    step_index: int
    """0 is the start page."""
    action_count: int
    """Actions of the scenario, the index of its last step."""
    step_id: str
    action: ActionKind

    def __str__(self) -> str:
        return f"step {self.step_index} of {self.action_count}: {self.step_id} ({self.action})"


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step that was executed is over, and its artifacts are read."""

    step_index: int
    action_count: int
    step_id: str
    action: ActionKind
    status: Literal["completed", "failed", "cancelled"]
    error: str | None
    elapsed_ms: int
    artifacts: Artifacts
    completeness: Completeness
    """As far as it is known by now: what is still under way may yet turn out to be missed."""

    def __str__(self) -> str:
        reason = f": {self.error}" if self.error else ""
        return f"step {self.step_index} of {self.action_count}: {self.step_id} {self.status}{reason}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why nothing happens, such as a page that another capture has; for everybody, not only who watches."""

    sentence: str

    def __str__(self) -> str:
        return self.sentence


Progress = StepStarted | StepFinished | Waiting
Tell = Callable[[Progress], None]
"""Gets each record as it comes, in the order of the run, and returns soon."""


def nobody(_: Progress) -> None:
    """Progress that nobody asked for."""
