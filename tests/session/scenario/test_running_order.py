"""The published order of a run, seen from outside: what hooks, server and session note in one log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.operations import (
    ActOperation,
    CloseTabOperation,
    NavigateOperation,
    SelectTabOperation,
    WaitPopupOperation,
)
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import ListTabsResult
from tests.session.scenario.scripted import (
    FIRST,
    PAGE,
    ScriptedBrowsing,
    file_of,
    noted,
    noting,
    python,
    run,
    statuses,
    tab,
)
from tests.session.scenario.serving import asked, free_port, managed

ASKS_THE_SERVER = """
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
status = opener.open(sys.argv[2], timeout=5).status
open(sys.argv[1], "a").write(f"cleanup, and the server says {status}\\n")
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


async def test_everything_comes_in_the_published_order(log: Path) -> None:
    port = free_port()
    file = file_of(
        {"op": "read"},
        {"op": "step", "step": {"instruction": "Continue", "action": "click"}},
        fixture=managed(log, port),
        hooks={
            "setup": noting(log, "setup"),
            "reset": noting(log, "reset"),
            "cleanup": python(ASKS_THE_SERVER, str(log), f"http://127.0.0.1:{port}/health"),
        },
    )
    report = await run(file, ScriptedBrowsing(log))
    lines = noted(log)
    assert [line for line in lines if line != "GET /health"] == [
        "setup",
        "server starts",
        "reset",
        "open",
        "navigate",
        "read",
        "act",
        "close browser",
        "cleanup, and the server says 200",
        "close store",
    ]
    assert lines.index("server starts") < lines.index("GET /health") < lines.index("reset")
    assert report.status == "passed"
    assert report.error is None
    assert set(statuses(report).values()) == {"passed"}
    assert [each.status for each in report.operations] == ["passed", "passed"]
    assert report.browser == "Scripted 1.0"
    assert asked(port, "/health") is None


async def test_what_a_file_does_not_have_is_reported_as_not_run(log: Path) -> None:
    report = await run(file_of(), ScriptedBrowsing(log))
    assert noted(log) == ["open", "read", "close browser", "close store"]
    assert statuses(report) == {
        "setup": "not_run",
        "server": "not_run",
        "reset": "not_run",
        "session": "passed",
        "operations": "passed",
        "cleanup": "not_run",
        "shutdown": "passed",
    }
    assert {each.message for each in report.phases if each.status == "not_run"} == {"The file has none."}


async def test_the_first_tab_goes_to_the_base_url_before_the_first_operation(log: Path) -> None:
    browsing = ScriptedBrowsing(log)
    await run(file_of(fixture={"baseUrl": f"{PAGE}/start"}), browsing)
    first, _ = browsing.requests[0]
    assert isinstance(first, NavigateOperation)
    assert first.request.url == f"{PAGE}/start"


def of(operation: str, result: str, index: int | None = None) -> dict[str, Any]:
    reference = {"source": "operation", "operation": {"id": operation}, "result": result}
    return {"tab": reference if index is None else {**reference, "index": index}}


async def test_references_become_the_handles_that_earlier_operations_gave(log: Path) -> None:
    browsing = ScriptedBrowsing(log)
    file = file_of(
        {"id": "tabs", "op": "listTabs", "request": {"select": {"kind": "index", "index": 1}}},
        {"id": "picked", "op": "selectTab", "request": of("tabs", "listedTab")},
        {"id": "placed", "op": "selectTab", "request": of("tabs", "listedTab", 0)},
        {"id": "popup", "op": "waitPopup", "request": {"opener": of("picked", "selectedTab")["tab"]}},
        {
            "op": "step",
            "step": {"instruction": "Continue", "action": "click"},
            "tab": of("popup", "popup")["tab"],
        },
        {"op": "closeTab", "request": {"tab": {"source": "initial"}}},
    )
    report = await run(file, browsing)
    assert report.status == "passed"
    _, picked, placed, popup, step, closed = (request for request, _ in browsing.requests)
    assert isinstance(picked, SelectTabOperation)
    assert picked.request.tab == "tab-second"
    assert isinstance(placed, SelectTabOperation)
    assert placed.request.tab == FIRST
    assert isinstance(popup, WaitPopupOperation)
    assert popup.request.opener == "tab-second"
    assert isinstance(step, ActOperation)
    assert step.request.tab == "tab-popup"
    assert isinstance(closed, CloseTabOperation)
    assert closed.request.tab == FIRST


async def test_a_place_that_the_list_does_not_have_fails_without_asking_for_anything(log: Path) -> None:
    browsing = ScriptedBrowsing(log, {"listTabs": ListTabsResult(tabs=(tab(),), omitted=0)})
    file = file_of(
        {"id": "tabs", "op": "listTabs"}, {"op": "selectTab", "request": of("tabs", "listedTab", 3)}
    )
    report = await run(file, browsing)
    assert [each.status for each in report.operations] == ["passed", "failed"]
    assert report.error is not None
    assert report.error.code == "unknown_tab"
    assert report.error.mutation_state == "not_attempted"
    assert "selectTab" not in noted(log)


async def test_one_operation_is_narrowed_and_the_next_is_not(log: Path) -> None:
    browsing = ScriptedBrowsing(log)
    other = "http://127.0.0.1:1"
    await run(
        file_of(
            {"op": "read", "allowedOrigins": [PAGE, "http://127.0.0.1:2"]},
            {"op": "read"},
            settings={"allowedOrigins": [PAGE, other]},
        ),
        browsing,
    )
    assert [context for _, context in browsing.requests] == [
        OperationContext(allowed_origins=(PAGE,)),
        None,
    ]


async def test_two_runs_have_names_of_their_own(log: Path) -> None:
    first, second = [await run(file_of(), ScriptedBrowsing(log)) for _ in range(2)]
    assert first.run_id != second.run_id
    assert first.scenario_id == second.scenario_id == "scenario"
