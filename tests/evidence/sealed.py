"""Sealed documents for tests, and an id computed the long way round.

Below: ``tests.builders``, the evidence room. Above: tests of the evidence room, workflows and the CLI.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import rfc8785

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureEvidence, CaptureParameters, DeclaredAction
from rea_capture.contracts.capture_selection import CaptureSelection, NetworkContentSelection
from rea_capture.contracts.comparison import (
    Alignment,
    ComparisonResult,
    DiffTotals,
    NormalizationRecord,
)
from rea_capture.contracts.comparison_evidence import ComparisonEvidence, ComparisonParameters
from rea_capture.evidence import evidence_bytes, seal_capture, seal_comparison
from tests import builders

ZERO_SHA256 = "0" * 64


def sealed_capture(
    result: CaptureResult | None = None, *, command_timeout_ms: int | None = None
) -> CaptureEvidence:
    """Evidence of ``result``, by default of a small capture with every kind of digest in it."""
    result = result or rich_capture()
    parameters = CaptureParameters(
        actions=tuple(DeclaredAction(action=s.action, step_id=s.step_id) for s in result.steps[1:]),
        browser_mode="launch",
        capture=CaptureSelection(
            at_end=(),
            events=result.scenario.event_families or (),
            network=NetworkContentSelection(
                request_body=result.scenario.network_content.request_body,
                response_body=result.scenario.network_content.response_body,
                header_values=result.scenario.network_content.header_values,
            ),
        ).record(),
        command_timeout_ms=command_timeout_ms,
        scenario_sha256=ZERO_SHA256,
        secret_declarations=(),
        start_url=builders.url(),
    )
    return seal_capture(result, parameters, isolation="owned-temporary-profile")


def sealed_comparison(before: str | None = None, after: str | None = None) -> ComparisonEvidence:
    """Evidence of an empty comparison of the Evidence ``before`` and ``after``."""
    result = ComparisonResult(
        alignment=Alignment(after_only=(), aligned_steps=0, before_only=(), failures=(), status="failed"),
        artifact_diffs=DiffTotals(total=0),
        comparison_kind="browser_scenario",
        limitations=(),
        normalization=NormalizationRecord.of(()),
        overall_status="unknown",
        steps=(),
    )
    parameters = ComparisonParameters(
        after_evidence_id=after,
        after_sha256=ZERO_SHA256,
        before_evidence_id=before,
        before_sha256=ZERO_SHA256,
        normalization_sha256=result.normalization.sha256,
    )
    return seal_comparison(result, parameters)


def rich_capture(content: str = "<main>Shop</main>") -> CaptureResult:
    """A complete capture that holds every kind of digest; ``content`` is the DOM of its last step."""
    return builders.capture(
        steps=(
            builders.start(url=builders.location()),
            builders.step(
                screenshot=builders.screenshot(),
                dom=builders.text(content),
                accessibility=builders.text("- main: Shop"),
                url=builders.location("/?q=1"),
                history=builders.history(),
                storage=builders.storage(["session"], theme="dark"),
            ),
        ),
        events=[builders.console(), *builders.transaction(), builders.content()],
    )


def plain(evidence: CaptureEvidence | ComparisonEvidence) -> dict[str, Any]:
    """The document as a JSON value to take apart."""
    value = json.loads(evidence_bytes(evidence))
    assert isinstance(value, dict)
    return value


NO_ID = "the place of the id"
"""Stands for the id until it is known, so that a document is written once."""


def resealed(document: dict[str, Any]) -> bytes:
    """``document`` with the id its content gives, as RFC 8785 bytes; uses nothing of the package."""
    whole = rfc8785.dumps({**document, "evidence_id": NO_ID})
    member = f'"evidence_id":"{NO_ID}"'.encode()
    head, found, tail = whole.partition(member)
    assert found
    assert member not in tail
    content = head + tail[1:] if tail.startswith(b",") else head.removesuffix(b",") + tail
    return head + f'"evidence_id":"{_id_of_bytes(content)}"'.encode() + tail


def id_of(content: dict[str, Any]) -> str:
    """The id of a document without its ``evidence_id``; uses nothing of the package."""
    return _id_of_bytes(rfc8785.dumps(content))


def _id_of_bytes(content: bytes) -> str:
    return "ev_" + hashlib.sha256(content).hexdigest()
