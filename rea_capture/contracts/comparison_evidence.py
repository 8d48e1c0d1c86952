"""Evidence of a comparison: the envelope, and what was compared.

Below: ``comparison``, ``provider``. Above: ``evidence``, the evidence room.
"""

from __future__ import annotations

from typing import Final, Literal

from rea_capture.contracts.base import EvidenceId, SchemaVersion, Sha256Hex, record
from rea_capture.contracts.comparison import ComparisonResult
from rea_capture.contracts.provider import Provider

COMPARISON_PREDICATE: Final = "rea.browser-scenario-comparison/v1"


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
