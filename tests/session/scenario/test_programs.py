"""Programs of a scenario file: what they get, what is known of their end, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.scenario_file import Command, Hook
from rea_capture.redaction import NO_SECRETS, Redactor
from rea_capture.session import leash
from rea_capture.session.scenario import programs
from rea_capture.session.scenario.failing import RunFailedError
from rea_capture.session.scenario.hooks import run_hook
from rea_capture.session.scenario.programs import Ended, Place, Program, start_program
from tests.session.scenario.processes import gone, lives, number_in, until
from tests.session.scenario.scripted import noted, python

STOP_MS = 500
SLEEPS = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
STARTS_ANOTHER = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-I", "-S", "-c", sys.argv[2]])
open(sys.argv[1], "w").write(str(child.pid))
{then}
"""


def place(folder: Path, **environ: str) -> Place:
    return Place(folder, environ, Redactor(environ) if environ else NO_SECRETS)


def command(spec: dict[str, Any]) -> Command:
    return Command.model_validate({**spec, "args": tuple(spec.get("args", ()))})


async def started(spec: dict[str, Any], where: Place, stop_ms: int = STOP_MS) -> Program:
    program = await start_program(command(spec), where, stop_ms=stop_ms)
    assert isinstance(program, Program)
    return program


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("raise SystemExit(0)", Ended("exit", 0)),
        ("raise SystemExit(3)", Ended("exit", 3)),
        ("import os; os.kill(os.getpid(), 9)", Ended("signal", 9)),
        ("import os; os.kill(os.getpid(), 15)", Ended("signal", 15)),
    ],
)
async def test_it_is_known_how_a_program_ended(tmp_path: Path, code: str, ended: Ended) -> None:
    program = await started(python(code), place(tmp_path))
    assert await program.wait() == ended
    assert program.ended == ended
    await program.stop(STOP_MS)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"command": "no-such-program-anywhere"}, "could not be started: no such file or directory"),
        ({"command": "./folder"}, "could not be started: permission denied"),
        ({"command": "true", "cwd": "absent"}, "could not be started: no such file or directory"),
    ],
)
async def test_a_program_that_cannot_be_started_says_why(
    tmp_path: Path, spec: dict[str, Any], words: str
) -> None:
    (tmp_path / "folder").mkdir()
    program = await start_program(command(spec), place(tmp_path), stop_ms=STOP_MS)
    ended = program if isinstance(program, Ended) else await program.wait()
    if isinstance(program, Program):
        await program.stop(STOP_MS)
    assert str(ended) == words


