"""Scenario files, version 1: operations with references between them, and what stands around them.

Below: ``operations``, ``settings``. Above: ``session.scenario``.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Discriminator, Field, Tag

from rea_capture.contracts.runtime.base import Name, NonEmptyText, RuntimeModel
from rea_capture.contracts.runtime.budgets import HOOK, MAX_OPERATIONS, MAX_TABS, RUN, SERVER_READINESS
from rea_capture.contracts.runtime.operations import (
    Assertion,
    EvidenceKind,
    ListTabsRequest,
    Step,
    Wait,
)
from rea_capture.contracts.runtime.policy import HttpUrl, OriginPolicy
from rea_capture.contracts.runtime.settings import MAX_ARGUMENTS, SessionSettings

MAX_ENVIRONMENT_VARIABLES: Final = 64

MAX_REFERENCE_INDEX: Final = 31
"""Of an operation that is referred to by its place; those after it are referred to by their id."""

TabIndex = Annotated[int, Field(ge=0, le=MAX_TABS - 1)]


class OperationById(RuntimeModel):
    id: Name


class OperationByIndex(RuntimeModel):
    index: Annotated[int, Field(ge=0, le=MAX_REFERENCE_INDEX)]


def _by(reference: Any) -> str:
    """Which of both is meant, so that a wrong one is told of that one only."""
    if isinstance(reference, dict):
        return "index" if "index" in reference and "id" not in reference else "id"
    return "index" if isinstance(reference, OperationByIndex) else "id"


OperationReference = Annotated[
    Annotated[OperationById, Tag("id")] | Annotated[OperationByIndex, Tag("index")], Discriminator(_by)
]


class InitialTab(RuntimeModel):
    """The tab that is selected when the first operation begins."""

    source: Literal["initial"]
    target: Literal["selected"] = "selected"


class OperationTab(RuntimeModel):
    """A tab that an earlier operation gave: ``selectTab``, ``waitPopup`` or ``listTabs``."""

    source: Literal["operation"]
    operation: OperationReference
    result: Literal["selectedTab", "popup", "listedTab"]
    index: TabIndex | None = None
    """For ``listedTab``: the place in the list; left out, the tab that its ``select`` picked."""


def _source(reference: Any) -> str:
    """Which is meant. The names are its own: ``operation`` is a field too, to which pointers would lead."""
    source = reference.get("source") if isinstance(reference, dict) else getattr(reference, "source", None)
    return "(initial)" if source == "initial" else "(operation)"


TabReference = Annotated[
    Annotated[InitialTab, Tag("(initial)")] | Annotated[OperationTab, Tag("(operation)")],
    Discriminator(_source),
]


class FileTabRequest(RuntimeModel):
    tab: TabReference | None = None


class FileReadRequest(FileTabRequest):
    wait: Wait = "none"


class FileAssertRequest(FileTabRequest):
    assertion: Assertion
    wait: Wait = "bounded"


class FileNavigateRequest(FileTabRequest):
    url: HttpUrl


class FileSelectTabRequest(RuntimeModel):
    tab: TabReference


class FileWaitPopupRequest(RuntimeModel):
    opener: TabReference | None = None


class FileEvidenceRequest(FileTabRequest):
    include: Annotated[tuple[EvidenceKind, ...], Field(min_length=1)] = ("screenshot", "diagnostics")


class _FileOperation(RuntimeModel):
    id: Name | None = None
    allowed_origins: OriginPolicy | None = None
    """What this one operation is narrowed to."""


class StepOperation(_FileOperation):
    op: Literal["step"]
    step: Step
    tab: TabReference | None = None


class FileObserve(_FileOperation):
    op: Literal["observe"]
    request: FileTabRequest = FileTabRequest()


class FileRead(_FileOperation):
    op: Literal["read"]
    request: FileReadRequest = FileReadRequest()


class FileAssert(_FileOperation):
    op: Literal["assert"]
    request: FileAssertRequest


class FileNavigate(_FileOperation):
    op: Literal["navigate"]
    request: FileNavigateRequest


class FileReload(_FileOperation):
    op: Literal["reload"]
    request: FileTabRequest = FileTabRequest()


class FileListTabs(_FileOperation):
    op: Literal["listTabs"]
    request: ListTabsRequest = ListTabsRequest()


class FileSelectTab(_FileOperation):
    op: Literal["selectTab"]
    request: FileSelectTabRequest


class FileWaitPopup(_FileOperation):
    op: Literal["waitPopup"]
    request: FileWaitPopupRequest = FileWaitPopupRequest()


class FileCloseTab(_FileOperation):
    op: Literal["closeTab"]
    request: FileSelectTabRequest


class FileCaptureEvidence(_FileOperation):
    op: Literal["captureEvidence"]
    request: FileEvidenceRequest = FileEvidenceRequest()


FileOperation = Annotated[
    StepOperation
    | FileObserve
    | FileRead
    | FileAssert
    | FileNavigate
    | FileReload
    | FileListTabs
    | FileSelectTab
    | FileWaitPopup
    | FileCloseTab
    | FileCaptureEvidence,
    Field(discriminator="op"),
]


class EnvironmentReference(RuntimeModel):
    """The value that the variable has where the file is run."""

    variable: NonEmptyText


class Command(RuntimeModel):
    """A program and its arguments, as the file's author wrote them. Never through a shell."""

    command: NonEmptyText
    args: Annotated[tuple[str, ...], Field(max_length=MAX_ARGUMENTS)] = ()
    cwd: NonEmptyText | None = None
    """Relative to the file's folder, which it also is by default."""
    env: Annotated[dict[str, EnvironmentReference], Field(max_length=MAX_ENVIRONMENT_VARIABLES)] = Field(
        default={}
    )
    """Variables beside the usual ones (PATH, HOME, LANG, …)."""


