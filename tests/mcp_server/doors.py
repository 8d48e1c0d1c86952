"""The four doors to the same work: command line, Python, and MCP over pipes and over HTTP.

Below: the package, ``serving``. Above: ``test_parity``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import anyio
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

from rea_capture import capture, compare, evidence_bytes, read_scenario, verify
from rea_capture.errors import ReaError
from tests.mcp_server.serving import PATIENCE_S, Place

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Refused:
    """What a door said in place of a result: its code, sentence, each fault as pointer and sentence, and what
    to do.
    """

    code: str
    message: str
    details: tuple[tuple[str, str], ...]
    recovery: str


Outcome: TypeAlias = Document | Refused
Door: TypeAlias = Callable[[str, Document], Awaitable[Outcome]]
"""Gets the name of a tool and its arguments; gives Evidence, what was verified, or the refusal."""

_COMMANDS: Final = {
    "capture_browser_scenario": "capture-browser-scenario",
    "compare_web_captures": "compare-web-captures",
    "verify_evidence": "verify",
}


@asynccontextmanager
async def doors(place: Place, http_address: str, folder: Path) -> AsyncIterator[Mapping[str, Door]]:
    """Every door, open."""
    async with AsyncExitStack() as stack:
        errors = stack.enter_context((folder / "stderr").open("w"))
        piped = stdio_client(place.parameters("--inline-bytes", "10000000"), errors)
        pipes = await stack.enter_async_context(Client(piped, mode="legacy"))
        http = await stack.enter_async_context(Client(http_address))
        yield {
            "command line": _command_line(place, folder),
            "python": _python(place),
            "mcp over pipes": _tools(pipes),
            "mcp over http": _tools(http),
        }


def _command_line(place: Place, folder: Path) -> Door:
    async def ask(tool: str, arguments: Document) -> Outcome:
        given = folder / "input.json"
        given.write_text(json.dumps(arguments["document"] if tool == "verify_evidence" else arguments))
        command = [sys.executable, "-m", "rea_capture", _COMMANDS[tool], str(given)]
        done = await anyio.to_thread.run_sync(
            lambda: subprocess.run(
                command, env=place.environ, capture_output=True, timeout=PATIENCE_S, check=False
            )
        )
        if done.returncode:
            error = json.loads(done.stderr)["error"]
            details = tuple((each["pointer"], each["message"]) for each in error["details"])
            return Refused(error["code"], error["message"], details, error["recovery"])
        document: Document = json.loads(done.stdout)
        return _verified(document["documents"][0]) if tool == "verify_evidence" else document

    return ask


def _python(place: Place) -> Door:
    async def ask(tool: str, arguments: Document) -> Outcome:
        try:
            if tool == "capture_browser_scenario":
                made = await capture(read_scenario(arguments), environ=place.environ)
                return _plain(evidence_bytes(made))
            if tool == "compare_web_captures":
                sides = arguments["before_scenario"], arguments["after_scenario"]
                return _plain(evidence_bytes(compare(*sides, arguments.get("normalization"))))
            found = verify(arguments["document"])
            return {"kind": found.kind, "evidence_id": found.evidence_id}
        except ReaError as error:
            details = tuple((fault.pointer, fault.message) for fault in error.faults)
            return Refused(error.code, error.message, details, error.recovery)

    return ask


def _tools(client: Client) -> Door:
    async def ask(tool: str, arguments: Document) -> Outcome:
        result = await client.call_tool(tool, arguments)
        answer: Document = result.structured_content
        if result.is_error:
            error = answer["error"]
            details = tuple((each["pointer"], each["message"]) for each in error["details"])
            return Refused(error["code"], error["message"], details, error["recovery"])
        if tool == "verify_evidence":
            return _verified(answer)
        evidence: Document = answer["evidence"]
        assert answer["evidence_id"] == evidence["evidence_id"]
        return evidence

    return ask


def _verified(row: Document) -> Document:
    return {name: row[name] for name in ("kind", "evidence_id")}


def _plain(data: bytes) -> Document:
    document: Document = json.loads(data)
    return document
