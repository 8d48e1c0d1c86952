"""An adapter says which element is meant, or fails: it is told no more than it needs, for a bounded time."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.results import ElementState, ObservedElement, ObserveResult, Tab
from rea_capture.contracts.runtime.settings import AccessibleNameAdapter, CommandAdapter
from rea_capture.session.adapters import adapter_of

ROOT = Path(__file__).resolve().parents[2]

TAB = Tab(
    tab_id="t1", document_id="d1", title="Shop", url="http://127.0.0.1:1/private-path",
    origin="http://127.0.0.1:1", selected=True,
)  # fmt: skip


def observed(*named: str, role: str = "button") -> ObserveResult:
    elements = tuple(
        ObservedElement(ref=f"e{index}", role=role, name=name, state=ElementState())
        for index, name in enumerate(named)
    )
    return ObserveResult(tab=TAB, elements=elements, omitted=0)


async def chosen(instruction: str, *named: str) -> str:
    adapter = adapter_of(AccessibleNameAdapter(kind="accessible-name"))
    assert adapter is not None
    return await adapter.choose(instruction, "click", observed(*named))


async def not_chosen(instruction: str, *named: str) -> BrowserErrorDetails:
    with pytest.raises(BrowserOperationError) as caught:
        await chosen(instruction, *named)
    assert caught.value.details.code == "adapter_failed"
    assert caught.value.details.mutation_state == "not_attempted"
    return caught.value.details


def test_no_adapter_is_chosen_where_none_is_named() -> None:
    assert adapter_of(None) is None


@pytest.mark.parametrize(
    "instruction",
    [
        'Click "Log in"', "Click 'log  IN' now", "Click “Log in”.", "Click „Log in“", "Click «Log in»",
        "Click `Log in`", "Click ‘Log in’", "Don't wait: click the user's 'Log in' button",  # noqa: RUF001
    ],
)  # fmt: skip
async def test_a_quoted_name_is_the_element_of_that_name(instruction: str) -> None:
    assert await chosen(instruction, "Log in with a key", "Log in", "Log out") == "e1"


async def test_a_quoted_name_goes_before_names_that_are_said() -> None:
    assert await chosen('Save with "Save all"', "Save", "Save all") == "e1"


async def test_of_quoted_texts_those_that_are_no_name_do_not_count() -> None:
    assert await chosen('Fill "ada" into "User name"', "Password", "User  name") == "e1"


async def test_without_a_quoted_name_a_name_that_is_said_as_whole_words_counts() -> None:
    assert await chosen("please LOG in to the shop", "Shopping", "Log in", "Catalog") == "e1"


async def test_part_of_a_word_is_no_name() -> None:
    assert "names none" in (await not_chosen("catalogue please", "Cat", "log")).message


async def test_several_elements_of_one_name_are_told_and_none_is_taken() -> None:
    message = (await not_chosen('Click "Delete"', "Delete", "Keep", "delete")).message
    assert "several" in message
    assert "e0" in message
    assert "e2" in message
    assert "Keep" not in message


async def test_elements_without_a_name_are_never_meant() -> None:
    assert "names none" in (await not_chosen('Click ""', "", " ")).message


async def test_what_is_told_of_candidates_is_bounded() -> None:
    message = (await not_chosen("nothing of it", *("long\n" * 500 for _ in range(200)))).message
    assert len(message) < 1_500
    assert "192 more" in message
    assert "\n" not in message


def program(tmp_path: Path, text: str, timeout_ms: int = 10_000) -> CommandAdapter:
    (tmp_path / "program.py").write_text(text)
    argv = (sys.executable, "-I", "-S", str(tmp_path / "program.py"), str(tmp_path))
    return CommandAdapter(kind="command", argv=argv, timeout_ms=timeout_ms)


async def asked(adapter: CommandAdapter, *named: str, withheld: tuple[str, ...] = ()) -> str:
    made = adapter_of(adapter, withheld=withheld)
    assert made is not None
    return await made.choose("Open the cart; $(echo no)", "click", observed(*named))


async def failure_of(adapter: CommandAdapter, *named: str) -> str:
    with pytest.raises(BrowserOperationError) as caught:
        await asked(adapter, *named)
    assert caught.value.details.code == "adapter_failed"
    assert caught.value.details.mutation_state == "not_attempted"
    return caught.value.details.message


RECORDS = """
import json, os, pathlib, sys
folder = pathlib.Path(sys.argv[1])
(folder / "told").write_text(sys.stdin.read())
(folder / "environ").write_text(json.dumps(dict(os.environ)))
print(json.dumps({"ref": "e1"}))
"""


async def test_a_program_is_told_the_instruction_the_action_and_the_elements_and_no_more(
    tmp_path: Path,
) -> None:
    assert await asked(program(tmp_path, RECORDS), "Shop", "Cart") == "e1"
    told = (tmp_path / "told").read_text()
    assert told.count("\n") == 1
    assert json.loads(told) == {
        "instruction": "Open the cart; $(echo no)",
        "action": "click",
        "elements": [
            {"ref": "e0", "role": "button", "name": "Shop", "state": {}},
            {"ref": "e1", "role": "button", "name": "Cart", "state": {}},
        ],
    }


async def test_a_program_does_not_get_the_variables_of_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "hidden")
    monkeypatch.setenv("MODEL_KEY", "its own")
    await asked(program(tmp_path, RECORDS), "Shop", "Cart", withheld=("SHOP_PASSWORD",))
    environ = json.loads((tmp_path / "environ").read_text())
    assert "SHOP_PASSWORD" not in environ
    assert environ["MODEL_KEY"] == "its own"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('print(\'{"ref": "e9"}\')', "not offered"),
        ('print(\'{"ref": "e0", "ref": "e1"}\')', '"ref" and nothing else'),
        ('print(\'{"ref": "e0", "why": ""}\')', '"ref" and nothing else'),
        ("print('{\"ref\": 0}')", '"ref" and nothing else'),
        ("print('e0')", '"ref" and nothing else'),
        ('print(\'{"ref": "e0"}\' * 2)', '"ref" and nothing else'),
        ("pass", '"ref" and nothing else'),
        ('print(\'{"ref": "e0"}\'); raise SystemExit(3)', "with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "by signal 9"),
        ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "more than 65,536 bytes"),
    ],
)
async def test_any_other_answer_is_a_failure_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    assert said in await failure_of(program(tmp_path, text), "Shop")


async def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    absent = CommandAdapter(kind="command", argv=(str(tmp_path / "absent"),))
    assert "cannot be started: no such file" in await failure_of(absent, "Shop")


async def test_a_program_that_does_not_read_may_still_answer(tmp_path: Path) -> None:
    deaf = program(tmp_path, 'import os; os.close(0); print(\'{"ref": "e0"}\')')
    assert await asked(deaf, *("x" * 256 for _ in range(200))) == "e0"


HANGS = """
import os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
child = os.fork()
if not child:
    time.sleep(600)
