"""Every operation of the runtime, as it is asked for. None takes script, selector, raw CDP or a command.

Below: ``base``, ``policy``. Above: the transport, the runtime, scenario files.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from rea_capture.contracts.runtime.base import Handle, Name, NonEmptyText, RuntimeModel, TabId, Text
from rea_capture.contracts.runtime.budgets import MAX_TABS
from rea_capture.contracts.runtime.policy import HttpUrl, Origin, OriginPolicy

OperationName = Literal[
    "observe",
    "act",
    "read",
    "assert",
    "navigate",
    "reload",
    "listTabs",
    "selectTab",
    "waitPopup",
    "closeTab",
    "captureEvidence",
    "narrowOriginPolicy",
    "close",
]
OPERATIONS: Final[tuple[OperationName, ...]] = get_args(OperationName)

EvidenceOperationName = Literal[
    "observe",
    "act",
    "read",
    "assert",
    "navigate",
    "reload",
    "listTabs",
    "selectTab",
    "waitPopup",
    "closeTab",
    "captureEvidence",
    "narrowOriginPolicy",
]
"""What evidence may be labelled with: every operation but the session's ``close``."""

Wait = Literal["bounded", "none"]
"""``bounded``: look again until it holds, for :data:`READ_WAIT`; ``none``: look once."""


class UrlAssertion(RuntimeModel):
    """The address is ``value``, or has its origin."""

    kind: Literal["url"]
    match: Literal["exact", "origin"] = "exact"
    value: HttpUrl


class TitleAssertion(RuntimeModel):
    """The title is ``value``, or contains it."""

    kind: Literal["title"]
    match: Literal["exact", "contains"] = "exact"
    value: Text


class TextAssertion(RuntimeModel):
    """The rendered, visible text contains ``value``; runs of white space count as one space."""

    kind: Literal["text"]
    match: Literal["contains"] = "contains"
    value: NonEmptyText


Assertion = Annotated[UrlAssertion | TitleAssertion | TextAssertion, Field(discriminator="kind")]

ActionName = Literal["click", "fill", "select", "press", "check", "uncheck", "hover"]


class CredentialValue(RuntimeModel):
    """A value that the session has a source for; resolved only for the fill that uses it."""

    credential: Name


class Step(RuntimeModel):
    """One bounded action. With ``ref`` on that element; without, an adapter says which is meant."""

    instruction: NonEmptyText
    action: ActionName
    ref: Handle | None = None
    document_id: Handle | None = None
    """The document that the caller means; ``ref`` knows its own."""
    value: Text | CredentialValue | None = None
    """``fill``: what the element then holds; ``select``: the option's label or value; ``press``: the key."""
    postcondition: Assertion | None = None


class TabRequest(RuntimeModel):
    """A request about a tab: the selected one, unless ``tab`` names another."""

    tab: TabId | None = None


class ObserveRequest(TabRequest):
    """What can be acted on."""


class ActRequest(TabRequest):
    """Do one step."""

    step: Step


class ReadRequest(TabRequest):
    """Title, address and visible text."""

    wait: Wait = "none"


class AssertRequest(TabRequest):
    """Whether ``assertion`` holds; an error when it does not."""

    assertion: Assertion
    wait: Wait = "bounded"


class NavigateRequest(TabRequest):
    """Go to ``url``."""

    url: HttpUrl


class ReloadRequest(TabRequest):
    """Load the document again."""


class OriginPredicate(RuntimeModel):
    """Exactly one listed tab has this origin."""

    kind: Literal["origin"]
    origin: Origin


class IndexPredicate(RuntimeModel):
    """The tab at this place of the list."""

    kind: Literal["index"]
    index: Annotated[int, Field(ge=0, le=MAX_TABS - 1)]


TabPredicate = Annotated[OriginPredicate | IndexPredicate, Field(discriminator="kind")]


class ListTabsRequest(RuntimeModel):
    """The tabs whose origins are allowed, oldest first. ``select`` picks one, and switches nothing."""

    select: TabPredicate | None = None


class SelectTabRequest(RuntimeModel):
    """Make ``tab`` the selected one."""

    tab: TabId


class WaitPopupRequest(RuntimeModel):
    """A popup of ``opener`` (the selected tab) that no earlier call has given; the selection stays."""

    opener: TabId | None = None


class CloseTabRequest(RuntimeModel):
    """Close ``tab``."""

    tab: TabId


EvidenceKind = Literal["screenshot", "diagnostics", "evidence"]


class CaptureEvidenceRequest(TabRequest):
    """Keep what can be seen now. ``evidence`` is a whole Evidence document."""

    run_id: Name
    operation: EvidenceOperationName = "captureEvidence"
    include: Annotated[tuple[EvidenceKind, ...], Field(min_length=1)] = ("screenshot", "diagnostics")
    screenshot_timeout_ms: Annotated[int, Field(ge=1, le=60_000)] = 10_000


class NarrowOriginPolicyRequest(RuntimeModel):
    """Make a context for calls that may go to fewer origins."""

    allowed_origins: OriginPolicy


class CloseRequest(RuntimeModel):
    """End the session."""


class ObserveOperation(RuntimeModel):
    op: Literal["observe"]
    request: ObserveRequest = ObserveRequest()


class ActOperation(RuntimeModel):
    op: Literal["act"]
    request: ActRequest


class ReadOperation(RuntimeModel):
    op: Literal["read"]
    request: ReadRequest = ReadRequest()


class AssertOperation(RuntimeModel):
    op: Literal["assert"]
    request: AssertRequest


class NavigateOperation(RuntimeModel):
    op: Literal["navigate"]
    request: NavigateRequest


class ReloadOperation(RuntimeModel):
    op: Literal["reload"]
    request: ReloadRequest = ReloadRequest()


class ListTabsOperation(RuntimeModel):
    op: Literal["listTabs"]
    request: ListTabsRequest = ListTabsRequest()


class SelectTabOperation(RuntimeModel):
    op: Literal["selectTab"]
    request: SelectTabRequest


class WaitPopupOperation(RuntimeModel):
    op: Literal["waitPopup"]
    request: WaitPopupRequest = WaitPopupRequest()


class CloseTabOperation(RuntimeModel):
    op: Literal["closeTab"]
    request: CloseTabRequest


class CaptureEvidenceOperation(RuntimeModel):
    op: Literal["captureEvidence"]
    request: CaptureEvidenceRequest


class NarrowOriginPolicyOperation(RuntimeModel):
    op: Literal["narrowOriginPolicy"]
    request: NarrowOriginPolicyRequest


class CloseOperation(RuntimeModel):
    op: Literal["close"]
    request: CloseRequest = CloseRequest()


BrowserOperation = Annotated[
    ObserveOperation
    | ActOperation
    | ReadOperation
    | AssertOperation
    | NavigateOperation
    | ReloadOperation
    | ListTabsOperation
    | SelectTabOperation
    | WaitPopupOperation
    | CloseTabOperation
    | CaptureEvidenceOperation
    | NarrowOriginPolicyOperation
    | CloseOperation,
    Field(discriminator="op"),
]
"""A request of the runtime, by its ``op``."""
