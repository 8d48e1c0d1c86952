"""The session tools: the arguments of a call in, the runtime's result or refusal out.

Below: ``sessions``, ``messages``. Above: ``tools``.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import mcp_types as types

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.operations import (
    ActRequest,
    AssertRequest,
    CaptureEvidenceRequest,
    CloseOperation,
    CloseTabRequest,
    ListTabsRequest,
    NarrowOriginPolicyRequest,
    NavigateRequest,
    ObserveRequest,
    ReadRequest,
    ReloadRequest,
    SelectTabRequest,
    WaitPopupRequest,
)
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.errors import InputError
from rea_capture.mcp_server import catalogue
from rea_capture.mcp_server.arguments import read_arguments
from rea_capture.mcp_server.browsing import messages
from rea_capture.mcp_server.browsing.sessions import BrowserSessions
from rea_capture.mcp_server.limits import MAX_DETAILS
from rea_capture.session.asking import operation_of


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """What a session tool has to say."""

    record: RuntimeModel

    def result(self, _: str) -> types.CallToolResult:
        """As the protocol carries it: structured, and the same as text."""
        plain = self.record.wire()
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            structured_content=plain,
            is_error=isinstance(self.record, messages.SessionRefusal),
        )


SessionTool = Callable[[BrowserSessions, dict[str, Any]], Awaitable[SessionAnswer]]


@dataclass(frozen=True, slots=True)
class Operation:
    """A tool's operation, its arguments, and the request in them."""

    op: str
    call: type[messages.OfSession]
    request: type[RuntimeModel]


OPERATIONS: Final[Mapping[str, Operation]] = {
    catalogue.SESSION_OBSERVE: Operation("observe", messages.ObserveCall, ObserveRequest),
    catalogue.SESSION_ACT: Operation("act", messages.ActCall, ActRequest),
    catalogue.SESSION_READ: Operation("read", messages.ReadCall, ReadRequest),
    catalogue.SESSION_ASSERT: Operation("assert", messages.AssertCall, AssertRequest),
    catalogue.SESSION_NAVIGATE: Operation("navigate", messages.NavigateCall, NavigateRequest),
    catalogue.SESSION_RELOAD: Operation("reload", messages.ReloadCall, ReloadRequest),
    catalogue.SESSION_LIST_TABS: Operation("listTabs", messages.ListTabsCall, ListTabsRequest),
    catalogue.SESSION_SELECT_TAB: Operation("selectTab", messages.SelectTabCall, SelectTabRequest),
    catalogue.SESSION_WAIT_POPUP: Operation("waitPopup", messages.WaitPopupCall, WaitPopupRequest),
    catalogue.SESSION_CLOSE_TAB: Operation("closeTab", messages.CloseTabCall, CloseTabRequest),
    catalogue.SESSION_EVIDENCE: Operation(
        "captureEvidence", messages.CaptureEvidenceCall, CaptureEvidenceRequest
    ),
    catalogue.SESSION_NARROW: Operation("narrowOriginPolicy", messages.NarrowCall, NarrowOriginPolicyRequest),
}
"""The tools that are operations of a session."""


async def _open(sessions: BrowserSessions, arguments: dict[str, Any]) -> RuntimeModel:
    read_arguments(arguments, SessionSettings)  # strictly, so that a fault points into what was sent
    opened = await sessions.open(arguments)
    fields = {name: getattr(opened, name) for name in type(opened).model_fields}
    return messages.SessionOpened(**fields, idle_lifetime_s=sessions.idle_s)


async def _operate(
    operation: Operation, sessions: BrowserSessions, arguments: dict[str, Any]
) -> RuntimeModel:
    call = read_arguments(arguments, operation.call)
    names = operation.request.model_fields
    request = operation.request.model_construct(**{name: getattr(call, name) for name in names})
    asked = operation_of(operation.op, request)
    return await sessions.dispatch(call.session_id, asked, call.context)


async def _close(sessions: BrowserSessions, arguments: dict[str, Any]) -> RuntimeModel:
    call = read_arguments(arguments, messages.CloseCall)
    return await sessions.dispatch(call.session_id, CloseOperation(op="close"), None)


async def _answered(
    op: str,
    tool: Callable[[BrowserSessions, dict[str, Any]], Awaitable[RuntimeModel]],
    sessions: BrowserSessions,
    arguments: dict[str, Any],
) -> SessionAnswer:
    try:
        return SessionAnswer(await tool(sessions, arguments))
    except BrowserOperationError as error:
        return SessionAnswer(messages.SessionRefusal(error=error.details))
    except InputError as error:
        return SessionAnswer(messages.SessionRefusal(error=_invalid(op, error)))


def _invalid(op: str, error: InputError) -> BrowserErrorDetails:
    faults = error.faults[:MAX_DETAILS]
    recovery = error.recovery
    return failure(op, "request", "invalid_request", error.message, recovery=recovery, faults=faults).details


SESSION_TOOLS: Final[Mapping[str, SessionTool]] = {
    catalogue.SESSION_OPEN: partial(_answered, "open", _open),
    **{
        name: partial(_answered, operation.op, partial(_operate, operation))
        for name, operation in OPERATIONS.items()
    },
    catalogue.SESSION_CLOSE: partial(_answered, "close", _close),
}
"""Every session tool by its name."""
