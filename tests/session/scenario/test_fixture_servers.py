"""The server of a fixture: waited for, owned, named when it is the cause, and stopped."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.results import OperationResult, ReadResult
from tests.loopback import Answer, Loopback
from tests.session.scenario.processes import gone, number_in
from tests.session.scenario.scripted import (
    ScriptedBrowsing,
    file_of,
    noted,
    noting,
    refused,
    run,
    statuses,
    tab,
)
from tests.session.scenario.serving import asked, external, free_port, managed


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


async def test_a_server_that_is_never_ready_stops_before_the_browser(log: Path) -> None:
    port = free_port()
    fixture = managed(log, port, expectedStatus=204, timeoutMs=1_500)
    report = await run(
        file_of(fixture=fixture, hooks={"reset": noting(log, "reset"), "cleanup": noting(log, "cleanup")}),
        ScriptedBrowsing(log),
    )
    assert [line for line in noted(log) if line not in ("GET /health", "server starts")] == [
        "close browser",
        "cleanup",
        "close store",
    ]
    assert statuses(report)["server"] == "failed"
    assert report.error is not None
    assert report.error.code == "server_failed"
    assert "was not ready within 1500 ms" in report.error.message
    assert asked(port, "/health") is None


async def test_a_server_that_ends_before_it_is_ready_is_not_waited_for(log: Path) -> None:
    fixture = managed(log, free_port(), prepare="print('port is taken'); raise SystemExit(7)")
    began = time.monotonic()
    report = await run(file_of(fixture=fixture), ScriptedBrowsing(log))
    assert time.monotonic() - began < 8
    assert report.error is not None
    assert report.error.message == (
        "the fixture's server ended with status 7 before it was ready; it last said: port is taken"
    )
    assert statuses(report)["session"] == "not_run"


async def test_a_program_that_answers_in_place_of_the_server_is_not_taken_for_it(
    log: Path, loopback: Loopback
) -> None:
    loopback.route("/health", "ok")
    fixture = managed(log, int(loopback.origin.rpartition(":")[2]))
    report = await run(file_of(fixture=fixture), ScriptedBrowsing(log))
    assert report.error is not None
    assert "another program answers" in report.error.message
    assert "server starts" not in noted(log)


async def test_a_server_that_dies_while_operations_run_is_named_as_the_cause(log: Path) -> None:
    port = free_port()

    async def dies(_: BrowserOperation) -> OperationResult:
        await asyncio.to_thread(asked, port, "/die")
        raise refused("navigation_failed", "the connection was refused")

    report = await run(
        file_of(
            {"op": "read"},
            {"op": "reload"},
            {"op": "read"},
            fixture=managed(log, port),
            hooks={"cleanup": noting(log, "cleanup")},
        ),
        ScriptedBrowsing(log, {"reload": dies}),
    )
    assert report.status == "failed"
    assert report.error is not None
    assert report.error.code == "server_failed"
    assert report.error.message == (
        "the fixture's server ended with status 3 while it was needed; it last said: out of coffee"
    )
    assert statuses(report)["server"] == "failed"
    assert report.operations[1].error is not None
    assert report.operations[1].error.message == "the connection was refused"
    assert [each.status for each in report.operations] == ["passed", "failed", "not_run"]
    assert noted(log)[-2:] == ["cleanup", "close store"]


async def test_a_server_that_dies_unnoticed_fails_the_run(log: Path) -> None:
    port = free_port()

    async def dies(_: BrowserOperation) -> OperationResult:
        await asyncio.to_thread(asked, port, "/die")
        assert await gone(await number_in(log.with_name("log.leash")))
        return ReadResult(tab=tab(), text="still here", omitted_characters=0)

    report = await run(
        file_of({"op": "read"}, fixture=managed(log, port)), ScriptedBrowsing(log, {"read": dies})
    )
    assert report.operations[0].status == "passed"
    assert report.status == "failed"
    assert report.error is not None
    assert report.error.code == "server_failed"


async def test_a_server_that_does_not_end_is_killed_and_that_is_said(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rea_capture.session.scenario.server.SERVER_STOP_MS", 200)
    port = free_port()
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    report = await run(file_of(fixture=managed(log, port, prepare=stubborn)), ScriptedBrowsing(log))
    assert report.status == "passed"
    assert report.limitations == (
        "The fixture's server did not end within 200 ms of SIGTERM and was killed.",
    )
    assert asked(port, "/health") is None


async def test_an_external_server_is_waited_for_and_left_alone(log: Path, loopback: Loopback) -> None:
    url = loopback.route("/", "ready")
    report = await run(file_of(fixture=external(url)), ScriptedBrowsing(log))
    assert statuses(report)["server"] == "passed"
    assert loopback.targets() == ["GET /"]


async def test_an_external_server_that_is_not_there_fails_the_run(log: Path) -> None:
    report = await run(
        file_of(fixture=external(f"http://127.0.0.1:{free_port()}/", timeoutMs=300)), ScriptedBrowsing(log)
    )
    assert report.error is not None
    assert "nothing listens there, or it refused the connection" in report.error.message
    assert "open" not in noted(log)


async def test_a_redirect_is_an_answer_that_is_not_followed(log: Path, loopback: Loopback) -> None:
    url = loopback.route("/old", Answer(status=302, headers=[("Location", "/new")]))
    report = await run(file_of(fixture=external(url)), ScriptedBrowsing(log))
    assert report.status == "passed"
    report = await run(
        file_of(fixture=external(url, expectedStatus=200, timeoutMs=300)), ScriptedBrowsing(log)
    )
    assert report.error is not None
    assert "it answered with status 302" in report.error.message
    assert "GET /new" not in loopback.targets()


async def test_readiness_asks_no_proxy_of_the_environment(
    log: Path, loopback: Loopback, other_loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, other_loopback.origin)
    report = await run(file_of(fixture=external(loopback.route("/", "ready"))), ScriptedBrowsing(log))
    assert report.status == "passed"
    assert other_loopback.seen == []


async def test_a_server_that_never_answers_is_given_up_at_its_timeout(log: Path) -> None:
    async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(says_nothing, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    began = time.monotonic()
    report = await run(
        file_of(fixture=external(f"http://127.0.0.1:{port}/", timeoutMs=400)), ScriptedBrowsing(log)
    )
    assert time.monotonic() - began < 4
    assert report.error is not None
    assert report.error.code == "server_failed"
    silent.close()
    await silent.wait_closed()
