"""A program drives real browsers over lines, and nothing is left of them, whoever is killed."""

from __future__ import annotations

import base64
import json
import os
import signal
import struct
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.budgets import MAX_SCREENSHOT_BYTES
from tests.cli.running import COMMAND, rea
from tests.loopback import Answer, Loopback, Seen
from tests.session.worker.places import Places
from tests.session.worker.served import Served, runs, served, until

SECRET = "correct-horse-battery"
SIGN_IN = """<title>Sign in</title><form action=/in method=post>
<label>User <input name=user></label> <label>Password <input name=password type=password></label>
<button>Sign in</button></form>"""


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Places]:
    made = Places(tmp_path)
    yield made
    made.clear()


@pytest.fixture
def worker(places: Places) -> Iterator[Served]:
    with served([*COMMAND, "browser", "serve"], places.environ) as made:
        assert made.hello()["hello"] == "rea-browser"
        yield made


def settings(chromium: str, **more: Any) -> dict[str, Any]:
    return {"settings": {"browser": {"mode": "launch", "executablePath": chromium}, **more}}


def opened(worker: Served, chromium: str, **more: Any) -> str:
    return str(worker.result("open", request=settings(chromium, **more))["sessionId"])


def never_answered(loopback: Loopback) -> tuple[str, threading.Event, threading.Event]:
    """The address of a page that does not come, when it was asked for, and what lets it go."""
    asked, over = threading.Event(), threading.Event()

    def hold(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        asked.set()
        over.wait(60)
        return Answer("late")

    return loopback.route("/never", hold), asked, over


def test_an_agent_signs_in_step_by_step_and_nothing_shows_the_password(
    worker: Served, places: Places, loopback: Loopback, chromium_path: str, tmp_path: Path
) -> None:
    loopback.route("/in", lambda _, seen: Answer(f"<title>Inside</title><p>Welcome<p>{seen.body.decode()}"))
    (tmp_path / "accounts.json").write_text(json.dumps({"tester": SECRET}))
    source = {"source": "jsonFile", "path": str(tmp_path / "accounts.json"), "entry": "tester"}
    said = [worker.ask("open", request=settings(
        chromium_path,
        allowedOrigins=[loopback.origin],
        credentials={"password": source},
        adapter={"kind": "accessible-name"},
    ))]  # fmt: skip
    session = said[0]["result"]["sessionId"]

    def ask(op: str, **request: Any) -> Any:
        said.append(worker.ask(op, session, request=request))
        assert "result" in said[-1], said[-1]
        return said[-1]["result"]

    assert ask("navigate", url=loopback.route("/", SIGN_IN))["status"] == 200
    named = {each["name"]: each["ref"] for each in ask("observe")["elements"]}
    assert set(named) == {"User", "Password", "Sign in"}
    user = {"instruction": "Fill", "action": "fill", "ref": named["User"], "value": "tester"}
    assert ask("act", step=user)["verifiedBy"] == "value"
    password = {**user, "ref": named["Password"], "value": {"credential": "password"}}
    assert ask("act", step=password)["mutationState"] == "verified"
    sign_in = {
        "instruction": "Press 'Sign in'",
        "action": "click",
        "postcondition": {"kind": "title", "value": "Inside"},
    }
    clicked = ask("act", step=sign_in)
    assert (clicked["verifiedBy"], clicked["adapter"]) == ("postcondition", "accessible-name")
    assert "Welcome" in ask("read")["text"]
    [picture, diagnostics] = ask("captureEvidence", runId="run")["artifacts"]
    data = base64.b64decode(picture["dataBase64"])
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (1280, 720)
    assert len(data) == picture["byteLength"] <= MAX_SCREENSHOT_BYTES
    assert SECRET not in base64.b64decode(diagnostics["dataBase64"]).decode()
    assert ask("close") == {"problems": []}
    assert [each.body for each in loopback.seen if each.method == "POST"] == [
        f"user=tester&password={SECRET}".encode()
    ]
    assert SECRET not in json.dumps(said)
    assert "[REDACTED:password]" in json.dumps(said)
    worker.end_input()
    assert worker.status() == 0
    assert places.leftovers() == []


def test_four_sessions_run_in_parallel_each_with_a_browser_of_its_own(
    worker: Served, places: Places, loopback: Loopback, chromium_path: str
) -> None:
    together = threading.Barrier(4)

    def when_all_are_there(_: BaseHTTPRequestHandler, seen: Seen) -> Answer:
        together.wait(60)
        name = seen.target.partition("=")[2]
        return Answer(f"<title>{name}</title>", headers=[("Set-Cookie", f"who={name}")])

    url = loopback.route("/all", when_all_are_there)
    cookies = loopback.route("/cookies", lambda _, seen: Answer(f"<p>{seen.headers.get('cookie')}"))
    sessions = [opened(worker, chromium_path) for _ in range(4)]
    assert len(places.browsers()) == 4
    profiles = {line.split("--user-data-dir=")[1].split()[0] for pid, line in places.processes().items()
                if pid in places.browsers()}  # fmt: skip
    assert len(profiles) == 4
    going = [
        worker.send("navigate", session, request={"url": f"{url}?name=n{number}"})
        for number, session in enumerate(sessions)
    ]
    titles = [worker.answer(each)["result"]["tab"]["title"] for each in going]
    assert titles == ["n0", "n1", "n2", "n3"]
    for number, session in enumerate(sessions):
        worker.result("navigate", session, request={"url": cookies})
        assert worker.result("read", session)["text"] == f"who=n{number}"
    assert worker.result("close", sessions[0]) == {"problems": []}
    assert len(places.browsers()) == 3
    worker.process.send_signal(signal.SIGTERM)
    assert worker.status() == 128 + signal.SIGTERM
    assert places.leftovers() == []


def test_navigations_under_way_end_by_being_cancelled_or_by_a_signal_and_leave_nothing(
    worker: Served, places: Places, loopback: Loopback, chromium_path: str
) -> None:
    url, asked, over = never_answered(loopback)
    session = opened(worker, chromium_path)
    going = worker.send("navigate", session, request={"url": url})
    assert asked.wait(60)
    assert worker.result("cancel", request={"id": going}) == {"cancelled": True}
    error = worker.answer(going)["error"]
    assert (error["code"], error["mutationState"]) == ("cancelled", "unknown")
    fine = loopback.route("/fine", "<title>Fine</title>")
    assert worker.result("navigate", session, request={"url": fine})["tab"]["title"] == "Fine"
    asked.clear()
    going = worker.send("navigate", session, request={"url": url})
    assert asked.wait(60)
    worker.process.send_signal(signal.SIGINT)
    assert [(each["id"], each["error"]["code"]) for each in worker.rest()] == [(going, "cancelled")]
    over.set()
    assert worker.status() == 128 + signal.SIGINT
    assert places.leftovers() == []


def test_a_driver_that_dies_costs_its_sessions_and_none_that_are_opened_after_it(
    worker: Served, places: Places, chromium_path: str
) -> None:
    session = opened(worker, chromium_path)
    [driver] = [pid for pid, line in places.processes().items() if "run-driver" in line]
    os.kill(driver, signal.SIGKILL)
    error = worker.ask("read", session)["error"]
    assert (error["code"], error["mutationState"]) == ("browser_gone", "not_attempted")
    until(lambda: not runs(driver), "the end of the driver")
    assert "result" in worker.ask("read", opened(worker, chromium_path))  # on a driver of its own
    assert worker.result("close", session) == {"problems": []}
    worker.end_input()
    assert worker.status() == 0
    assert places.leftovers() == []


PARENT = """
import asyncio, sys
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.frames import OpenRequest
from rea_capture.contracts.runtime.operations import NavigateOperation, NavigateRequest
from rea_capture.contracts.runtime.settings import LaunchSettings, SessionSettings
from rea_capture.session.transport.process import ProcessTransport

async def main(chromium, url):
    transport = ProcessTransport()
    settings = SessionSettings(browser=LaunchSettings(executable_path=chromium))
    opened = await transport.open(OpenRequest(settings=settings))
    print('{"worker": %d}' % transport.pid, flush=True)
    going = NavigateOperation(op="navigate", request=NavigateRequest(url=url))
    try:
        await transport.dispatch(opened.session_id, going)
    except BrowserOperationError as error:
        print(error.details.model_dump_json(by_alias=True), flush=True)
    await transport.close()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("killed", ["parent", "worker", "both"])
def test_whoever_is_killed_nothing_is_left(
    places: Places, loopback: Loopback, chromium_path: str, killed: str
) -> None:
    url, asked, over = never_answered(loopback)
    with served([sys.executable, "-c", PARENT, chromium_path, url], places.environ) as parent:
        worker = parent.next()["worker"]
        assert asked.wait(60)
        assert len(places.browsers()) == 1
        if killed != "parent":
            os.kill(worker, signal.SIGKILL)
        if killed != "worker":
            os.kill(parent.process.pid, signal.SIGKILL)
        if killed == "worker":
            error = parent.next()
            assert (error["code"], error["mutationState"]) == ("worker_gone", "unknown")
            assert parent.status() == 0
        until(lambda: not runs(worker), "the end of the worker")
        until(lambda: not places.processes(), "the end of the browser and its driver")
        over.set()
    if killed == "both":  # nobody is there who could delete the profile; the next launch does, or this
        cleaned = rea("clean", "--json", env=places.environ)
        assert [each["outcome"] for each in cleaned.document["launches"]] == ["removed"], cleaned.document
    assert places.leftovers() == []
