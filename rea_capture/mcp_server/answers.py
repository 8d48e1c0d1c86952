"""Results and refusals as the protocol carries them: structured, the same as text, a link, and one picture.

Below: ``messages``, ``summaries``, ``picture``, ``refusals``. Above: ``tools``, ``server``.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final

import mcp_types as types
import orjson

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.evidence import evidence_bytes
from rea_capture.mcp_server.messages import CaptureAnswer, ComparisonAnswer, PictureNote
from rea_capture.mcp_server.picture import picture_of
from rea_capture.mcp_server.refusals import refusal
from rea_capture.mcp_server.store import EvidenceStore, Stored
from rea_capture.mcp_server.summaries import capture_summary, comparison_summary

JSON_TYPE: Final = "application/json"
LINKS_SINCE: Final = "2025-06-18"
"""The version of the protocol that first knew links to resources in answers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool has to say: a record of ``messages``, and what comes with it."""

    record: Any
    link: Stored | None = None
    picture: types.ImageContent | None = None

    def result(self, protocol_version: str) -> types.CallToolResult:
        """As the protocol of that version carries it."""
        content: list[types.ContentBlock] = []
        if self.picture is not None:
            content.append(self.picture)
        if self.link is not None and protocol_version >= LINKS_SINCE:
            content.append(resource_link(self.link))
        return _result(self.record, content)


def refused(error: BaseException) -> types.CallToolResult:
    """``error`` as the answer to a call."""
    result = _result(refusal(error), [])
    return result.model_copy(update={"is_error": True})


def captured(evidence: CaptureEvidence, store: EvidenceStore, inline_bytes: int) -> Answer:
    """Keep ``evidence``, and answer with all of it or with its summary. Raises :class:`OutputError`."""
    data = evidence_bytes(evidence)
    stored = store.keep(evidence.evidence_id, "capture", data)
    whole = len(data) <= inline_bytes
    picture = None if whole else picture_of(evidence.normalized_result)
    answer = CaptureAnswer(
        evidence=orjson.loads(data) if whole else None,
        evidence_id=evidence.evidence_id,
        path=str(stored.path),
        picture=None if picture is None else PictureNote(cut=picture.cut, step_id=picture.step_id),
        resource_uri=stored.uri,
        sha256=stored.sha256,
        size_bytes=stored.size_bytes,
        summary=capture_summary(evidence.normalized_result),
    )
    image = None
    if picture is not None:
        image = types.ImageContent(type="image", data=picture.data_base64, mime_type=picture.media_type)
    return Answer(answer, stored, image)


def compared(evidence: ComparisonEvidence, store: EvidenceStore, inline_bytes: int) -> Answer:
    """As :func:`captured`."""
    data = evidence_bytes(evidence)
    stored = store.keep(evidence.evidence_id, "comparison", data)
    answer = ComparisonAnswer(
        evidence=orjson.loads(data) if len(data) <= inline_bytes else None,
        evidence_id=evidence.evidence_id,
        path=str(stored.path),
        resource_uri=stored.uri,
        sha256=stored.sha256,
        size_bytes=stored.size_bytes,
        summary=comparison_summary(evidence.normalized_result),
    )
    return Answer(answer, stored)


def resource_link(stored: Stored) -> types.ResourceLink:
    """``stored`` as a link in an answer."""
    return types.ResourceLink(
        type="resource_link",
        uri=stored.uri,
        name=stored.evidence_id,
        title=f"Evidence of a {stored.kind}",
        mime_type=JSON_TYPE,
        size=stored.size_bytes,
    )


def _result(record: Any, content: list[types.ContentBlock]) -> types.CallToolResult:
    plain = json.loads(json.dumps(asdict(record)))  # tuples become arrays
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text), *content], structured_content=plain
    )
