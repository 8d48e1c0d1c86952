"""Evidence of a capture: the envelope, and what was asked for.

Apart from that of a comparison, whose contracts a capture has no use for and would wait for.

Below: ``capture``, ``provider``. Above: ``evidence``, the evidence room, whoever captures.
"""

from __future__ import annotations

from typing import Final, Literal

from rea_capture.contracts.base import (
    EvidenceId,
    SchemaVersion,
    Sha256Hex,
    TimeoutMs,
    record,
    record_with_absent_fields,
)
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.provider import Provider
from rea_capture.contracts.selection import RecordedSelection
from rea_capture.contracts.step_kinds import ActionKind
from rea_capture.contracts.urls import ObservedUrl

CAPTURE_PREDICATE: Final = "rea.browser-scenario-capture/v1"


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
