"""Browser sessions over the protocol: a client that is not ours drives one from call to call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import CloseOperation, ObserveOperation
from rea_capture.mcp_server import catalogue
from rea_capture.mcp_server.browsing.sessions import BrowserSessions
from rea_capture.mcp_server.browsing.tools import OPERATIONS, SESSION_TOOLS
from rea_capture.mcp_server.limits import MAX_BROWSER_SESSIONS
from rea_capture.session.runtime import BrowserRuntime
from tests.browser.cleanup.command import wait_until
from tests.loopback import Loopback
from tests.mcp_server.serving import Place, served_http

LOGIN = """<title>Log in</title><label>Name <input id=name></label><button onclick="
  document.body.append('Welcome ' + document.getElementById('name').value)">Log in</button>"""


@pytest.fixture
def errors(tmp_path: Path) -> Iterator[Any]:
    """Where a server's standard error goes, which a client wants to be a file."""
    with (tmp_path / "stderr").open("w+") as stream:
        yield stream


@asynccontextmanager
async def piped(place: Place, errors: Any) -> AsyncIterator[Client]:
    """The library's own client; it checks structured content against each tool's schema, and raises."""
    async with Client(stdio_client(place.parameters(), errors), mode="legacy") as client:
        yield client


async def asked(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer to a call."""
    result = await client.call_tool(tool, arguments)
    answer: dict[str, Any] = result.structured_content or {}
    assert result.is_error is ("error" in answer), answer
    return answer


async def drive(client: Client, page: str) -> str:
    """What an agent does: open, look, type, click, read. Gives the session, which stays open."""
    opened = await asked(client, "session_open", allowedOrigins=[page.removesuffix("/")])
    session = opened["sessionId"]
    await asked(client, "session_navigate", sessionId=session, url=page)
    seen = await asked(client, "session_observe", sessionId=session)
    refs = {each["role"]: each["ref"] for each in seen["elements"]}
    typed = {"instruction": "Type the name", "action": "fill", "ref": refs["textbox"], "value": "Ada"}
    filled = await asked(client, "session_act", sessionId=session, step=typed)
    pressed = {
        "instruction": "Log in",
        "action": "click",
        "ref": refs["button"],
        "postcondition": {"kind": "text", "value": "Welcome Ada"},
    }
    clicked = await asked(client, "session_act", sessionId=session, step=pressed)
    read = await asked(client, "session_read", sessionId=session)
    assert (filled["verifiedBy"], clicked["verifiedBy"]) == ("value", "postcondition")
    assert "Welcome Ada" in read["text"]
    return str(session)


async def test_a_session_survives_calls_and_is_closed_by_one(
    place: Place, loopback: Loopback, errors: Any
) -> None:
    page = loopback.route("/", LOGIN)
    async with piped(place, errors) as client:
        session = await drive(client, page)
        outside = await asked(client, "session_navigate", sessionId=session, url="http://example.invalid/")
        listed = await asked(client, "session_list_tabs", sessionId=session)
        closed = await asked(client, "session_close", sessionId=session)
        again = await asked(client, "session_close", sessionId=session)
        late = await asked(client, "session_read", sessionId=session)
        never = await asked(client, "session_read", sessionId="nothing")
        wrong = await asked(client, "session_act", sessionId=session, step={"action": "click"})
    assert outside["error"]["code"] == "origin_refused"
    assert outside["error"]["mutationState"] == "not_attempted"
    assert [tab["url"] for tab in listed["tabs"]] == [page]
    assert closed == again == {"problems": []}
    assert (late["error"]["code"], never["error"]["code"]) == ("session_closed", "unknown_session")
    assert wrong["error"]["code"] == "invalid_request"
    assert [each["pointer"] for each in wrong["error"]["faults"]] == ["/step/instruction"]


async def test_a_server_that_ends_takes_its_sessions_with_it(
    place: Place, loopback: Loopback, errors: Any
) -> None:
    async with piped(place, errors) as client:
        await drive(client, loopback.route("/", LOGIN))
        assert place.browsers()
    wait_until(lambda: not place.leftovers(), "everything of the server to be gone")


async def test_over_http_the_same_agent_does_the_same(place: Place, loopback: Loopback) -> None:
    with served_http(place) as (_, address):
        async with Client(address) as client:
            session = await drive(client, loopback.route("/", LOGIN))
        async with Client(address) as another:
            still = await asked(another, "session_read", sessionId=session)
    assert "Welcome Ada" in still["text"]
    wait_until(lambda: not place.leftovers(), "everything of the server to be gone")


async def test_a_server_may_have_no_session_tools(place: Place, errors: Any) -> None:
    parameters = place.parameters("--no-sessions")
    async with Client(stdio_client(parameters, errors), mode="legacy") as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        refused = (await client.call_tool("session_open", {})).structured_content
    assert names == [name for name in (tool["name"] for tool in catalogue.tools()) if "session_" not in name]
    assert refused is not None
    assert refused["error"]["code"] == "unknown_tool"


class Silent:
    """In place of a browser: opened at once, answers nothing, and says when it is closed."""

    opened_count = 0
    closed: list[str]

    def __init__(self) -> None:
        Silent.opened_count += 1
        self.session_id = f"s{Silent.opened_count}"
        self.opened = self
        self.is_closed = asyncio.Event()

    async def close(self) -> None:
        self.is_closed.set()


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> list[Silent]:
    """Every session that is opened is one of these."""
    made: list[Silent] = []

    async def opened(_: Any) -> Silent:
        made.append(Silent())
        return made[-1]

    monkeypatch.setattr(BrowserRuntime, "open", opened)
    return made


async def test_a_session_that_nobody_asks_anything_is_closed_and_said_to_have_expired(
    silent: list[Silent],
) -> None:
    sessions = BrowserSessions(None, idle_s=0.01)
    await sessions.open({})
    await asyncio.wait_for(silent[0].is_closed.wait(), 5)
    with pytest.raises(BrowserOperationError) as raised:
        await sessions.dispatch(silent[0].session_id, ObserveOperation(op="observe"), None)
    assert raised.value.details.code == "session_expired"
    assert "0.01 s" in raised.value.details.message


async def test_there_are_only_so_many_sessions_and_closing_one_makes_room(silent: list[Silent]) -> None:
    sessions = BrowserSessions(None)
    for _ in range(MAX_BROWSER_SESSIONS):
        await sessions.open({})
    with pytest.raises(BrowserOperationError) as raised:
        await sessions.open({})
    assert raised.value.details.code == "too_many"
    await sessions.dispatch(silent[0].session_id, CloseOperation(op="close"), None)
    await sessions.open({})
    await sessions.close()
    assert all(each.is_closed.is_set() for each in silent)


def test_every_operation_of_the_runtime_has_its_tool() -> None:
    from rea_capture.contracts.runtime.operations import OPERATIONS as NAMES

    assert {operation.op for operation in OPERATIONS.values()} | {"close"} == set(NAMES)
    listed = {tool["name"] for tool in catalogue.tools()}
    assert set(SESSION_TOOLS) <= listed
