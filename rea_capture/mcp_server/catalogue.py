"""The tools as they are listed: names, titles, descriptions, hints, and the schemas of the contracts.

The list is made once and kept as ``tools.json`` beside this file, so that a server that starts neither
imports the contracts nor builds schemas before it can answer. ``python -m rea_capture.mcp_server.catalogue``
writes it; a test fails when it differs.

Below: ``messages`` and the contracts, to write it; nothing, to read it. Above: ``server``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

CAPTURE: Final = "capture_browser_scenario"
COMPARE: Final = "compare_web_captures"
VERIFY: Final = "verify_evidence"
TARGETS: Final = "list_browser_targets"
READ: Final = "read_evidence"

FILE: Final = Path(__file__).with_name("tools.json")

_READS_ONLY: Final = {"readOnlyHint": True, "openWorldHint": False}
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_TEXTS: Final[Mapping[str, tuple[str, str, Mapping[str, bool]]]] = {
    CAPTURE: (
        "Capture a browser scenario",
        "Run a declarative scenario in a browser (open start_url, run actions, record what capture selects) "
        "and return self-verifying Evidence. The arguments are the scenario itself. A failed action is part "
        "of the Evidence, not an error. Secrets are named by environment variable and never appear in "
        "results. Large Evidence is summarised; read its parts with read_evidence.",
        # What the actions do to the site is the scenario's affair.
        {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True},
    ),
    COMPARE: (
        "Compare two captures",
        "Say what changed between two captures, what did not, and what cannot be said: changed, unchanged or "
        "unknown, by step and artifact. Each side is whole Evidence, its normalized_result, or "
        '{"evidence_id": "ev_…"} of a result of this server.',
        _READS_ONLY,
    ),
    VERIFY: (
        "Verify Evidence",
        "Recompute the id, every digest and every size of a document. One that is not what it says it is is "
        "refused, with every fault.",
        _READS_ONLY,
    ),
    TARGETS: (
        "List a running browser's targets",
        'List the pages of a running browser that a scenario with browser.mode "connect" can attach to. '
        "Titles and addresses are the pages' own words.",
        {"readOnlyHint": True, "openWorldHint": True},
    ),
    READ: (
        "Read a part of Evidence",
        "Read what a JSON Pointer names in a result of this server, as JSON text, a page at a time: go on at "
        "next_offset. Where a part does not fit a page, its members are listed with their lengths.",
        _READS_ONLY,
    ),
}


@cache
def tools() -> list[dict[str, Any]]:
    """The tools as ``tools/list`` answers them."""
    listed: list[dict[str, Any]] = json.loads(FILE.read_bytes())
    return listed


def written() -> bytes:
    """What ``tools.json`` has to hold."""
    schemas = _schemas()
    listed = [
        {
            "name": name,
            "title": title,
            "description": description,
            "inputSchema": schemas[name][0],
            "outputSchema": schemas[name][1],
            "annotations": {"title": title, **hints},
        }
        for name, (title, description, hints) in _TEXTS.items()
    ]
    return json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _schemas() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    from rea_capture.contracts.schemas import schema_text  # noqa: PLC0415 - only to write the file
    from rea_capture.mcp_server import messages  # noqa: PLC0415 - as above
    from rea_capture.workflows.targets import TargetList  # noqa: PLC0415 - as above

    scenario = json.loads(schema_text("scenario"))
    return {
        CAPTURE: (scenario, _with_evidence(messages.CaptureAnswer, "capture-evidence", "CaptureEvidence")),
        COMPARE: (
            _comparison_input(),
            _with_evidence(messages.ComparisonAnswer, "comparison-evidence", "ComparisonEvidence"),
        ),
        VERIFY: (_schema(messages.VerifyArguments), _output(messages.VerifiedAnswer)),
        TARGETS: (_schema(messages.TargetsArguments), _output(TargetList)),
        READ: (_schema(messages.ReadArguments), _output(messages.Page)),
    }


def _schema(model: Any, mode: str = "validation") -> dict[str, Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415 - only to write the file

    made: dict[str, Any] = TypeAdapter(model).json_schema(mode=mode)  # type: ignore[arg-type] # a literal
    return {"$schema": _DIALECT, **made}


def _output(answer: Any) -> dict[str, Any]:
    """The schema of ``answer`` or of a refusal: the two things that a call may give."""
    from rea_capture.mcp_server.messages import Refusal  # noqa: PLC0415 - only to write the file

    made = _schema(answer | Refusal, "serialization")
    return {"$schema": made.pop("$schema"), "type": "object", **made}


def _with_evidence(answer: Any, name: str, title: str) -> dict[str, Any]:
    """As :func:`_output`, where ``evidence`` is a document of the published schema ``name``, or null."""
    from rea_capture.contracts.schemas import schema_text  # noqa: PLC0415 - only to write the file

    made = _output(answer)
    document = json.loads(schema_text(name))
    del document["$schema"]
    made["$defs"] |= document.pop("$defs")
    made["$defs"][title] = document
    made["$defs"][answer.__name__]["properties"]["evidence"] = {
        "anyOf": [{"$ref": f"#/$defs/{title}"}, {"type": "null"}]
    }
    return made


def _comparison_input() -> dict[str, Any]:
    """The published schema of a comparison's input, of whose two documents only the outermost members are
    told.

    A model is given this schema with every conversation, and hardly ever writes such a document itself: the
    whole would be 30 KB. The documents are read as strictly as ever.
    """
    from rea_capture.contracts.schemas import schema_text  # noqa: PLC0415 - only to write the file
    from rea_capture.mcp_server.messages import StoredEvidence  # noqa: PLC0415 - as above

    published: dict[str, Any] = json.loads(schema_text("comparison-input"))
    reference = _schema(StoredEvidence)
    del reference["$schema"]
    for side in ("before_scenario", "after_scenario"):
        property_of = published["properties"][side]
        documents = [
            _outermost(published["$defs"][choice["$ref"].rpartition("/")[2]])
            for choice in property_of.pop("anyOf")
        ]
        property_of["anyOf"] = [reference, *documents]
    kept = _reached(published["properties"], published["$defs"])
    published["$defs"] = {name: published["$defs"][name] for name in sorted(kept)}
    return published


def _outermost(document: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: document[key] for key in ("title", "description", "type", "required") if key in document}
    return {**kept, "additionalProperties": True}


def _reached(schema: Any, definitions: Mapping[str, Any]) -> set[str]:
    """Names of ``definitions`` that ``schema`` refers to, directly or not."""
    found: set[str] = set()
    pending = [schema]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            name = str(item.get("$ref", "")).rpartition("/")[2]
            if name in definitions and name not in found:
                found.add(name)
                pending.append(definitions[name])
            pending += item.values()
        elif isinstance(item, list):
            pending += item
    return found


if __name__ == "__main__":
    from rea_capture.evidence import write_document

    write_document(FILE, written())
