"""Evidence: the one envelope that every result comes in.

Below: ``capture_evidence``, ``comparison_evidence``. Above: whoever takes either kind.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from rea_capture.contracts.base import Constraint
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison_evidence import ComparisonEvidence

Evidence: TypeAlias = CaptureEvidence | ComparisonEvidence
"""Either kind; ``isinstance(value, Evidence)`` works."""

EvidenceDocument = Annotated[Evidence, Constraint(discriminator="predicate_type")]
"""Evidence as it is read from a document."""
