"""Results become Evidence: the envelope around them and the id that commits to all of it.

Below: ``identity``, the contracts. Above: ``workflows.capture``, ``workflows.compare``.
"""

from __future__ import annotations

import platform
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from rea_capture.canonical import record_bytes
from rea_capture.contracts.capture_evidence import CaptureEvidence, CaptureParameters, EvidenceEnvironment
from rea_capture.contracts.provider import Provider
from rea_capture.evidence.identity import evidence_id_of
from rea_capture.version import __version__

if TYPE_CHECKING:
    from rea_capture.contracts.capture import CaptureResult
    from rea_capture.contracts.comparison import ComparisonResult
    from rea_capture.contracts.comparison_evidence import ComparisonEvidence, ComparisonParameters

_AnyEvidence = TypeVar("_AnyEvidence", CaptureEvidence, "ComparisonEvidence")

_PROVIDER: Final = Provider(id="rea_capture", name="rea_capture", version=__version__)
_UNSEALED: Final = "ev_" + "0" * 64
"""Stands where the id will be; no digest is taken over it."""


def seal_capture(result: CaptureResult, parameters: CaptureParameters, *, isolation: str) -> CaptureEvidence:
    """The Evidence of a capture. ``isolation`` says what kept the browser apart from the machine.

    The limitations of ``result`` are repeated on the envelope.
    """
    return _sealed(
        CaptureEvidence(
            authority="controlled-replay",
            confidence="observed",
            environment=EvidenceEnvironment(
                architecture=platform.machine().lower() or "unknown",
                id=f"{result.browser.product}@{result.browser.version}",
                isolation=isolation,
                platform=platform.system().lower() or "unknown",
            ),
            evidence_id=_UNSEALED,
            evidence_links=(),
            limitations=result.limitations,
            locations=(),
            normalized_result=result,
            operation="capture_browser_scenario",
            parameters=parameters,
            predicate_type="rea.browser-scenario-capture/v1",
            provider=_PROVIDER,
            raw_result=None,
            schema_version=2,
            subject=None,
        )
    )


def seal_comparison(result: ComparisonResult, parameters: ComparisonParameters) -> ComparisonEvidence:
    """The Evidence of a comparison; it links to the Evidence that ``parameters`` names."""
    from rea_capture.contracts.comparison_evidence import ComparisonEvidence  # noqa: PLC0415 - not to capture

    return _sealed(
        ComparisonEvidence(
            authority="controlled-replay",
            confidence="derived",
            environment=None,
            evidence_id=_UNSEALED,
            evidence_links=parameters.links(),
            limitations=result.limitations,
            locations=(),
            normalized_result=result,
            operation="compare_web_captures",
            parameters=parameters,
            predicate_type="rea.browser-scenario-comparison/v1",
            provider=_PROVIDER,
            raw_result=None,
            schema_version=2,
            subject=None,
        )
    )


def evidence_bytes(evidence: CaptureEvidence | ComparisonEvidence) -> bytes:
    """The document as it is written: its RFC 8785 form and a newline."""
    return record_bytes(evidence) + b"\n"


def _sealed(evidence: _AnyEvidence) -> _AnyEvidence:
    return replace(evidence, evidence_id=evidence_id_of(record_bytes(evidence)))
