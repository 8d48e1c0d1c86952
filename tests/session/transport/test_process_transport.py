"""A worker of its own process: started as one says, and missed when it is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from rea_capture.contracts.runtime.budgets import Budget
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.frames import OpenRequest
from rea_capture.contracts.runtime.operations import NavigateOperation, NavigateRequest, ReadOperation
from rea_capture.session.transport import framed, starting
from rea_capture.session.transport import process as module
from rea_capture.session.transport.process import ProcessTransport, worker_argv
from tests.cli.running import environment
from tests.session.worker.scripted_worker import argv
from tests.session.worker.served import has_begun, runs, said, until

PATIENCE_S = 40
READ = ReadOperation(op="read")
HELLO = '{"hello":"rea-browser","protocolVersion":1,"reaVersion":"0"}'


def navigate(word: str) -> NavigateOperation:
    return NavigateOperation(op="navigate", request=NavigateRequest(url=f"http://{word}.test"))


def says(*lines: str, then: str = "sys.stdin.read()") -> tuple[str, ...]:
    """A program that says ``lines`` and goes on with ``then``."""
    return (sys.executable, "-c", f"import sys, time; print(*{lines!r}, sep='\\n', flush=True); {then}")


async def refused(transport: ProcessTransport) -> BrowserErrorDetails:
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(transport.open(OpenRequest()), PATIENCE_S)
    await transport.close()
    return caught.value.details


async def session_of(transport: ProcessTransport) -> str:
    return (await asyncio.wait_for(transport.open(OpenRequest()), PATIENCE_S)).session_id


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/nowhere/python",), "no such file or directory"),
        ((os.devnull,), "permission denied"),
        (("a\0b",), "no program can have that name"),
        (("/bin/sh", "-c", "exit 3"), "it ended with status 3 before it said anything"),
        (says("hello"), "its first line is no hello of this version of the protocol"),
        (says(HELLO.replace(":1", ":2")), "its first line is no hello of this version of the protocol"),
    ],
)
async def test_what_is_no_worker_is_refused_and_nothing_else_is_tried(
    command: tuple[str, ...], reason: str
) -> None:
    details = await refused(ProcessTransport(argv=command))
    assert (details.code, details.phase, details.mutation_state) == (
        "unavailable",
        "startup",
        "not_attempted",
    )
    assert details.message.endswith(reason)
    assert "\0" not in details.message


async def test_an_interpreter_that_is_named_is_the_one_that_is_used(tmp_path: Path) -> None:
    details = await refused(ProcessTransport(python=str(tmp_path / "python")))
    assert str(tmp_path / "python") in details.message
    assert worker_argv("/opt/python")[:4] == ("/opt/python", "-P", "-m", "rea_capture")
    assert worker_argv()[0] == sys.executable


async def test_modules_of_the_folder_one_is_in_are_not_those_of_the_worker(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    (tmp_path / "rea_capture").mkdir()
    (tmp_path / "rea_capture" / "__init__.py").write_text("raise SystemExit(9)")
    transport = ProcessTransport(folder=tmp_path)
    try:
        await transport._ready()
        assert transport.pid is not None
    finally:
        await transport.close()


async def test_a_worker_that_says_nothing_in_its_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "WORKER_READINESS", Budget(50, 50))
    details = await refused(ProcessTransport(argv=(sys.executable, "-c", "import time; time.sleep(60)")))
    assert details.message.endswith("it said nothing within 50 ms")


async def test_a_worker_that_is_killed_is_gone_for_what_was_under_way_and_what_comes(
    process: ProcessTransport, events: Path
) -> None:
    first, second = await session_of(process), await session_of(process)
    moving = asyncio.ensure_future(process.dispatch(first, navigate("hang")))
    await asyncio.to_thread(until, lambda: has_begun(events), "the navigation")
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(moving, PATIENCE_S)
    assert (caught.value.details.code, caught.value.details.mutation_state) == ("worker_gone", "unknown")
    assert caught.value.details.message == "the worker is gone: it was ended by signal 9"
    with pytest.raises(BrowserOperationError) as later:
        await process.dispatch(second, READ)
    assert (later.value.details.code, later.value.details.mutation_state) == ("worker_gone", "not_attempted")
    await asyncio.wait_for(process.close(), PATIENCE_S)


async def test_a_worker_that_dies_of_an_operation_is_told_like_that(process: ProcessTransport) -> None:
    session = await session_of(process)
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(process.dispatch(session, navigate("dies")), PATIENCE_S)
    assert caught.value.details.code == "worker_gone"
    assert process.pid is None


async def test_a_worker_that_never_answers_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framed, "OPEN_MS", 1)
    monkeypatch.setattr(framed, "CLOSE_MS", 1)
    monkeypatch.setattr(framed, "TRANSPORT_GRACE_MS", 50)
    transport = ProcessTransport(argv=says(HELLO))
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(transport.open(OpenRequest()), PATIENCE_S)
    assert caught.value.details.code == "worker_gone"
    assert transport.pid is None
    await transport.close()


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ("nonsense", "worker_gone"),
        ('{"id":null,"error":{}}', "worker_gone"),
        ('{"id":"99","result":{}}', "worker_gone"),
        ('{"id":"1","result":{}}', "defect"),
        ('{"id":"1"}', "defect"),
        ('{"id":"1","result":{"cancelled":true}}', "defect"),
    ],
)
async def test_an_answer_that_is_none_ends_the_worker(told: str, code: str) -> None:
    then = f"sys.stdin.readline(); print({told!r}, flush=True); sys.stdin.read()"
    transport = ProcessTransport(argv=says(HELLO, then=then))
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(transport.open(OpenRequest()), PATIENCE_S)
    assert (caught.value.details.code, caught.value.details.mutation_state) == (code, "unknown")
    assert told not in caught.value.details.message
    assert transport.pid is None
    await transport.close()


async def test_a_line_without_an_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "MAX_FRAME_BYTES", 1_000)
    transport = ProcessTransport(
        argv=says(HELLO, then="sys.stdin.readline(); print('x' * 100_000, flush=True); sys.stdin.read()")
    )
    with pytest.raises(BrowserOperationError) as caught:
        await asyncio.wait_for(transport.open(OpenRequest()), PATIENCE_S)
    assert "MAX_FRAME_BYTES" in caught.value.details.message
    await transport.close()


async def test_a_worker_that_does_not_end_is_ended_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_MS", 50)
    stubborn = ["import signal", "signal.signal(15, signal.SIG_IGN)", f"print({HELLO!r}, flush=True)"]
    stubborn.append("while True: signal.pause()")
    transport = ProcessTransport(argv=(sys.executable, "-c", "\n".join(stubborn)))
    await asyncio.wait_for(transport._ready(), PATIENCE_S)
    pid = transport.pid
    assert pid is not None
    await asyncio.wait_for(transport.close(), PATIENCE_S)
    assert not runs(pid)


async def test_closing_leaves_no_process(process: ProcessTransport) -> None:
    await session_of(process)
    pid = process.pid
    assert pid is not None
    await asyncio.wait_for(process.close(), PATIENCE_S)
    assert not runs(pid)


async def test_an_opening_that_is_cancelled_leaves_no_session(
    process: ProcessTransport, monkeypatch: pytest.MonkeyPatch, events: Path
) -> None:
    """Here the worker has opened it in the same moment."""
    await process._ready()
    sent = asyncio.Event()
    send = process._send

    def noted(line: bytes) -> None:
        sent.set()
        send(line)

    monkeypatch.setattr(process, "_send", noted)
    opening = asyncio.ensure_future(process.open(OpenRequest()))
    await asyncio.wait_for(sent.wait(), PATIENCE_S)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(opening, PATIENCE_S)
    await asyncio.to_thread(until, lambda: "s0 close" in said(events), "the close")


async def test_the_worker_lives_as_long_as_its_parent(events: Path, tmp_path: Path) -> None:
    """The parent is killed; nobody tells the worker but the end of its input."""
    parent = tmp_path / "parent.py"
    parent.write_text(
        "import asyncio, sys\n"
        "from rea_capture.session.transport.process import ProcessTransport\n"
        "from rea_capture.contracts.runtime.frames import OpenRequest\n"
        "async def main():\n"
        f"    transport = ProcessTransport(argv={argv(events)!r})\n"
        "    await transport.open(OpenRequest())\n"
        "    print(transport.pid, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(parent), stdout=asyncio.subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None
    pid = int(await asyncio.wait_for(process.stdout.readline(), PATIENCE_S))
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    await asyncio.to_thread(until, lambda: not runs(pid), "the end of the worker")
    assert said(events)[-1] == "s0 close"
