"""Verifying capture Evidence in its usual form, without importing the contracts.

This way may only say yes. It accepts a document when each of these holds, and has no opinion otherwise;
then ``reading`` decides, which knows every reason.

    1. The bytes begin as the canonical form of capture Evidence does.
    2. They have the shape that the contracts give it (``shape.json``).
    3. Writing what was read gives the same bytes: no key twice, all of it canonical.
    4. The id recomputes.
    5. The rules between fields hold, and every digest and size inside is that of its content.

That it never accepts what ``reading`` refuses is held by tests that alter documents in every place.

Below: ``identity``, ``origin``, ``shape``, ``contracts.encodings``, pydantic-core.
Above: ``workflows.verify``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson
from pydantic_core import ValidationError

from rea_capture.contracts.encodings import (
    check_digest,
    decoded_base64,
    is_moment,
    is_without_credentials,
    png_size,
)
from rea_capture.evidence.identity import CAPTURE_START, evidence_id_of, result_sha256_of
from rea_capture.evidence.origin import CaptureOrigin, origin_of_evidence
from rea_capture.evidence.shape import plain_validator

RECORDS_WITH_RULES: Final = frozenset(
    {
        "BrowserRecord",
        "CaptureResult",
        "CapturedBody",
        "Completeness",
        "Events",
        "HeaderItem",
        "Omissions",
        "RequestEvent",
        "ScenarioRecord",
        "Screenshot",
        "Step",
        "StoredCookie",
        "StoredEntry",
        "Text",
    }
)
"""The records whose rules are checked below; a test fails when the contracts have others."""

_START: Final = ("scenario_start", "goto_start")
_NETWORK_KINDS: Final = frozenset(
    {
        "request",
        "response",
        "request-finished",
        "request-failed",
        "request-unfinished",
        "network-content",
    }
)
_ARTIFACTS: Final = ("accessibility", "dom", "history", "screenshot", "storage", "url")


@dataclass(frozen=True, slots=True)
class QuickAnswer:
    """Id, digest of ``normalized_result`` and origin of capture Evidence that is valid."""

    evidence_id: str
    result_sha256: str
    origin: CaptureOrigin


def quick_check(data: bytes) -> QuickAnswer | None:
    """What there is to say of the capture Evidence in ``data`` if it is valid.

    None says nothing: another form, another document, or a fault.
    """
    if not data.startswith(CAPTURE_START):
        return None
    try:
        document = plain_validator().validate_json(data)
    except ValidationError:
        return None
    written = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    if not data.startswith(written) or data[len(written) :].strip(b" \t\r\n"):
        return None
    evidence_id = evidence_id_of(written)
    if document["evidence_id"] != evidence_id or not all(_rules(document["normalized_result"])):
        return None
    return QuickAnswer(evidence_id, result_sha256_of(written), origin_of_evidence(document))


def _rules(result: dict[str, Any]) -> Iterator[bool]:
    whole, events = result["completeness"], result["events"]
    yield _is_consistent(whole)
    yield is_moment(result["started_at"]) and is_moment(result["finished_at"])
    yield events["retained"] == len(events["items"])
    yield events["dropped"] == sum(row["count"] for row in events["omissions"]["by_kind"])
    yield not events["dropped"] or "events" in whole["truncated_sections"]
    yield from _omission_rules(events["omissions"])
    yield _are_numbered(events)
    yield events["retained"] <= result["limits"]["max_events"]
    yield from _origin_rules(result["browser"], result["scenario"])
    yield from _steps_rules(result)
    for step in result["steps"]:
        yield from _step_rules(step, whole)
    for event in events["items"]:
        yield event["step_index"] < len(result["steps"])
        if event["kind"] == "network-content":
            yield event["body"]["state"] != "captured" or _is_base64_of(event["body"], "content")
            if event["headers"]["state"] == "captured":
                yield all(is_without_credentials(**header) for header in event["headers"]["items"])
        elif event["kind"] == "request":
            linked = event["redirected_from_transaction_id"] is not None
            yield not (linked and "redirected_from_transaction_state" in event)


def _origin_rules(browser: dict[str, Any], scenario: dict[str, Any]) -> Iterator[bool]:
    ours = browser["mode"] == "launch"
    yield (browser["process_ownership"] == "provider-owned") is ours
    yield (browser["cleanup"] == "terminated-owned-process") is ours
    families, references = scenario.get("event_families", []), scenario["secret_references"]
    yield families == sorted(set(families)) and references == sorted(references)


def _omission_rules(omissions: dict[str, Any]) -> Iterator[bool]:
    rows, beyond = omissions["network_transactions"], omissions["network_transaction_range"]
    counts = {row["kind"]: row["count"] for row in omissions["by_kind"]}
    yield len(counts) == len(omissions["by_kind"])
    yield len({row["transaction_id"] for row in rows}) == len(rows)
    yield all(row["kinds"] and len(set(row["kinds"])) == len(row["kinds"]) for row in rows)
    network = {kind: count for kind, count in counts.items() if kind in _NETWORK_KINDS}
    named = Counter(kind for row in rows for kind in row["kinds"])
    yield all(count <= network.get(kind, 0) for kind, count in named.items())
    if beyond is not None:
        first, last = beyond["first"], beyond["last"]
        yield first <= last < first + sum(network.values()) - named.total()
        yield not any(first <= row["transaction_id"] <= last for row in rows)


def _are_numbered(events: dict[str, Any]) -> bool:
    last = 0
    for event in events["items"]:
        if event["sequence"] <= last:
            return False
        last = event["sequence"]
    return bool(last <= events["retained"] + events["dropped"])


def _steps_rules(result: dict[str, Any]) -> Iterator[bool]:
    steps, events = result["steps"], result["events"]
    yield len(steps) == result["scenario"]["action_count"] + 1
    yield bool(steps) and (steps[0]["step_id"], steps[0]["action"]) == _START
    yield [step["step_index"] for step in steps] == list(range(len(steps)))
    total = events["retained"] + events["dropped"]
    yield all(step["event_sequence_end"] <= total for step in steps)


def _step_rules(step: dict[str, Any], whole: dict[str, Any]) -> Iterator[bool]:
    own = step["completeness"]
    yield _is_consistent(own)
    yield (step["status"] == "completed") is (step["error"] is None)
    yield step["status"] == "completed" or "action" in own["missing_sections"]
    for sections in ("missing_sections", "truncated_sections"):
        yield set(own[sections]) <= set(whole[sections])
    for name in _ARTIFACTS:
        artifact = step["artifacts"][name]
        yield artifact["state"] != "missing" or name in own["missing_sections"]
        yield artifact["state"] != "truncated" or name in own["truncated_sections"]
        if artifact["state"] == "captured":
            yield from _content_rules(name, artifact["value"])


def _content_rules(name: str, value: dict[str, Any]) -> Iterator[bool]:
    if name == "screenshot":
        yield _is_png_of(value)
    elif name in {"dom", "accessibility"}:
        yield _has_digest(value["text"].encode("utf-8"), value)
    elif name == "storage":
        for entry in (*value["cookies"], *value["local_storage"], *value["session_storage"]):
            yield (entry["value_state"] == "hashed") is (entry["value_sha256"] is not None)


def _is_consistent(completeness: dict[str, Any]) -> bool:
    missing, truncated = completeness["missing_sections"], completeness["truncated_sections"]
    status = "incomplete" if missing else "truncated" if truncated else "complete"
    eligible: bool = completeness["equality_eligible"]
    return bool(completeness["status"] == status and eligible is (status == "complete"))


def _has_digest(data: bytes, value: dict[str, Any]) -> bool:
    try:
        check_digest(data, value["bytes"], value["sha256"])
    except ValueError:
        return False
    return True


def _is_base64_of(value: dict[str, Any], field: str) -> bool:
    try:
        return _has_digest(decoded_base64(value[field]), value)
    except ValueError:
        return False


def _is_png_of(value: dict[str, Any]) -> bool:
    try:
        png = decoded_base64(value["data_base64"])
        return _has_digest(png, value) and png_size(png) == (value["width"], value["height"])
    except ValueError:
        return False
