"""Evidence: the one envelope that every result comes in.

Below: ``capture``, ``comparison``. Above: the evidence room, which computes and checks the id.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from rea_capture.contracts.base import (
    Constraint,
    EvidenceId,
    SchemaVersion,
    Sha256Hex,
    TimeoutMs,
    record,
    record_with_absent_fields,
)
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import ComparisonResult
from rea_capture.contracts.selection import RecordedSelection
from rea_capture.contracts.step_kinds import ActionKind
from rea_capture.contracts.urls import ObservedUrl

CAPTURE_PREDICATE: Final = "rea.browser-scenario-capture/v1"
COMPARISON_PREDICATE: Final = "rea.browser-scenario-comparison/v1"


@record
class Provider:
    """The program that made the document."""

    id: str
    name: str
    version: str


@record
class EvidenceEnvironment:
    """Where a capture ran; ``id`` is ``PRODUCT@VERSION`` of the browser."""

    architecture: str
    id: str
    isolation: str
    platform: str


@record
class DeclaredAction:
    action: ActionKind
    step_id: str


@record
class DeclaredSecret:
    environment_variable: str
    secret_id: str


@record_with_absent_fields("command_timeout_ms")
class CaptureParameters:
    """What was asked for. ``scenario_sha256`` is the digest of the parsed scenario."""

    actions: tuple[DeclaredAction, ...]
    browser_mode: Literal["launch", "connect"]
    capture: RecordedSelection
    command_timeout_ms: TimeoutMs | None = None
    scenario_sha256: Sha256Hex
    secret_declarations: tuple[DeclaredSecret, ...]
    start_url: ObservedUrl


@record
class ComparisonParameters:
    """What was compared: digests of the two results always, ids where they came as Evidence."""

    after_evidence_id: EvidenceId | None
    after_sha256: Sha256Hex
    before_evidence_id: EvidenceId | None
    before_sha256: Sha256Hex
    normalization_sha256: Sha256Hex

    def links(self) -> tuple[str, ...]:
        """The ids of the compared Evidence, before first, each once."""
        compared = (self.before_evidence_id, self.after_evidence_id)
        return tuple(dict.fromkeys(name for name in compared if name is not None))


@record
class CaptureEvidence:
    """Evidence of a capture."""

    authority: Literal["controlled-replay"]
    confidence: Literal["observed"]
    environment: EvidenceEnvironment
    evidence_id: EvidenceId
    evidence_links: tuple[EvidenceId, ...]
    limitations: tuple[str, ...]
    locations: tuple[str, ...]
    normalized_result: CaptureResult
    operation: Literal["capture_browser_scenario"]
    parameters: CaptureParameters
    predicate_type: Literal["rea.browser-scenario-capture/v1"]
    provider: Provider
    raw_result: None
    schema_version: SchemaVersion
    subject: None


@record
class ComparisonEvidence:
    """Evidence of a comparison."""

    authority: Literal["controlled-replay"]
    confidence: Literal["derived"]
    environment: None
    evidence_id: EvidenceId
    evidence_links: tuple[EvidenceId, ...]
    limitations: tuple[str, ...]
    locations: tuple[str, ...]
    normalized_result: ComparisonResult
    operation: Literal["compare_web_captures"]
    parameters: ComparisonParameters
    predicate_type: Literal["rea.browser-scenario-comparison/v1"]
    provider: Provider
    raw_result: None
    schema_version: SchemaVersion
    subject: None

    def __post_init__(self) -> None:
        if self.parameters.normalization_sha256 != self.normalized_result.normalization.sha256:
            raise ValueError("parameters.normalization_sha256 is not that of normalized_result")
        if self.evidence_links != self.parameters.links():
            raise ValueError("evidence_links are not the ids of the compared Evidence, in order, each once")


Evidence: TypeAlias = CaptureEvidence | ComparisonEvidence
"""Either kind; ``isinstance(value, Evidence)`` works."""

EvidenceDocument = Annotated[Evidence, Constraint(discriminator="predicate_type")]
"""Evidence as it is read from a document."""
