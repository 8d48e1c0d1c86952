"""``rea clean``: what is removed, what is kept, and how it is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import WAIT_S, environment, rea, rea_on_terminal

OWNER = """
import sys
from rea_capture.browser.profile import OwnedProfile
profile = OwnedProfile.create()
print(profile.ownership.path, profile.root, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """State and temporary files of the test's own."""
    (tmp_path / "tmp").mkdir()
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "TMPDIR": str(tmp_path / "tmp")}


def owner(env: dict[str, str]) -> tuple[subprocess.Popen[str], Path, Path]:
    """A process that has a profile; its record and its folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        env=environment(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    record, root = process.stdout.readline().split()
    return process, Path(record), Path(root)


def killed(env: dict[str, str]) -> tuple[Path, Path]:
    """Record and folder of a process that was killed."""
    process, record, root = owner(env)
    process.kill()
    process.communicate(timeout=WAIT_S)
    return record, root


def test_where_nothing_is_recorded_nothing_is_done(env: dict[str, str], tmp_path: Path) -> None:
    run = rea("clean", "--json", env=env)
    assert (run.status, run.document, run.stderr) == (0, {"launches": []}, b"")
    assert not (tmp_path / "state").exists()
    assert rea_on_terminal("clean", env=env) == (0, "Recorded launches: none.\r\n")


def test_each_record_is_told_with_what_became_of_it(env: dict[str, str]) -> None:
    gone, gone_root = killed(env)
    broken, _ = killed(env)
    broken.write_text("not a record")
    alive, held, held_root = owner(env)
    try:
        told = {row["record"]: row for row in rea("clean", env=env).document["launches"]}
    finally:
        alive.communicate(timeout=WAIT_S)
    row = told[str(gone)]
    assert (row["outcome"], row["processes"], row["reason"]) == ("removed", 0, None)
    assert row["folders"][0] == str(gone_root)
    assert not any(Path(folder).exists() for folder in row["folders"])
    assert told[str(broken)]["outcome"] == "kept"
    assert told[str(held)]["outcome"] == "in_use"
    assert (gone_root.exists(), held_root.exists(), broken.exists()) == (False, True, True)


def test_on_a_terminal_it_is_told_in_words(env: dict[str, str]) -> None:
    killed(env)
    broken, _ = killed(env)
    broken.write_text("not a record")
    status, text = rea_on_terminal("clean", env=env)
    assert status == 0
    assert text.startswith(
        "Recorded launches: 1 removed, 1 kept, since their owner is not provably gone.\r\n"
    )
    assert f"kept {broken}: it could not be read: " in text


def test_what_cannot_be_removed_is_an_error_that_names_it(env: dict[str, str], tmp_path: Path) -> None:
    killed(env)
    stuck = tmp_path / "state/rea-capture/launches/stuck.json"
    stuck.mkdir()
    run = rea("clean", env=env)
    assert run.status == 69
    assert json.loads(run.stderr)["error"]["message"] == (
        f"not everything could be removed: {stuck}: is a directory"
    )
    assert {row["outcome"] for row in run.document["launches"]} == {"removed", "failed"}


def test_the_doctor_tells_what_is_left_and_what_to_do(env: dict[str, str]) -> None:
    killed(env)
    broken, _ = killed(env)
    broken.write_text("not a record")
    diagnosis = rea("doctor", "--json", env=env).document
    assert {row["record"]: row["standing"] for row in diagnosis["launches"]}[str(broken)] == "unproven"
    notes = " ".join(diagnosis["notes"])
    assert "1 capture that was killed has left a browser or a profile." in notes
    assert f"The record {broken} stays: it could not be read" in notes
    assert len(os.listdir(broken.parent)) == 2


def test_doctor_and_clean_import_no_browser_driver(env: dict[str, str]) -> None:
    program = (
        "import sys\n"
        "from rea_capture.cli import main\n"
        "try:\n    main(['clean'])\n"
        "finally:\n    sys.stderr.write(' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(env),
        capture_output=True,
        timeout=WAIT_S,
        check=True,
    )
    assert not {"playwright", "asyncio", "pydantic", "rich"} & set(done.stderr.decode().split())
