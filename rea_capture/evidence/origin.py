"""When and where a capture was made and whether it is complete, as its Evidence has it: what an auditor asks
first.

Nothing here is checked beyond what reading the document checks. The path of the browser is not in the
Evidence, only its digest within that of the scenario.

Below: ``shortfall``. Above: ``quick``, ``workflows.verify``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rea_capture.evidence.shortfall import shortfall_of_record, shortfall_of_result

if TYPE_CHECKING:
    from rea_capture.contracts.capture import CaptureResult
    from rea_capture.contracts.capture_evidence import CaptureEvidence


@dataclass(frozen=True, slots=True)
class CaptureOrigin:
    """``started_at`` and ``finished_at`` are RFC 3339 in UTC.

    ``completeness`` is the status, and ``shortfall`` the words for what it lacks, None where it is complete.

    ``start_url`` is the origin only, and ``platform``, ``architecture`` and ``isolation`` are None, for a
    bare ``normalized_result``, which does not say.
    """

    started_at: str
    finished_at: str
    browser_mode: str
    browser_product: str
    browser_version: str
    start_url: str
    platform: str | None
    architecture: str | None
    isolation: str | None
    completeness: str
    shortfall: str | None


def origin_of_evidence(document: dict[str, Any]) -> CaptureOrigin:
    """The origin in the plain JSON of capture Evidence that has been checked."""
    result, where = document["normalized_result"], document["environment"]
    browser = result["browser"]
    return CaptureOrigin(
        started_at=result["started_at"],
        finished_at=result["finished_at"],
        browser_mode=browser["mode"],
        browser_product=browser["product"],
        browser_version=browser["version"],
        start_url=document["parameters"]["start_url"]["url"],
        platform=where["platform"],
        architecture=where["architecture"],
        isolation=where["isolation"],
        completeness=result["completeness"]["status"],
        shortfall=shortfall_of_result(result),
    )


def origin_of_record(result: CaptureResult, evidence: CaptureEvidence | None) -> CaptureOrigin:
    """The origin of ``result``, and of the Evidence around it where there is any."""
    return CaptureOrigin(
        started_at=result.started_at,
        finished_at=result.finished_at,
        browser_mode=result.browser.mode,
        browser_product=result.browser.product,
        browser_version=result.browser.version,
        start_url=evidence.parameters.start_url.url if evidence else result.scenario.start_origin,
        platform=evidence.environment.platform if evidence else None,
        architecture=evidence.environment.architecture if evidence else None,
        isolation=evidence.environment.isolation if evidence else None,
        completeness=result.completeness.status,
        shortfall=shortfall_of_record(result),
    )
