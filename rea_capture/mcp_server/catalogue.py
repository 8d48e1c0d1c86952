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
SESSION_TOOL: Final = "session_"
"""How the names of all tools of browser sessions begin."""

SESSION_OPEN: Final = "session_open"
SESSION_OBSERVE: Final = "session_observe"
SESSION_ACT: Final = "session_act"
SESSION_READ: Final = "session_read"
SESSION_ASSERT: Final = "session_assert"
SESSION_NAVIGATE: Final = "session_navigate"
SESSION_RELOAD: Final = "session_reload"
SESSION_LIST_TABS: Final = "session_list_tabs"
SESSION_SELECT_TAB: Final = "session_select_tab"
SESSION_WAIT_POPUP: Final = "session_wait_popup"
SESSION_CLOSE_TAB: Final = "session_close_tab"
SESSION_EVIDENCE: Final = "session_capture_evidence"
SESSION_NARROW: Final = "session_narrow_origin_policy"
SESSION_CLOSE: Final = "session_close"

FILE: Final = Path(__file__).with_name("tools.json")

_READS_ONLY: Final = {"readOnlyHint": True, "openWorldHint": False}
_LOOKS: Final = {"readOnlyHint": True, "openWorldHint": True}
_CHANGES: Final = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
_OWN: Final = {
    "readOnlyHint": False,
    "destructiveHint": False,
    "idempotentHint": False,
    "openWorldHint": False,
}
"""What changes this server's own state and nobody else's."""

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
    SESSION_OPEN: (
        "Open a browser session",
        "Start a browser to drive step by step, and get its sessionId for the other session tools. It stays "
        "open between calls until session_close, or until it is asked nothing for idleLifetimeS seconds.",
        {**_OWN, "openWorldHint": True},
    ),
    SESSION_OBSERVE: (
        "Observe a page",
        "List the visible elements that can be acted on (role, name, state), each with a ref to act by. "
        "Refs are good for the document they were observed in. Names are the page's own words.",
        _LOOKS,
    ),
    SESSION_ACT: (
        "Act on a page",
        "Do one step, once, on the element of a ref: click, fill, select, press, check, uncheck, hover. A "
        "click is verified by a postcondition only; without one mutationState is unknown. Never repeat such "
        "a step without looking first.",
        _CHANGES,
    ),
    SESSION_READ: (
        "Read a page",
        "Title, address and rendered, visible text of a tab; never what inputs hold. It is the page's own "
        "words.",
        _LOOKS,
    ),
    SESSION_ASSERT: (
        "Assert something of a page",
        "Whether the address, the title or the visible text is what it should be, waiting at most 3 s.",
        _LOOKS,
    ),
    SESSION_NAVIGATE: ("Navigate", "Go to an http or https address that the session may reach.", _CHANGES),
    SESSION_RELOAD: ("Reload", "Load the document of a tab again.", _CHANGES),
    SESSION_LIST_TABS: (
        "List tabs",
        "The session's tabs whose origins are allowed, oldest first. Listing selects nothing.",
        _LOOKS,
    ),
    SESSION_SELECT_TAB: ("Select a tab", "From now on that tab is meant where none is named.", _OWN),
    SESSION_WAIT_POPUP: (
        "Wait for a popup",
        "A tab that the opener has opened and that no earlier call has given, waiting at most 5 s. It is not "
        "selected by that.",
        _LOOKS,
    ),
    SESSION_CLOSE_TAB: ("Close a tab", "Close one tab of the session.", _CHANGES),
    SESSION_EVIDENCE: (
        "Keep evidence of a page",
        "Keep a screenshot, diagnostics or whole Evidence of a tab as private files on the server's machine, "
        "and answer with where they are. Their contents are not sent.",
        {**_OWN, "openWorldHint": True},
    ),
    SESSION_NARROW: (
        "Narrow where calls may go",
        "A context to pass with calls that may reach fewer origins. It binds no other call.",
        _READS_ONLY,
    ),
    SESSION_CLOSE: ("Close a browser session", "End the session and its browser.", _OWN),
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
        **_session_schemas(),
    }


def _session_schemas() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    from rea_capture.contracts.runtime import results  # noqa: PLC0415 - only to write the file
    from rea_capture.contracts.runtime.settings import SessionSettings  # noqa: PLC0415 - as above
    from rea_capture.mcp_server.browsing import messages  # noqa: PLC0415 - as above

    def pair(call: Any, result: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return _schema(call), _output(result | messages.SessionRefusal)

    return {
        SESSION_OPEN: pair(SessionSettings, messages.SessionOpened),
        SESSION_OBSERVE: pair(messages.ObserveCall, results.ObserveResult),
        SESSION_ACT: pair(messages.ActCall, results.ActResult),
        SESSION_READ: pair(messages.ReadCall, results.ReadResult),
        SESSION_ASSERT: pair(messages.AssertCall, results.AssertResult),
        SESSION_NAVIGATE: pair(messages.NavigateCall, results.NavigateResult),
        SESSION_RELOAD: pair(messages.ReloadCall, results.NavigateResult),
        SESSION_LIST_TABS: pair(messages.ListTabsCall, results.ListTabsResult),
        SESSION_SELECT_TAB: pair(messages.SelectTabCall, results.SelectTabResult),
        SESSION_WAIT_POPUP: pair(messages.WaitPopupCall, results.WaitPopupResult),
        SESSION_CLOSE_TAB: pair(messages.CloseTabCall, results.CloseTabResult),
        SESSION_EVIDENCE: pair(messages.CaptureEvidenceCall, results.CaptureEvidenceResult),
        SESSION_NARROW: pair(messages.NarrowCall, results.NarrowOriginPolicyResult),
        SESSION_CLOSE: pair(messages.CloseCall, results.CloseResult),
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
    """The published schema of a comparison's input, where a side may also be the id of a result.

    Titles and descriptions of what is inside of the two documents are left out, a quarter of the whole: a
    model is given this schema with every conversation, and passes such documents on but never writes them.
    """
    from rea_capture.contracts.schemas import schema_text  # noqa: PLC0415 - only to write the file
    from rea_capture.mcp_server.messages import StoredEvidence  # noqa: PLC0415 - as above

    published: dict[str, Any] = json.loads(schema_text("comparison-input"))
    reference = _schema(StoredEvidence)
    del reference["$schema"]
    for side in ("before_scenario", "after_scenario"):
        published["properties"][side]["anyOf"].insert(0, reference)
    documents = _reached(published["properties"]["before_scenario"], published["$defs"])
    published["$defs"] |= {name: _bare(published["$defs"][name]) for name in documents}
    return published


def _bare(schema: Any) -> Any:
    """``schema`` without what only explains it."""
    if isinstance(schema, list):
        return [_bare(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in {"title", "description"}}
    members = kept.pop("properties", None)
    named = {} if members is None else {"properties": {name: _bare(each) for name, each in members.items()}}
    return {**{key: _bare(value) for key, value in kept.items()}, **named}


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