(folder / "pids.new").write_text(f"{os.getpid()} {child}")
os.rename(folder / "pids.new", folder / "pids")
time.sleep(600)
"""

LEAVES_A_CHILD = HANGS.removesuffix("time.sleep(600)\n") + 'print(\'{"ref": "e0"}\')\n'
"""Its child goes on, and holds the pipe of the answer."""

WORKER = """
import asyncio, sys
from rea_capture.contracts.runtime.settings import CommandAdapter
from tests.session.test_adapters import asked
asyncio.run(asked(CommandAdapter(kind="command", argv=tuple(sys.argv[1:])), "Shop"))
"""


def lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


async def started(tmp_path: Path) -> None:
    async with asyncio.timeout(30):
        while not (tmp_path / "pids").exists():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.01)


async def assert_ended(tmp_path: Path) -> None:
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    async with asyncio.timeout(5):
        while any(lives(pid) for pid in pids):  # noqa: ASYNC110 - other processes
            await asyncio.sleep(0.01)


async def test_a_program_that_hangs_is_killed_with_its_children_when_its_time_is_up(tmp_path: Path) -> None:
    begun = time.monotonic()
    assert "within 2,000 ms" in await failure_of(program(tmp_path, HANGS, timeout_ms=2_000), "Shop")
    assert time.monotonic() - begun < 5
    await assert_ended(tmp_path)


async def test_what_a_program_leaves_behind_is_killed_and_its_answer_counts(tmp_path: Path) -> None:
    assert await asked(program(tmp_path, LEAVES_A_CHILD), "Shop") == "e0"
    await assert_ended(tmp_path)


async def test_a_program_is_killed_with_its_children_when_its_worker_is(tmp_path: Path) -> None:
    argv = program(tmp_path, HANGS).argv
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WORKER, *argv, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    await started(tmp_path)
    worker.kill()
    await worker.wait()
    await assert_ended(tmp_path)


async def test_a_program_whose_answer_nobody_wants_any_more_is_killed(tmp_path: Path) -> None:
    task = asyncio.create_task(asked(program(tmp_path, HANGS), "Shop"))
    await started(tmp_path)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    await assert_ended(tmp_path)
