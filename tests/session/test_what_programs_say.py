"""What a program says in Python: tabs as they come, contexts as they come, and errors that say what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.reading import validated
from rea_capture.contracts.runtime.errors import (
    BrowserErrorDetails,
    BrowserFault,
    BrowserOperationError,
)
from rea_capture.contracts.runtime.frames import OpenRequest
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import (
    CloseTabResult,
    ElementState,
    NarrowOriginPolicyResult,
    ObservedElement,
    SelectTabResult,
    WaitPopupResult,
)
from rea_capture.contracts.runtime.scenario_file import ScenarioFile
from rea_capture.mcp_server.arguments import read_arguments
from rea_capture.session.configuration import configured
from rea_capture.session.runtime import BrowserRuntime
from tests.session.scripted_transport import TAB, Scripted, failed, opened

NARROW = OperationContext(allowed_origins=("http://127.0.0.1",))


async def test_a_tab_of_a_result_is_a_tab_of_a_request(tmp_path: Path) -> None:
    worker = Scripted(
        {
            "selectTab": SelectTabResult(tab=TAB),
            "closeTab": CloseTabResult(closed="t1"),
            "waitPopup": WaitPopupResult(tab=TAB),
        }
    )
    async with await opened(worker, tmp_path) as browser:
        await browser.observe(tab=TAB)
        await browser.select_tab(TAB)
        await browser.close_tab(TAB)
        await browser.wait_popup(opener=TAB)
    asked = [operation.wire()["request"] for operation, _ in worker.asked]
    assert asked == [{"tab": "t1"}, {"tab": "t1"}, {"tab": "t1"}, {"opener": "t1"}, {}]


@pytest.mark.parametrize(
    "context",
    [
        NARROW,
        NarrowOriginPolicyResult(context=NARROW),
        {"allowedOrigins": ["http://127.0.0.1"]},
        {"allowed_origins": ("http://127.0.0.1",)},
    ],
)
async def test_a_context_may_be_said_in_any_form_that_there_is(context: Any, tmp_path: Path) -> None:
    worker = Scripted()
    async with await opened(worker, tmp_path) as browser:
        await browser.observe(context=context)
    assert worker.asked[0][1] == NARROW


async def test_a_context_that_is_none_is_an_error_like_any_other(tmp_path: Path) -> None:
    async with await opened(Scripted(), tmp_path) as browser:
        details = await failed(browser.observe(context={"allowedOrigins": "http://127.0.0.1"}))
    assert (details.code, details.faults[0].pointer) == ("invalid_request", "/context/allowedOrigins")


def test_an_error_says_what_its_details_say_and_what_to_do() -> None:
    error = BrowserOperationError(
        BrowserErrorDetails(
            operation="observe",
            phase="resolve",
            code="unknown_tab",
            message="There is no tab t9.",
            recovery="List the tabs.",
            retry="after_change",
            mutation_state="not_attempted",
            faults=(BrowserFault(pointer="/tab", message="is unknown"),),
        )
    )
    assert (error.code, error.recovery, error.exit_status) == ("unknown_tab", "List the tabs.", 69)
    assert [(each.pointer, each.message) for each in error.faults] == [("/tab", "is unknown")]
    assert error.message == "There is no tab t9."
    assert str(error) == "There is no tab t9. List the tabs."


def test_an_element_is_shown_with_what_there_is_of_it() -> None:
    element = ObservedElement(ref="e1", role="checkbox", name="Keep", state=ElementState(checked="true"))
    shown = "ObservedElement(ref='e1', role='checkbox', name='Keep', state=ElementState(checked='true'))"
    assert repr(element) == shown


@pytest.mark.parametrize(
    ("browser", "mode"),
    [({}, "launch"), ({"headless": False}, "launch"), ({"cdpEndpoint": "http://127.0.0.1:1"}, "attach")],
)
def test_every_way_in_takes_a_browser_without_a_mode_for_the_same(
    browser: dict[str, Any], mode: str, tmp_path: Path
) -> None:
    settings = {"browser": browser}
    file = {"version": 1, "id": "a", "settings": settings, "operations": [{"op": "observe"}]}
    (tmp_path / ".rea").mkdir()
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in browser.items())
    (tmp_path / ".rea" / "browser.toml").write_text("[browser]\n" + lines)
    environ = {"HOME": str(tmp_path)}
    over_lines = validated(
        json.dumps({"settings": settings}).encode(), {"settings": settings}, OpenRequest, what="request"
    )
    over_mcp = read_arguments({"settings": settings}, OpenRequest)
    of_file = validated(json.dumps(file).encode(), file, ScenarioFile, what="scenario file")
    ways = [each.settings for each in (over_lines, over_mcp, of_file)]
    ways.append(configured(settings, folder=Path("/"), environ=environ).settings)
    ways.append(configured({}, folder=tmp_path, environ=environ).settings)
    assert [each.browser.mode for each in ways] == [mode] * 5
    assert [each.browser for each in ways] == [ways[0].browser] * 5


async def test_what_is_wrong_with_the_settings_of_a_call_is_not_said_of_the_configuration() -> None:
    details = await failed(BrowserRuntime.open({"allowedOrigins": "a"}, transport=Scripted()))
    assert details.message.startswith("the call is not valid: /allowedOrigins: must be '*' or an array")
