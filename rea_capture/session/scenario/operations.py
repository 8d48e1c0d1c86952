"""An operation of a file as a request of the runtime, and what it may have changed when it fails on the way.

Below: ``tabs``, ``contracts.runtime``. Above: ``running``.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter

from rea_capture.contracts.runtime.errors import MutationState
from rea_capture.contracts.runtime.operation_table import maybe_changed
from rea_capture.contracts.runtime.operations import BrowserOperation, EvidenceOperationName
from rea_capture.contracts.runtime.policy import OperationContext, OriginPolicy, narrowed
from rea_capture.contracts.runtime.scenario_file import (
    FileAssert,
    FileCaptureEvidence,
    FileListTabs,
    FileNavigate,
    FileOperation,
    FileRead,
    FileWaitPopup,
    StepOperation,
)
from rea_capture.session.scenario.tabs import Tabs

_OPERATION: Final[TypeAdapter[BrowserOperation]] = TypeAdapter(BrowserOperation)


def name_of(operation: FileOperation) -> EvidenceOperationName:
    """What the runtime calls it: a step is an ``act``."""
    return "act" if isinstance(operation, StepOperation) else operation.op


def mutation_of(operation: FileOperation) -> MutationState:
    """What is known of the page when it was given up while it was under way."""
    return maybe_changed(name_of(operation))


def request_of(operation: FileOperation, tabs: Tabs, run_id: str) -> BrowserOperation:
    """The request of the runtime. Raises :class:`RunFailedError` for a tab that is not there."""
    name = name_of(operation)
    request = _fields_of(operation, tabs, name, run_id)
    told = {key: value for key, value in request.items() if value is not None}
    return _OPERATION.validate_python({"op": name, "request": told})


def context_of(operation: FileOperation, base: OriginPolicy) -> OperationContext | None:
    """What the call is narrowed to; None for nothing beyond the session's own policy, ``base``."""
    if operation.allowed_origins is None:
        return None
    allowed = narrowed(base, operation.allowed_origins)
    assert allowed is not None  # the rules of the file say so
    return OperationContext(allowed_origins=allowed)


def _fields_of(operation: FileOperation, tabs: Tabs, name: str, run_id: str) -> dict[str, Any]:
    if isinstance(operation, FileListTabs):
        return {"select": operation.request.select}
    if isinstance(operation, FileWaitPopup):
        return {"opener": tabs.handle(operation.request.opener, name)}
    reference = operation.tab if isinstance(operation, StepOperation) else operation.request.tab
    return {"tab": tabs.handle(reference, name), **_own_fields_of(operation, run_id)}


def _own_fields_of(operation: FileOperation, run_id: str) -> dict[str, Any]:
    match operation:
        case StepOperation():
            return {"step": operation.step}
        case FileRead():
            return {"wait": operation.request.wait}
        case FileAssert():
            return {"assertion": operation.request.assertion, "wait": operation.request.wait}
        case FileNavigate():
            return {"url": operation.request.url}
        case FileCaptureEvidence():
            return {"run_id": run_id, "include": operation.request.include}
    return {}
