"""The lines of the transport: a request, and its one answer.

    {"id": "1", "op": "open", "request": {…}}                     → {"id": "1", "result": {"sessionId": …}}
    {"id": "2", "sessionId": "…", "op": "observe"}                → {"id": "2", "result": {…}}
    {"id": "3", "op": "cancel", "request": {"id": "2"}}           → {"id": "3", "result": {"cancelled": …}}
    {"id": "4", "sessionId": "…", "op": "close"}                  → {"id": "4", "result": {…}}

An answer has ``result`` or ``error``, never both; its ``id`` is the request's, or null where the line had
none that could be read.

Below: ``operations``, ``results``, ``settings``. Above: both sides of the transport.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from rea_capture.contracts.runtime.base import Handle, RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import Tab
from rea_capture.contracts.runtime.settings import SessionSettings

FrameId = Annotated[str, Field(min_length=1, max_length=128)]
"""The caller's own; not to be used twice while its request is under way."""


class Envelope(RuntimeModel):
    """What is read of a line first; ``request`` is then read as ``op`` demands."""

    id: FrameId
    op: str
    session_id: Handle | None = None
    request: dict[str, Any] = Field(default={})
    context: OperationContext | None = None


class OpenRequest(RuntimeModel):
    """``open``: a new session."""

    settings: SessionSettings = SessionSettings()
    configured: bool = False
    """Whether ``settings`` are all there is to say. Without it, what they leave out is what is configured
    where the worker runs."""


class OpenResult(RuntimeModel):
    """A session that is ready; its first tab is selected."""

    session_id: Handle
    protocol_version: Literal[1] = 1
    product: str
    version: str
    tab: Tab
    limitations: tuple[str, ...] = ()


class CancelRequest(RuntimeModel):
    """``cancel``: the request ``id``."""

    id: FrameId


class CancelResult(RuntimeModel):
    """Whether it was still under way; its own answer then is the error ``cancelled``."""

    cancelled: bool


class HelloFrame(RuntimeModel):
    """The worker's first line, before any request."""

    hello: Literal["rea-browser"] = "rea-browser"
    protocol_version: Literal[1] = 1
    rea_version: str


class AnswerFrame(RuntimeModel):
    """An answer: ``result`` is that of ``op``."""

    id: FrameId | None
    result: dict[str, Any] | None = None
    error: BrowserErrorDetails | None = None
