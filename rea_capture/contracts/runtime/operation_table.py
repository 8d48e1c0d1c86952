"""Each operation with its document and its result, and which of them change something.

Below: ``operations``, ``results``. Above: the runtime, the worker, the transport, scenario files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rea_capture.contracts.runtime import operations, results
from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.errors import MutationState


@dataclass(frozen=True, slots=True)
class Operation:
    """``asked`` is the whole document with ``op`` and ``request``; ``result`` is what a worker answers."""

    asked: type[Any]
    result: type[RuntimeModel]
    changes: bool = False
    """Whether it may change a page, a tab or a session. The others only look, and a look that failed has
    changed nothing."""


OPERATION_TABLE: Final[Mapping[str, Operation]] = {
    "observe": Operation(operations.ObserveOperation, results.ObserveResult),
    "act": Operation(operations.ActOperation, results.ActResult, changes=True),
    "read": Operation(operations.ReadOperation, results.ReadResult),
    "assert": Operation(operations.AssertOperation, results.AssertResult),
    "navigate": Operation(operations.NavigateOperation, results.NavigateResult, changes=True),
    "reload": Operation(operations.ReloadOperation, results.NavigateResult, changes=True),
    "listTabs": Operation(operations.ListTabsOperation, results.ListTabsResult),
    "selectTab": Operation(operations.SelectTabOperation, results.SelectTabResult, changes=True),
    "waitPopup": Operation(operations.WaitPopupOperation, results.WaitPopupResult),
    "closeTab": Operation(operations.CloseTabOperation, results.CloseTabResult, changes=True),
    "captureEvidence": Operation(operations.CaptureEvidenceOperation, results.CaptureEvidencePayload),
    "narrowOriginPolicy": Operation(operations.NarrowOriginPolicyOperation, results.NarrowOriginPolicyResult),
    "close": Operation(operations.CloseOperation, results.CloseResult, changes=True),
}

CHANGING: Final[frozenset[str]] = frozenset(
    {"open", *(name for name, each in OPERATION_TABLE.items() if each.changes)}
)
"""What may change something, by name; the opening of a session does, and is no operation of one."""


def maybe_changed(op: str) -> MutationState:
    """What is known of the page when ``op`` was begun and nobody knows how far it came."""
    return "unknown" if op in CHANGING else "not_attempted"
