"""What the tools take and answer, beside the contracts' own documents.

Arguments are read as strictly as every other input. Answers are records whose fields are those of the JSON.

Below: the contracts. Above: ``catalogue``, which makes schemas of them, and the tools.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from rea_capture.contracts.base import EvidenceId, SafeInteger, Sha256Hex
from rea_capture.contracts.inputs import InputModel
from rea_capture.evidence.origin import CaptureOrigin
from rea_capture.mcp_server.limits import DEFAULT_PAGE_CHARACTERS, MAX_PAGE_CHARACTERS

Pointer = Annotated[
    str,
    Field(description='JSON Pointer (RFC 6901), such as "/normalized_result/steps/0"; "" is the document.'),
]


class StoredEvidence(InputModel):
    """A result of this server, by its id."""

    evidence_id: EvidenceId


class VerifyArguments(InputModel):
    """What to verify: exactly one of the two."""

    document: dict[str, Any] | None = Field(
        default=None, description="Evidence of a capture or a comparison, or its normalized_result."
    )
    evidence_id: EvidenceId | None = Field(default=None, description="A result of this server, by its id.")


class TargetsArguments(InputModel):
    """Which browser to ask."""

    cdp_endpoint: str = Field(description="Loopback address, such as http://127.0.0.1:9222.")


class ReadArguments(InputModel):
    """Which part of which document."""

    evidence_id: EvidenceId
    pointer: Pointer = ""
    offset: SafeInteger = Field(default=0, description="The first character wanted of the part's JSON text.")
    length: int = Field(
        default=DEFAULT_PAGE_CHARACTERS, ge=1, le=MAX_PAGE_CHARACTERS, description="How many characters."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalDetail:
    """One thing that is wrong, and where."""

    message: str
    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalError:
    """Why a call was refused, and what to do about it."""

    code: str
    details: tuple[RefusalDetail, ...]
    details_omitted: SafeInteger
    message: str
    recovery: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The answer to a call that was refused; isError is true."""

    error: RefusalError


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSummary:
    """A step of a capture; ``artifacts`` has the state of each artifact that was requested."""

    action: str
    artifacts: dict[str, str]
    error: str | None
    status: str
    step_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureSummary:
    """A capture in brief."""

    browser: str
    duration_ms: SafeInteger
    events_dropped: SafeInteger
    events_retained: SafeInteger
    limitations: tuple[str, ...]
    limitations_omitted: SafeInteger
    missing_sections: tuple[str, ...]
    started_at: str
    status: Literal["complete", "incomplete", "truncated"]
    steps: tuple[StepSummary, ...]
    steps_by_status: dict[str, int]
    steps_omitted: SafeInteger
    truncated_sections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedArtifactSummary:
    """An artifact that changed, with what did in ``summary``; or of which nothing can be said, with the
    ``reason`` and what to do. ``pointer`` leads read_evidence to all of it.
    """

    artifact: str
    pointer: str
    reason: str | None
    recovery: str | None
    status: Literal["changed", "unknown"]
    summary: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedStepSummary:
    """A step that is not unchanged, its most telling artifact first."""

    artifacts: tuple[ComparedArtifactSummary, ...]
    artifacts_omitted: SafeInteger
    status: Literal["changed", "unchanged", "unknown"]
    step_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSummary:
    """A comparison in brief: the steps that changed, then those of which nothing can be said."""

    alignment: Literal["aligned", "partial", "failed"]
    alignment_failures: tuple[str, ...]
    alignment_failures_omitted: SafeInteger
    limitations: tuple[str, ...]
    limitations_omitted: SafeInteger
    overall_status: Literal["changed", "unchanged", "unknown"]
    steps: tuple[ComparedStepSummary, ...]
    steps_by_status: dict[str, int]
    steps_omitted: SafeInteger


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureNote:
    """Which screenshot the picture of an answer shows; ``cut`` says that only its upper part is shown."""

    cut: bool
    step_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureAnswer:
    """A capture. ``evidence`` is null where it is larger than --inline-bytes; then read it in parts, as the
    resource, or at ``path``. ``sha256`` and ``size_bytes`` are those of the whole document.
    """

    evidence: Any
    evidence_id: EvidenceId
    path: str
    picture: PictureNote | None
    resource_uri: str
    sha256: Sha256Hex
    size_bytes: SafeInteger
    summary: CaptureSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonAnswer:
    """A comparison. Its fields are as those of a capture."""

    evidence: Any
    evidence_id: EvidenceId
    path: str
    resource_uri: str
    sha256: Sha256Hex
    size_bytes: SafeInteger
    summary: ComparisonSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedAnswer:
    """The document is what it says it is; one that is not is refused, with every fault."""

    capture: CaptureOrigin | None
    evidence_id: EvidenceId | None
    kind: Literal["capture", "comparison"]
    normalized_result_sha256: Sha256Hex
    status: Literal["verified"] = "verified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of the part that was asked for, and the length of its JSON text."""

    characters: SafeInteger
    pointer: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the JSON text of one part. ``next_offset`` is null at the end."""

    characters: SafeInteger
    evidence_id: EvidenceId
    members: tuple[Member, ...]
    members_omitted: SafeInteger
    next_offset: SafeInteger | None
    offset: SafeInteger
    pointer: str
    text: str
    type: Literal["object", "array", "string", "number", "boolean", "null"]
