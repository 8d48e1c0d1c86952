"""What each operation gives back.

Below: ``base``, ``errors``, ``policy``. Above: the runtime, the transport, scenario files.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rea_capture.contracts.runtime.base import Handle, Name, RuntimeModel, TabId
from rea_capture.contracts.runtime.errors import MutationState
from rea_capture.contracts.runtime.operations import ActionName, Assertion, EvidenceOperationName
from rea_capture.contracts.runtime.policy import OperationContext


class Tab(RuntimeModel):
    """A tab as it was at the time of the answer. ``documentId`` changes with each navigation and reload."""

    tab_id: Handle
    document_id: Handle
    title: str
    url: str
    origin: str | None = None
    """Absent for a page that has none, such as ``about:blank``."""
    selected: bool
    opener: TabId | None = None


class ElementState(RuntimeModel):
    """What else is known of an element; absent where it does not apply. Never what an input holds."""

    disabled: bool | None = None
    checked: Literal["true", "false", "mixed"] | None = None
    expanded: bool | None = None
    selected: bool | None = None
    pressed: Literal["true", "false", "mixed"] | None = None
    required: bool | None = None
    readonly: bool | None = None
    focused: bool | None = None


class ObservedElement(RuntimeModel):
    """An element that can be acted on. ``ref`` is good for this document only."""

    ref: Handle
    role: str
    name: str
    state: ElementState


class ObserveResult(RuntimeModel):
    """The visible interactive elements in the order of the document; ``omitted`` counts the rest."""

    tab: Tab
    elements: tuple[ObservedElement, ...]
    omitted: int
    limitations: tuple[str, ...] = ()


class ActResult(RuntimeModel):
    """What became of a step. ``verified`` only where it was seen: an exact value, or the postcondition."""

    tab: Tab
    action: ActionName
    ref: Handle
    mutation_state: Literal["verified", "unknown"]
    verified_by: Literal["value", "state", "postcondition"] | None = None
    adapter: str | None = None
    """The adapter that chose the element, where one did."""
    popups: tuple[TabId, ...] = ()
    """Popups that came up meanwhile; none is selected by that."""
    limitations: tuple[str, ...] = ()
    """What a page wanted meanwhile and did not get: dialogs that were dismissed, downloads."""


class ReadResult(RuntimeModel):
    """Rendered, visible text; ``omittedCharacters`` of it were left out at the end."""

    tab: Tab
    text: str
    omitted_characters: int
    limitations: tuple[str, ...] = ()


class AssertResult(RuntimeModel):
    """The assertion held."""

    tab: Tab
    assertion: Assertion
    held: Literal[True] = True


class NavigateResult(RuntimeModel):
    """The new document is loaded. ``status`` is that of its answer, absent where there was none."""

    tab: Tab
    status: int | None = None
    mutation_state: Literal["verified"] = "verified"


class ListTabsResult(RuntimeModel):
    """Allowed tabs, oldest first; ``omitted`` counts those of other origins and those beyond the bound."""

    tabs: tuple[Tab, ...]
    omitted: int
    matched: TabId | None = None
    """The tab that ``select`` picked."""


class SelectTabResult(RuntimeModel):
    """``tab`` is selected now."""

    tab: Tab


class WaitPopupResult(RuntimeModel):
    """A popup; the selection is as it was."""

    tab: Tab
    auto_switched: Literal[False] = False


class CloseTabResult(RuntimeModel):
    """``closed`` is no more; ``selected`` is the tab that is selected now, if any is left."""

    closed: TabId
    selected: Tab | None = None


class ConsoleEntry(RuntimeModel):
    """Alike messages of the console, counted."""

    level: str
    message: str
    count: int


class NetworkEntry(RuntimeModel):
    """A request by its origin alone: no path, query, header, cookie or body."""

    method: str
    origin: str
    status: int | None = None
    category: str
    """What it was for (``document``, ``script``, …), or how it failed (``failed``, ``blocked``)."""
    count: int


class Diagnostics(RuntimeModel):
    """What a diagnostics artifact holds. What was seen since the session began, redacted, the latest kept."""

    operation: EvidenceOperationName
    tab: Tab
    console: tuple[ConsoleEntry, ...]
    console_omitted: int
    network: tuple[NetworkEntry, ...]
    network_omitted: int
    limitations: tuple[str, ...]


ArtifactKind = Literal["screenshot", "diagnostics", "evidence"]
ContentType = Literal["image/png", "application/json"]


class ArtifactPayload(RuntimeModel):
    """An artifact on its way from the worker to its owner's store."""

    kind: ArtifactKind
    content_type: ContentType
    encoding: Literal["base64"] = "base64"
    data_base64: str
    byte_length: Annotated[int, Field(ge=0)]
    truncated: bool = False


class ArtifactOwner(RuntimeModel):
    """Whose an artifact is."""

    session_id: Handle
    run_id: Name
    operation: EvidenceOperationName


class ArtifactMetadata(RuntimeModel):
    """An artifact that is in the store: private, and never forwarded to anybody."""

    artifact_id: Handle
    owner: ArtifactOwner
    kind: ArtifactKind
    content_type: ContentType
    path: str
    byte_length: int
    sha256: str
    truncated: bool = False
    local_only: Literal[True] = True
    model_forwarded: Literal[False] = False


EvidenceStatus = Literal["complete", "partial", "unavailable"]


class CaptureEvidencePayload(RuntimeModel):
    """The answer of a worker: the bytes themselves."""

    status: EvidenceStatus
    artifacts: tuple[ArtifactPayload, ...]
    diagnostics: Diagnostics | None = None
    limitations: tuple[str, ...]


class CaptureEvidenceResult(RuntimeModel):
    """The answer of the runtime: what is in its store."""

    status: EvidenceStatus
    artifacts: tuple[ArtifactMetadata, ...]
    diagnostics: Diagnostics | None = None
    limitations: tuple[str, ...]


class NarrowOriginPolicyResult(RuntimeModel):
    """Pass ``context`` with the calls that it is meant for."""

    context: OperationContext


class CloseResult(RuntimeModel):
    """The session is over; ``problems`` says what could not be taken down."""

    problems: tuple[str, ...] = ()


class FailureEvidence(RuntimeModel):
    """What was kept of a failed operation. It never hides the failure."""

    status: EvidenceStatus
    artifacts: tuple[ArtifactMetadata, ...] = ()
    mutation_state: MutationState = "not_attempted"


OperationResult = (
    ObserveResult
    | ActResult
    | ReadResult
    | AssertResult
    | NavigateResult
    | ListTabsResult
    | SelectTabResult
    | WaitPopupResult
    | CloseTabResult
    | CaptureEvidencePayload
    | CaptureEvidenceResult
    | NarrowOriginPolicyResult
    | CloseResult
)
"""Any of them."""