async def test_a_program_starts_in_the_folder_of_the_file_or_in_one_below_it(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for cwd, folder in (({}, tmp_path), ({"cwd": "below"}, tmp_path / "below")):
        program = await started(python("import os; print(os.getcwd())", **cwd), place(tmp_path))
        await program.wait()
        assert program.last_lines() == (str(folder.resolve()),)
        await program.stop(STOP_MS)


async def test_no_shell_reads_what_a_program_is_given(tmp_path: Path) -> None:
    text = "$(touch made) ; touch made | > made * ~"
    program = await started(python("import sys; print(sys.argv[1])", text), place(tmp_path))
    await program.wait()
    assert program.last_lines() == (text,)
    await program.stop(STOP_MS)
    assert not (tmp_path / "made").exists()


async def test_a_program_gets_the_usual_variables_and_those_it_names_and_nothing_on_its_input(
    tmp_path: Path,
) -> None:
    code = "import os, sys; print(sorted(os.environ), repr(sys.stdin.read()), os.environ['MINE'])"
    where = Place(tmp_path, {"PATH": os.environ["PATH"], "THEIRS": "value", "OTHER": "x"}, NO_SECRETS)
    program = await started(python(code, env={"MINE": {"variable": "THEIRS"}}), where)
    await program.wait()
    names, _, rest = program.last_lines()[0].partition("] ")
    assert set(names.strip("['").split("', '")) - {"LC_CTYPE"} == {"MINE", "PATH"}  # the interpreter adds one
    assert rest == "'' value"
    await program.stop(STOP_MS)


async def test_what_a_program_writes_is_drained_and_its_last_lines_are_kept(tmp_path: Path) -> None:
    code = "for i in range(200_000): print('line', i)\nprint('x' * 5000); raise SystemExit(4)"
    program = await started(python(code), place(tmp_path))
    assert await program.wait() == Ended("exit", 4)
    lines = program.last_lines()
    assert len(lines) == programs.MAX_LAST_LINES
    assert lines[-2] == "line 199999"
    assert lines[-1] == "x" * programs.MAX_LINE_CHARACTERS
    await program.stop(STOP_MS)


async def test_values_of_variables_are_redacted_from_what_a_program_writes(tmp_path: Path) -> None:
    where = place(tmp_path, TOKEN="hunter2-token")
    code = "import os, sys; print('with', os.environ['TOKEN']); sys.exit(str(os.environ))"
    program = await started(python(code, env={"TOKEN": {"variable": "TOKEN"}}), where)
    await program.wait()
    assert "with [REDACTED:TOKEN]" in program.last_lines()
    assert len(program.last_lines()) == 2
    assert "hunter2" not in "".join(program.last_lines())
    await program.stop(STOP_MS)


async def test_a_value_that_was_cut_at_the_beginning_of_what_is_kept_is_not_shown(tmp_path: Path) -> None:
    where = place(tmp_path, TOKEN="abcdefgh" * 12_000)
    code = "import os; print(os.environ['TOKEN'] + '.'); print('last')"
    program = await started(python(code, env={"TOKEN": {"variable": "TOKEN"}}), where)
    await program.wait()
    assert program.last_lines() == ("last",)
    await program.stop(STOP_MS)


async def test_a_program_that_is_asked_to_end_gets_time_for_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = """
import signal, sys, time
def end(*_):
    open(sys.argv[1], "a").write("ended in order")
    raise SystemExit
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
time.sleep(60)
"""
    program = await started(python(code, str(log)), place(tmp_path), stop_ms=10_000)
    assert await until(lambda: program.last_lines() == ("ready",))
    assert await program.stop(10_000)
    assert noted(log) == ["ended in order"]


async def test_a_program_that_does_not_end_is_killed_with_what_it_started(tmp_path: Path) -> None:
    spec = python(STARTS_ANOTHER.format(then=SLEEPS), str(tmp_path / "pid"), SLEEPS)
    program = await started(spec, place(tmp_path))
    grandchild = await number_in(tmp_path / "pid")
    began = time.monotonic()
    assert not await program.stop(STOP_MS)
    assert time.monotonic() - began < STOP_MS / 1000 + programs.LETTING_GO_S
    assert await gone(grandchild)


async def test_what_a_program_leaves_behind_when_it_ends_is_ended(tmp_path: Path) -> None:
    spec = python(STARTS_ANOTHER.format(then=""), str(tmp_path / "pid"), SLEEPS)
    program = await started(spec, place(tmp_path))
    assert await program.wait() == Ended("exit", 0)
    assert await gone(await number_in(tmp_path / "pid"))
    await program.stop(STOP_MS)


async def test_a_start_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    spec = python(f"import os; open('pid', 'w').write(str(os.getpid())); {SLEEPS}")
    starting = asyncio.ensure_future(start_program(command(spec), place(tmp_path), stop_ms=STOP_MS))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not noted(tmp_path / "pid") or await gone(await number_in(tmp_path / "pid"))


async def test_a_leash_that_is_killed_takes_its_program_with_it(tmp_path: Path) -> None:
    spec = python(f"import os; print(os.getpid(), os.getppid(), flush=True); {SLEEPS}")
    program = await started(spec, place(tmp_path))
    assert await until(program.last_lines)
    mine, its_leash = map(int, program.last_lines()[0].split())
    os.kill(its_leash, signal.SIGKILL)
    assert await program.wait() == Ended("signal", signal.SIGKILL)
    assert await gone(mine)
    await program.stop(STOP_MS)


OWNER = """
import asyncio, pathlib, sys, time
from rea_capture.contracts.runtime.scenario_file import Command
from rea_capture.redaction import NO_SECRETS
from rea_capture.session.scenario.programs import Place, start_program
async def main():
    command = Command(command=sys.executable, args=("-c", sys.argv[2], sys.argv[1], sys.argv[3]))
    await start_program(command, Place(pathlib.Path("."), {}, NO_SECRETS), stop_ms=200)
    await asyncio.sleep(60)
asyncio.run(main())
"""


async def test_an_owner_that_is_killed_leaves_no_program_of_its_own(tmp_path: Path) -> None:
    code = STARTS_ANOTHER.format(then=SLEEPS)
    pid = tmp_path / "pid"
    owner = await asyncio.create_subprocess_exec(sys.executable, "-c", OWNER, str(pid), code, SLEEPS)
    try:
        grandchild = await number_in(pid)
        assert lives(grandchild)
    finally:
        owner.kill()
        await owner.wait()
    assert await gone(grandchild)


def test_a_leash_needs_nothing_but_the_standard_library() -> None:
    source = Path(leash.__file__).read_text()
    assert "rea_capture" not in source


async def test_a_hook_that_ends_well_passes(tmp_path: Path) -> None:
    await run_hook("setup", hook(python("print('done')")), place(tmp_path), timeout_ms=10_000)


async def test_a_hook_that_fails_says_its_status_and_its_last_lines(tmp_path: Path) -> None:
    spec = python("print('first'); print('no database'); raise SystemExit(3)")
    with pytest.raises(RunFailedError) as caught:
        await run_hook("setup", hook(spec), place(tmp_path), timeout_ms=10_000)
    assert caught.value.details.code == "hook_failed"
    assert caught.value.details.message == (
        "the setup hook ended with status 3; it last said: first / no database"
    )
    assert caught.value.output == ("first", "no database")


async def test_a_hook_that_hangs_is_ended(tmp_path: Path) -> None:
    spec = python(f"print('begun', flush=True); {SLEEPS}")
    with pytest.raises(RunFailedError) as caught:
        await run_hook("reset", hook(spec), place(tmp_path), timeout_ms=300)
    assert caught.value.details.code == "timeout"
    assert caught.value.details.message.startswith("the reset hook did not end within 300 ms and was ended")


def hook(spec: dict[str, Any]) -> Hook:
    return Hook.model_validate({**spec, "args": tuple(spec["args"])})
