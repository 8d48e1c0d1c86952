"""The MCP Inspector's command line, a client in another language by other people.

It is started with npx, which fetches it by name the first time. A machine without npx, or without a way to
the packages, cannot run it; there the protocol is held by the other tests of this folder, and this one says
that it was skipped.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any, Final

import pytest

from tests.mcp_server.serving import SERVE, Place

INSPECTOR: Final = "@modelcontextprotocol/inspector@2"
A_TOOL_REFUSED: Final = 5
"""The Inspector's own status for an answer with isError."""

FETCHING_S: Final = 600
"""Some two hundred packages, once a machine."""

pytestmark = pytest.mark.skipif(
    shutil.which("npx") is None,
    reason="npx is not installed: the MCP Inspector is a Node program; install Node 20 or newer to run it",
)


@pytest.fixture(scope="module")
def inspector() -> str:
    """The Inspector, fetched."""
    asked = ["npx", "--yes", "--package", INSPECTOR, "--call", "true"]
    fetched = subprocess.run(asked, capture_output=True, text=True, timeout=FETCHING_S, check=False)
    if fetched.returncode:
        pytest.skip(f"npm could not fetch {INSPECTOR}: {fetched.stderr[-200:]}")
    return INSPECTOR


def inspected(inspector: str, place: Place, *arguments: str, status: int) -> Any:
    """What the Inspector prints of one request to a server of its own; ``status`` is what it ends with."""
    environ = {**place.environ, "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    named = [
        part
        for name in ("TMPDIR", "XDG_STATE_HOME", "REA_EXECUTABLE_PATH")
        for part in ("-e", f"{name}={environ[name]}")
    ]
    done = subprocess.run(
        ["npx", "--yes", inspector, "--cli", *named, *SERVE, *arguments],
        env=environ, capture_output=True, text=True, timeout=FETCHING_S, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr[-2_000:] + done.stdout[-2_000:]
    return json.loads(done.stdout)


def test_the_inspector_calls_a_tool_and_is_told_why_it_is_refused(inspector: str, place: Place) -> None:
    # It lists the tools first, and makes the arguments by the schema of the one it calls.
    unknown = "ev_" + "0" * 64
    asked = ["--tool-arg", f"evidence_id={unknown}", "--tool-arg", "offset=0"]
    call = ["--method", "tools/call", "--tool-name", "read_evidence", *asked]
    result = inspected(inspector, place, *call, status=A_TOOL_REFUSED)
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "evidence_not_kept"
    assert place.leftovers() == []


def test_the_inspector_makes_the_sides_of_a_comparison_by_their_whole_schema(
    inspector: str, place: Place
) -> None:
    unknown = json.dumps({"evidence_id": "ev_" + "0" * 64})
    sides = [f"{side}={unknown}" for side in ("before_scenario", "after_scenario")]
    asked = [part for side in sides for part in ("--tool-arg", side)]
    call = ["--method", "tools/call", "--tool-name", "compare_web_captures", *asked]
    error = inspected(inspector, place, *call, status=A_TOOL_REFUSED)["structuredContent"]["error"]
    assert error["code"] == "evidence_not_kept"
    assert [each["pointer"] for each in error["details"]] == [
        "/before_scenario/evidence_id",
        "/after_scenario/evidence_id",
    ]