class Hook(Command):
    """A program that is waited for; a status other than 0 is a failure."""

    timeout_ms: Annotated[int, Field(ge=1, le=HOOK.ceiling_ms)] = HOOK.default_ms


class HttpReadiness(RuntimeModel):
    """A GET that a server answers when it is ready: with ``expectedStatus``, or any of 2xx and 3xx."""

    url: HttpUrl
    expected_status: Annotated[int, Field(ge=100, le=599)] | None = None
    timeout_ms: Annotated[int, Field(ge=1, le=SERVER_READINESS.ceiling_ms)] = SERVER_READINESS.default_ms


class ManagedServer(RuntimeModel):
    mode: Literal["managed"]
    start: Command
    readiness: HttpReadiness


class ExternalServer(RuntimeModel):
    mode: Literal["external"]
    readiness: HttpReadiness


class Fixture(RuntimeModel):
    """What is tested. The session's first tab goes to ``baseUrl`` before the first operation."""

    base_url: HttpUrl
    server: Annotated[ManagedServer | ExternalServer, Field(discriminator="mode")] | None = None


class Hooks(RuntimeModel):
    """``setup`` comes before the server, ``reset`` before the browser, ``cleanup`` after it."""

    setup: Hook | None = None
    reset: Hook | None = None
    cleanup: Hook | None = None


class RunBudgets(RuntimeModel):
    timeout_ms: Annotated[int, Field(ge=1, le=RUN.ceiling_ms)] = RUN.default_ms


class ScenarioFile(RuntimeModel):
    """A file for ``rea browser run``."""

    version: Annotated[int, Field(ge=1, le=1, json_schema_extra={"const": 1})]
    id: Name
    settings: SessionSettings = SessionSettings()
    fixture: Fixture | None = None
    hooks: Hooks = Hooks()
    budgets: RunBudgets = RunBudgets()
    operations: Annotated[tuple[FileOperation, ...], Field(min_length=1, max_length=MAX_OPERATIONS)]
