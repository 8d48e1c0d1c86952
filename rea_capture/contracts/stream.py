"""The records of a capture's stream: what ``--jsonl`` writes, one a line.

    started (step | progress)* (evidence | error)      a capture
    error                                              what ended before its scenario was read

No record but the last carries bytes of a page: a step's artifacts are there as states and digests.

Below: ``artifacts``, ``capture``, ``evidence``. Above: the command line, which makes and writes them.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from rea_capture.canonical import record_bytes, sha256_hex
from rea_capture.contracts.artifacts import (
    AnyState,
    Artifacts,
    CapturedScreenshot,
    CapturedText,
)
from rea_capture.contracts.base import Constraint, EvidenceId, SafeInteger, SchemaVersion, Sha256Hex, record
from rea_capture.contracts.capture import Completeness
from rea_capture.contracts.capture_evidence import CaptureEvidence, DeclaredAction
from rea_capture.contracts.states import Missing, NotRequested, Truncated
from rea_capture.contracts.step_kinds import ActionKind

STREAM_VERSION: Final = 1
"""Goes up when a reader of the records as they are would misunderstand new ones."""

StreamVersion = Annotated[int, Constraint(ge=1, le=1, json_schema_extra={"const": 1})]

Activity = Literal[
    "starting",  # the browser is started, or the page attached to
    "waiting",  # for somebody else, as the sentence says
    "step",  # the one that step_id names
    "finishing",  # what is under way is awaited, the browser goes, the Evidence is made
]

SignalName = Literal["SIGINT", "SIGTERM", "SIGHUP"]

ErrorCode = Literal[
    "command_line",
    "invalid_input",
    "unavailable",
    "secret_refused",
    "defect",
    "output_failed",
    "interrupted",
]


@record
class StartedRecord:
    """The scenario is valid, and its run begins."""

    browser_mode: Literal["launch", "connect"]
    heartbeat_interval_ms: SafeInteger
    """While nothing else happens, a progress record comes this often."""
    kind: Literal["started"] = "started"
    rea_version: str
    schema_version: SchemaVersion
    """That of the Evidence to come."""
    steps: tuple[DeclaredAction, ...]
    """Every step in order, the start first, so that a place here is a ``step_index``."""
    stream_version: StreamVersion = STREAM_VERSION


@record
class DigestedArtifact:
    """An artifact that was captured: the digest and size of its bytes, which are in the Evidence."""

    bytes: SafeInteger
    sha256: Sha256Hex
    state: Literal["captured"] = "captured"


_STATE: Final = Constraint(discriminator="state")
ArtifactSummary = Annotated[DigestedArtifact | NotRequested | Missing | Truncated, _STATE]


@record
class ArtifactSummaries:
    """The capture state of each artifact of a step."""

    accessibility: ArtifactSummary
    dom: ArtifactSummary
    history: ArtifactSummary
    screenshot: ArtifactSummary
    storage: ArtifactSummary
    url: ArtifactSummary

    @classmethod
    def of(cls, artifacts: Artifacts) -> ArtifactSummaries:
        """``artifacts`` without their bytes."""
        return cls(
            accessibility=_summary(artifacts.accessibility),
            dom=_summary(artifacts.dom),
            history=_summary(artifacts.history),
            screenshot=_summary(artifacts.screenshot),
            storage=_summary(artifacts.storage),
            url=_summary(artifacts.url),
        )


@record
class StepRecord:
    """A step that was executed is over. One that was not has no record here, only in the Evidence."""

    action: ActionKind
    artifacts: ArtifactSummaries
    completeness: Completeness
    """As far as it is known by now: what is still under way may yet turn out to be missed."""
    elapsed_ms: SafeInteger
    error: str | None
    kind: Literal["step"] = "step"
    status: Literal["completed", "failed", "cancelled"]
    step_id: str
    step_index: SafeInteger
    stream_version: StreamVersion = STREAM_VERSION


@record
class ProgressRecord:
    """What is under way: told when it begins, and again while it takes long."""

    activity: Activity
    activity_ms: SafeInteger
    """How long this has been under way."""
    elapsed_ms: SafeInteger
    """Since ``started``."""
    kind: Literal["progress"] = "progress"
    sentence: str
    step_id: str | None
    """As ``step_index``, null unless ``activity`` is ``step``."""
    step_index: SafeInteger | None
    stream_version: StreamVersion = STREAM_VERSION


@record
class EvidenceRecord:
    """The last record of a capture: its Evidence, here or in the file ``path``."""

    bytes: SafeInteger
    """Of the document as a file: its RFC 8785 form and a line feed."""
    completeness: Completeness
    evidence: CaptureEvidence | None
    """Null exactly when ``path`` is not."""
    evidence_id: EvidenceId
    interrupted_by: SignalName | None
    """The signal that ended the capture early."""
    kind: Literal["evidence"] = "evidence"
    path: str | None
    """As ``--output`` named it."""
    progress_dropped: SafeInteger
    """Progress records that were left out because nobody took them."""
    sha256: Sha256Hex
    """Of the document as a file."""
    stream_version: StreamVersion = STREAM_VERSION

    def __post_init__(self) -> None:
        if (self.evidence is None) is (self.path is None):
            raise ValueError("the Evidence is in the record exactly when it is in no file")


@record
class FaultRecord:
    """One thing wrong with the scenario; ``pointer`` is a JSON Pointer into it."""

    message: str
    pointer: str


@record
class ErrorRecord:
    """The last record where there is no Evidence; ``exit_status`` is what the program ends with."""

    code: ErrorCode
    details: tuple[FaultRecord, ...]
    exit_status: SafeInteger
    kind: Literal["error"] = "error"
    message: str
    recovery: str
    """What to do about it."""
    stream_version: StreamVersion = STREAM_VERSION


StreamRecord = Annotated[
    StartedRecord | StepRecord | ProgressRecord | EvidenceRecord | ErrorRecord,
    Constraint(discriminator="kind", title="CaptureStreamRecord"),
]
"""A line, as it is read."""


def _summary(state: AnyState) -> DigestedArtifact | NotRequested | Missing | Truncated:
    if isinstance(state, NotRequested | Missing | Truncated):
        return state
    if isinstance(state, CapturedScreenshot | CapturedText):
        return DigestedArtifact(bytes=state.value.bytes, sha256=state.value.sha256)
    data = record_bytes(state.value)
    return DigestedArtifact(bytes=len(data), sha256=sha256_hex(data))
