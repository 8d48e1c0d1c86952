"""What a command does not need is not imported: that is what keeps it quick."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rea_capture.cli.program import COMMANDS, program
from rea_capture.evidence import evidence_bytes
from tests.cli.running import WAIT_S, environment, rea, written
from tests.evidence.sealed import sealed_capture

NAMES = "asyncio orjson playwright pydantic pydantic_core rfc8785 rich zoneinfo"
HEAVY = set(NAMES.split())


def imported_by(*arguments: str) -> set[str]:
    """Top-level modules that a run of ``rea`` imports."""
    program_text = (
        "import sys\n"
        "from rea_capture.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "finally:\n    sys.stderr.write(chr(10).join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program_text, *arguments],
        capture_output=True,
        env=environment(),
        timeout=WAIT_S,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stderr.decode().split()}


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), *((name, "--help") for name in COMMANDS)])
def test_help_needs_click_only(arguments: tuple[str, ...]) -> None:
    assert not imported_by(*arguments) & HEAVY


def test_verifying_and_comparing_need_no_browser_no_terminal_and_no_models(tmp_path: Path) -> None:
    path = written(tmp_path / "evidence.json", evidence_bytes(sealed_capture()))
    for arguments in (("verify", path), ("compare-web-captures", path, path)):
        assert not imported_by(*arguments) & {"playwright", "rich", "asyncio", "pydantic"}


def test_importing_the_package_imports_nothing_heavy() -> None:
    script = "import sys, rea_capture; sys.stdout.write(chr(10).join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(), timeout=WAIT_S, check=True
    )
    assert not set(done.stdout.decode().split()) & (HEAVY | {"click"})


def test_the_table_of_commands_is_that_of_the_modules() -> None:
    for name, entry in COMMANDS.items():
        command = program.get_command(program.make_context("rea", ["verify", "x"]), name)
        assert command is not None
        assert command.name == name
        assert command.help
        assert entry.help.encode() in rea("--help").stdout


def test_a_stray_print_cannot_reach_the_document(tmp_path: Path) -> None:
    path = written(tmp_path / "evidence.json", evidence_bytes(sealed_capture()))
    script = (
        "import os, sys, subprocess\n"
        "import rea_capture.workflows.verify as room\n"
        "original = room.quick_check\n"
        "def noisy(*arguments):\n"
        "    print('stray'); os.write(1, b'raw'); subprocess.run(['echo', 'child'])\n"
        "    return original(*arguments)\n"
        "room.quick_check = noisy\n"
        "from rea_capture.cli import main\n"
        f"main(['verify', {path!r}])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(), timeout=WAIT_S, check=True
    )
    assert done.stdout.startswith(b'{"documents":')
    assert done.stdout.count(b"\n") == 1
    assert all(word in done.stderr for word in (b"stray", b"raw", b"child"))


def test_a_defect_is_status_70_and_one_line_without_the_data(tmp_path: Path) -> None:
    path = written(tmp_path / "evidence.json", evidence_bytes(sealed_capture()))
    script = (
        "import rea_capture.workflows.verify as room\n"
        "def broken(data): raise RuntimeError('correct-horse-battery')\n"
        "room.quick_check = broken\n"
        "from rea_capture.cli import main\n"
        f"main(['verify', {path!r}])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(), timeout=WAIT_S, check=False
    )
    assert done.returncode == 70
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"RuntimeError at rea_capture/workflows/verify.py:" in done.stderr
    assert b"correct-horse" not in done.stderr
    assert b"Traceback" not in done.stderr
